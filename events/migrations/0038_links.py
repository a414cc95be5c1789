"""Questions of the search that found nothing.

The last release goes on: it neither reads nor writes the new table.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0033_publishing'),
    ]

    operations = [
        migrations.CreateModel(
            name='MissedSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', models.CharField(editable=False, max_length=60)),
                ('askers', models.PositiveIntegerField(editable=False)),
                ('last_on', models.DateField(editable=False)),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='missed_searches', to='events.conference')),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('conference', 'words'), name='missed_search_once')],
            },
        ),
    ]
