"""A walk from a zone to itself is refused with a sentence.

The last release goes on: the constraint stays as it is in the database.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0043_search_pages"),
    ]

    operations = [
        migrations.AlterConstraint(
            model_name="walk",
            name="walk_between_two_zones",
            constraint=models.CheckConstraint(
                condition=models.Q(("origin", models.F("destination")), _negated=True),
                name="walk_between_two_zones",
                violation_error_message="A walk leads from one zone to another: choose two, or add a second zone first.",
            ),
        ),
    ]
