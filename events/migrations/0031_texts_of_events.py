"""Subtitle, description, licence and opt-out of recordings, and what other programs call an event."""

import django.core.validators
import events.core.db.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0030_column_choices'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='description',
            field=events.core.db.fields.ProseField(blank=True, db_default='', default='', help_text='A longer text, shown after the abstract.', max_length=100000),
        ),
        migrations.AddField(
            model_name='event',
            name='do_not_record',
            field=models.BooleanField(blank=True, help_text='Yes: its page says so. Unknown: neither its page nor an export says anything.', null=True, verbose_name='not recorded'),
        ),
        migrations.AddField(
            model_name='event',
            name='export_number',
            field=models.PositiveIntegerField(blank=True, help_text='Its id in the system it comes from. Empty: computed from its guid.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2147483647)], verbose_name='number in exports'),
        ),
        migrations.AddField(
            model_name='event',
            name='export_slug',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', help_text='Its slug in the system it comes from. Empty: made of conference, type and guid.', max_length=300, verbose_name='slug in exports'),
        ),
        migrations.AddField(
            model_name='event',
            name='logo_url',
            field=events.core.db.fields.WebAddressField(blank=True, db_default='', default='', help_text='Its address, for exports: no page shows it.', max_length=500, verbose_name='logo'),
        ),
        migrations.AddField(
            model_name='event',
            name='recording_license',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', help_text='CC BY 4.0', max_length=200, verbose_name='licence of the recording'),
        ),
        migrations.AddField(
            model_name='event',
            name='subtitle',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', help_text='Shown below the title.', max_length=300),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='description',
            field=events.core.db.fields.ProseField(blank=True, db_default='', default='', help_text='A longer text, shown after the abstract.', max_length=100000),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='do_not_record',
            field=models.BooleanField(blank=True, help_text='Yes: its page says so. Unknown: neither its page nor an export says anything.', null=True, verbose_name='not recorded'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='export_number',
            field=models.PositiveIntegerField(blank=True, help_text='Its id in the system it comes from. Empty: computed from its guid.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2147483647)], verbose_name='number in exports'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='export_slug',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', help_text='Its slug in the system it comes from. Empty: made of conference, type and guid.', max_length=300, verbose_name='slug in exports'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='logo_url',
            field=events.core.db.fields.WebAddressField(blank=True, db_default='', default='', help_text='Its address, for exports: no page shows it.', max_length=500, verbose_name='logo'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='recording_license',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', help_text='CC BY 4.0', max_length=200, verbose_name='licence of the recording'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='subtitle',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', help_text='Shown below the title.', max_length=300),
        ),
    ]
