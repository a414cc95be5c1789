"""A conference begins as a draft; changes made at once are one group; preview links; slugs that a conference had.

The last release goes on: only the default of a column changes, in Python, and it writes changes without a group.
"""

import django.db.models.deletion
import django.utils.timezone
import events.core.db.fields
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0031_texts_of_events'),
    ]

    operations = [
        migrations.AlterField(
            model_name='conference',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft: only organisers see it'), ('published', 'Published')], default='draft', max_length=20),
        ),
        migrations.AlterField(
            model_name='historicalconference',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft: only organisers see it'), ('published', 'Published')], default='draft', max_length=20),
        ),
        migrations.CreateModel(
            name='ChangeGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('publication', 'Publication'), ('action', 'Bulk action'), ('import', 'Import'), ('undo', 'Undo')], max_length=20)),
                ('title', events.core.db.fields.LineField(max_length=200)),
                ('note', events.core.db.fields.ProseField(blank=True, max_length=2000)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.CharField(blank=True, max_length=150)),
                ('is_public', models.BooleanField(default=False)),
                ('edits', models.JSONField(default=dict)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='change_groups', to='events.conference')),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='change',
            name='group',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='changes', to='events.changegroup'),
        ),
        migrations.AddField(
            model_name='importrun',
            name='group',
            field=models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='import_run', to='events.changegroup'),
        ),
        migrations.CreateModel(
            name='FormerSlug',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('until', models.DateTimeField(default=django.utils.timezone.now)),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_slugs', to='events.conference')),
            ],
            options={
                'ordering': ['-until'],
            },
        ),
        migrations.CreateModel(
            name='PreviewLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False)),
                ('token_hash', models.CharField(editable=False, max_length=64, unique=True)),
                ('label', events.core.db.fields.LineField(blank=True, help_text='Only organisers see this: speakers, the co-chairs.', max_length=60, verbose_name='for whom')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('created_by', models.CharField(blank=True, editable=False, max_length=150)),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='preview_links', to='events.conference')),
            ],
            options={
                'ordering': ['created_at', 'pk'],
            },
        ),
        migrations.AddIndex(
            model_name='changegroup',
            index=models.Index(fields=['conference', 'at'], name='change_group_by_conference'),
        ),
    ]
