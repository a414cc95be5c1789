"""A report of staff has the name of who reported.

The last release goes on: it writes reports without a name, for which the column has a default.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0038_links'),
    ]

    operations = [
        migrations.AddField(
            model_name='crowdreport',
            name='staff_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=150),
        ),
    ]
