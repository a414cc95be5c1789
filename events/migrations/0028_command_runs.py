"""When each command that runs by itself last ended well."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0026_search_prefixes")]

    operations = [
        migrations.CreateModel(
            name="CommandRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("command", models.CharField(max_length=60, unique=True)),
                ("ended_at", models.DateTimeField()),
            ],
        ),
    ]
