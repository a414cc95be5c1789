"""How the columns of a spreadsheet were read is stored with the import."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0029_guids_within_conference'),
    ]

    operations = [
        migrations.AddField(
            model_name='importrun',
            name='columns',
            field=models.JSONField(blank=True, db_default={}, default=dict, help_text='How the columns of a spreadsheet were read, remembered for the next import.'),
        ),
    ]
