"""Events of a file that another source keeps are counted apart."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0028_command_runs")]

    operations = [
        migrations.AddField(
            model_name="importrun",
            name="elsewhere",
            field=models.PositiveIntegerField(db_default=0, default=0, verbose_name="kept by another source"),
        ),
    ]
