"""Search finds organisers' own pages.

The last release goes on: only the choices that forms know change, and no column.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0042_staff_roles"),
    ]

    operations = [
        migrations.AlterField(
            model_name="searchentry",
            name="thing",
            field=models.CharField(
                choices=[
                    ("event", "Event"),
                    ("paper", "Paper"),
                    ("person", "Person"),
                    ("room", "Room"),
                    ("service", "Service"),
                    ("amenity", "Amenity"),
                    ("page", "Page"),
                ],
                editable=False,
                max_length=10,
            ),
        ),
    ]
