from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0009_name_fonts_in_drawings"),
    ]

    operations = [
        migrations.RemoveField(model_name="account", name="display_name"),
    ]
