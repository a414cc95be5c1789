from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0008_drop_calendar_problems_and_zone_rules"),
    ]

    operations = [
        migrations.RemoveField(model_name="account", name="display_name"),
    ]
