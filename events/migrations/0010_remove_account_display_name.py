from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0006_desk_and_crowd"),
    ]

    operations = [
        migrations.RemoveField(model_name="account", name="display_name"),
    ]
