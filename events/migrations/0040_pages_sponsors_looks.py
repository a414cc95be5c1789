"""Pages and sponsors of organisers; the logo, header picture and icon of a conference; booths on floor plans.

The last release goes on: its inserts leave the new columns to their defaults, and it shows none of the new rows.
"""

import django.db.models.deletion
import django.utils.timezone
import events.core.db.fields
import events.core.photos
import events.core.pictures
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0039_crowd_report_staff_name'),
    ]

    operations = [
        migrations.CreateModel(
            name='InfoPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', events.core.db.fields.LineField(help_text='As in the menu: Code of conduct.', max_length=60)),
                ('slug', models.SlugField(help_text='The last part of its address: code-of-conduct.', max_length=60)),
                ('text', events.core.db.fields.ProseField(blank=True, help_text='Markdown. ## begins a heading, - a list. ![](map) shows the picture “map” from below.', max_length=100000)),
                ('is_public', models.BooleanField(default=False, help_text='Without this it is a draft: only organisers and holders of a preview link see it.', verbose_name='public')),
                ('position', models.PositiveIntegerField(default=0, help_text='Its place in the menu: low numbers come first.')),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name': 'page',
                'ordering': ['position', 'title', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='PagePicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(help_text='For the text: map.', max_length=60)),
                ('photo', events.core.photos.PhotoField(upload_to='pages/', verbose_name='picture')),
                ('alt', events.core.db.fields.LineField(max_length=500, verbose_name='what the picture shows')),
                ('photo_width', models.PositiveIntegerField(editable=False, null=True)),
                ('photo_height', models.PositiveIntegerField(editable=False, null=True)),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'picture',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Sponsor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', events.core.db.fields.LineField(max_length=100)),
                ('url', events.core.db.fields.WebAddressField(blank=True, max_length=500, verbose_name='website')),
                ('about', events.core.db.fields.LineField(blank=True, help_text='One or two sentences.', max_length=300)),
                ('booth', events.core.db.fields.LineField(blank=True, help_text='As on its sign: B12. An area of a floor plan makes it a link.', max_length=40)),
                ('logo', events.core.pictures.LogoField(blank=True, upload_to='sponsors/')),
                ('logo_ground', models.CharField(blank=True, choices=[('', 'Any'), ('light', 'Light'), ('dark', 'Dark')], default='', editable=False, max_length=10)),
                ('logo_width', models.PositiveIntegerField(editable=False, null=True)),
                ('logo_height', models.PositiveIntegerField(editable=False, null=True)),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ['position', 'name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SponsorLevel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', events.core.db.fields.LineField(help_text='As the heading of the list: Gold, Exhibitors.', max_length=60)),
                ('in_overview', models.BooleanField(default=False, help_text='In one line at the end of the overview.', verbose_name='logos on the overview')),
                ('position', models.PositiveIntegerField(default=0, help_text='Low numbers come first.')),
            ],
            options={
                'ordering': ['position', 'name', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='conference',
            name='header_alt',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', max_length=500, verbose_name='what the header picture shows'),
        ),
        migrations.AddField(
            model_name='conference',
            name='header_picture',
            field=events.core.pictures.HeaderField(blank=True, db_default='', default='', help_text='A JPEG, PNG or WebP picture. Above the overview before and after the conference, 1200 × 480 pixels or in this shape.', upload_to='looks/'),
        ),
        migrations.AddField(
            model_name='conference',
            name='header_picture_height',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='conference',
            name='header_picture_width',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='conference',
            name='icon',
            field=events.core.pictures.IconField(blank=True, db_default='', default='', help_text='A JPEG, PNG or WebP picture. A square, at least 180 pixels wide, for tabs and home screens.', upload_to='looks/'),
        ),
        migrations.AddField(
            model_name='conference',
            name='logo',
            field=events.core.pictures.LogoField(blank=True, db_default='', default='', help_text='A JPEG, PNG or WebP picture. Beside the name on pages, wall screens, paper and the pictures of shared links.', upload_to='looks/'),
        ),
        migrations.AddField(
            model_name='conference',
            name='logo_ground',
            field=models.CharField(blank=True, choices=[('', 'Any'), ('light', 'Light'), ('dark', 'Dark')], db_default='', default='', editable=False, max_length=10),
        ),
        migrations.AddField(
            model_name='conference',
            name='logo_height',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='conference',
            name='logo_width',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='historicalconference',
            name='header_alt',
            field=events.core.db.fields.LineField(blank=True, db_default='', default='', max_length=500, verbose_name='what the header picture shows'),
        ),
        migrations.AddField(
            model_name='historicalconference',
            name='header_picture',
            field=models.TextField(blank=True, db_default='', default='', help_text='A JPEG, PNG or WebP picture. Above the overview before and after the conference, 1200 × 480 pixels or in this shape.', max_length=100),
        ),
        migrations.AddField(
            model_name='historicalconference',
            name='icon',
            field=models.TextField(blank=True, db_default='', default='', help_text='A JPEG, PNG or WebP picture. A square, at least 180 pixels wide, for tabs and home screens.', max_length=100),
        ),
        migrations.AddField(
            model_name='historicalconference',
            name='logo',
            field=models.TextField(blank=True, db_default='', default='', help_text='A JPEG, PNG or WebP picture. Beside the name on pages, wall screens, paper and the pictures of shared links.', max_length=100),
        ),
        migrations.AddConstraint(
            model_name='conference',
            constraint=models.CheckConstraint(condition=models.Q(('header_picture', ''), models.Q(('header_alt', ''), _negated=True), _connector='OR'), name='conference_header_has_alt', violation_error_message='Say in words what the header picture shows.'),
        ),
        migrations.AddField(
            model_name='infopage',
            name='conference',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='info_pages', to='events.conference'),
        ),
        migrations.AddField(
            model_name='pagepicture',
            name='page',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='events.infopage'),
        ),
        migrations.AddField(
            model_name='sponsor',
            name='conference',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sponsors', to='events.conference'),
        ),
        migrations.AddField(
            model_name='planarea',
            name='sponsor',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='areas', to='events.sponsor'),
        ),
        migrations.AddField(
            model_name='sponsorlevel',
            name='conference',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sponsor_levels', to='events.conference'),
        ),
        migrations.AddField(
            model_name='sponsor',
            name='level',
            field=models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='sponsors', to='events.sponsorlevel'),
        ),
        migrations.AddConstraint(
            model_name='infopage',
            constraint=models.UniqueConstraint(fields=('conference', 'slug'), name='info_page_unique_slug', violation_error_message='Another page of this conference has that address.'),
        ),
        migrations.AddConstraint(
            model_name='pagepicture',
            constraint=models.UniqueConstraint(fields=('page', 'name'), name='page_picture_unique_name', violation_error_message='Another picture of this page has that name.'),
        ),
        migrations.AddConstraint(
            model_name='sponsorlevel',
            constraint=models.UniqueConstraint(fields=('conference', 'name'), name='sponsor_level_unique_name', violation_error_message='This conference has that level already.'),
        ),
    ]
