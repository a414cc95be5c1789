"""When a visitor decided about a bookmark, for decisions that arrive late."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0024_alerts")]

    operations = [
        migrations.AddField(
            model_name="bookmark",
            name="decided_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
