"""The accounts of organisers as a list of their own, and what each is mailed about.

The last release goes on: it does not know the new table.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('events', '0033_publishing'),
    ]

    operations = [
        migrations.CreateModel(
            name='StaffMember',
            fields=[
            ],
            options={
                'verbose_name': 'member of staff',
                'verbose_name_plural': 'staff',
                'ordering': ['username'],
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('auth.user',),
        ),
        migrations.CreateModel(
            name='MailChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('proposals', models.BooleanField(db_default=True, default=True, verbose_name='Proposals that wait for a decision')),
                ('faults', models.BooleanField(db_default=True, default=True, verbose_name='What attendees report as missing or wrong')),
                ('questions', models.BooleanField(db_default=True, default=True, verbose_name='Questions that are held back')),
                ('rooms', models.BooleanField(db_default=True, default=True, verbose_name='Rooms that attendees report as full')),
                ('programmes', models.BooleanField(db_default=True, default=True, verbose_name='Programmes at addresses that are followed')),
                ('mailed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='mail_choice', to=settings.AUTH_USER_MODEL)),
            ],
        ),
    ]
