"""Roles of staff in single conferences.

The last release goes on: the table is new to it.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('events', '0041_followed_sources'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StaffRole',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('conference', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='staff_roles', to='events.conference')),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='staff_roles', to='auth.group', verbose_name='role')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='staff_roles', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['conference', 'group', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('user', 'group', 'conference'), name='staff_role_once', violation_error_message='They have this role already.')],
            },
        ),
    ]
