"""Guids are unique within a conference; events of a file that another source keeps are counted apart.

The last release goes on: it looks for guids within a conference, except on the organisers' page of questions.
"""

import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0028_command_runs'),
    ]

    operations = [
        migrations.AddField(
            model_name='importrun',
            name='elsewhere',
            field=models.PositiveIntegerField(db_default=0, default=0, verbose_name='kept by another source'),
        ),
        migrations.AlterField(
            model_name='event',
            name='guid',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AlterField(
            model_name='historicalevent',
            name='guid',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AlterField(
            model_name='historicalpaper',
            name='guid',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AlterField(
            model_name='historicalperson',
            name='guid',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AlterField(
            model_name='paper',
            name='guid',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AlterField(
            model_name='person',
            name='guid',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('conference', 'guid'), name='event_unique_guid'),
        ),
        migrations.AddConstraint(
            model_name='paper',
            constraint=models.UniqueConstraint(fields=('conference', 'guid'), name='paper_unique_guid'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(fields=('conference', 'guid'), name='person_unique_guid'),
        ),
    ]
