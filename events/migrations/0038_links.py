"""Host names of conferences; questions of the search that found nothing.

The last release goes on: it neither reads nor writes the new tables.
"""

import django.db.models.deletion
import events.core.db.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0036_current_conference'),
    ]

    operations = [
        migrations.CreateModel(
            name='ConferenceHost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(error_messages={'unique': 'This name leads to another conference: remove it there first.'}, help_text='Such as 2027.example.org. Whoever runs this site must let the name lead to it.', max_length=253, unique=True, validators=[events.core.db.fields.free_host], verbose_name='host name')),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hosts', to='events.conference')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
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
