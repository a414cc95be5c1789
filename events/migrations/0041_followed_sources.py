"""Addresses whose programmes are followed, and the runs of each.

The last release goes on: the table is new to it, and it leaves the new column of runs empty.
"""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import events.core.db.fields
import events.imports.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0040_pages_sponsors_looks'),
    ]

    operations = [
        migrations.CreateModel(
            name='FollowedSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', events.core.db.fields.LineField(help_text='Of the file itself, beginning with https://, open to everybody. Other organisers see it.', max_length=500, validators=[events.imports.models.https_address], verbose_name='address')),
                ('source', events.core.db.fields.LineField(blank=True, help_text='Only if several files feed the conference: a name for what this one is, such as Socials. Each source cancels only what it brought. Empty: the name of the format.', max_length=60)),
                ('format', models.CharField(blank=True, help_text='Detected from the content; choose one only if that fails.', max_length=60)),
                ('timezone', models.CharField(blank=True, help_text='Only for a file that names none. Empty: that of the conference.', max_length=60, verbose_name='time zone')),
                ('applies_up_to', models.PositiveIntegerField(db_default=0, default=0, help_text='So many new, changed or cancelled events are applied without asking. What changes more waits for an organiser. 0: everything waits.', validators=[django.core.validators.MaxValueValidator(500)], verbose_name='apply by itself up to')),
                ('reason', events.core.db.fields.LineField(blank=True, help_text='Shown with each change that attendees see, also with those applied by itself. Empty: none.', max_length=300)),
                ('is_active', models.BooleanField(db_default=True, default=True, help_text='Off: only the button looks at it.', verbose_name='followed')),
                ('etag', models.CharField(blank=True, editable=False, max_length=300)),
                ('last_modified', models.CharField(blank=True, editable=False, max_length=300)),
                ('digest', models.CharField(blank=True, editable=False, max_length=64)),
                ('looked_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='last looked at')),
                ('next_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('locked_until', models.DateTimeField(blank=True, editable=False, null=True)),
                ('waiting_for', models.CharField(blank=True, choices=[('', 'Nothing'), ('decision', 'A decision on what it would change'), ('columns', 'What its columns are')], editable=False, max_length=10)),
                ('waiting_token', models.CharField(blank=True, editable=False, max_length=22)),
                ('waiting_text', models.CharField(blank=True, editable=False, max_length=300)),
                ('asks_first', models.BooleanField(db_default=False, default=False, editable=False)),
                ('problem', models.TextField(blank=True, editable=False)),
                ('failures', models.PositiveIntegerField(default=0, editable=False)),
                ('failing_since', models.DateTimeField(blank=True, editable=False, null=True)),
                ('mailed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followed_sources', to='events.conference')),
            ],
            options={
                'ordering': ['conference', 'source', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='importrun',
            name='followed',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='runs', to='events.followedsource', verbose_name='address'),
        ),
        migrations.AddConstraint(
            model_name='followedsource',
            constraint=models.UniqueConstraint(fields=('conference', 'source'), name='one_followed_address_per_source', violation_error_message='Another address has this source, and each would cancel what the other brought: give it a name of its own.'),
        ),
    ]
