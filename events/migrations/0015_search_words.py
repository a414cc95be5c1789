import django.db.models.deletion
from django.db import migrations, models


def remove_entries(apps, schema_editor):
    """They are made again after the migration, now with boards, C++ and the words of titles and names."""
    apps.get_model("events", "SearchEntry").objects.all().delete()
    apps.get_model("events", "SearchIndex").objects.all().delete()
    if schema_editor.connection.vendor == "sqlite":
        # FTS5 keeps what was deleted until it merges; searches would read it.
        schema_editor.execute("INSERT INTO events_searchentry_words (events_searchentry_words) VALUES ('rebuild')")


class Migration(migrations.Migration):
    dependencies = [("events", "0014_announcement_dismissals")]

    operations = [
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "conference", "cut", "word", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("cut", models.CharField(editable=False, max_length=30)),
                ("word", models.CharField(editable=False, max_length=30)),
                (
                    "conference",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="search_words",
                        to="events.conference",
                    ),
                ),
            ],
            options={"default_permissions": ()},
        ),
        migrations.RunPython(remove_entries, migrations.RunPython.noop),
    ]
