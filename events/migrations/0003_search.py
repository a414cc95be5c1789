from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

# What the database's own search keeps of each entry, in step with the table by itself.
SQLITE = [
    """
    CREATE VIRTUAL TABLE events_searchentry_words USING fts5(
        facets, title, people, rest, content='events_searchentry', content_rowid='id', tokenize='ascii', prefix='2 3'
    )
    """,
    # What a search reads of thousands of entries, without their long texts.
    "CREATE INDEX search_entry_narrow ON events_searchentry (id, thing, target, facets, title)",
    """
    CREATE TRIGGER events_searchentry_added AFTER INSERT ON events_searchentry BEGIN
        INSERT INTO events_searchentry_words (rowid, facets, title, people, rest)
        VALUES (new.id, new.facets, new.title, new.people, new.rest);
    END
    """,
    """
    CREATE TRIGGER events_searchentry_removed AFTER DELETE ON events_searchentry BEGIN
        INSERT INTO events_searchentry_words (events_searchentry_words, rowid, facets, title, people, rest)
        VALUES ('delete', old.id, old.facets, old.title, old.people, old.rest);
    END
    """,
    """
    CREATE TRIGGER events_searchentry_changed AFTER UPDATE ON events_searchentry BEGIN
        INSERT INTO events_searchentry_words (events_searchentry_words, rowid, facets, title, people, rest)
        VALUES ('delete', old.id, old.facets, old.title, old.people, old.rest);
        INSERT INTO events_searchentry_words (rowid, facets, title, people, rest)
        VALUES (new.id, new.facets, new.title, new.people, new.rest);
    END
    """,
]
SQLITE_BACK = [
    "DROP INDEX search_entry_narrow",
    "DROP TRIGGER events_searchentry_added",
    "DROP TRIGGER events_searchentry_removed",
    "DROP TRIGGER events_searchentry_changed",
    "DROP TABLE events_searchentry_words",
]
POSTGRESQL = [
    """
    ALTER TABLE events_searchentry
    ADD COLUMN words tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', title), 'A')
        || setweight(to_tsvector('simple', people), 'B')
        || setweight(to_tsvector('simple', rest), 'D')
    ) STORED
    """,
    "CREATE INDEX search_entry_words ON events_searchentry USING gin (words)",
]
POSTGRESQL_BACK = ["ALTER TABLE events_searchentry DROP COLUMN words"]


def run(sqlite, postgresql):
    def work(apps, schema_editor):
        for statement in {"sqlite": sqlite, "postgresql": postgresql}[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return work


class Migration(migrations.Migration):
    dependencies = [("events", "0002_import_run")]

    operations = [
        migrations.CreateModel(
            name="SearchIndex",
            fields=[
                (
                    "conference",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_index",
                        serialize=False,
                        to="events.conference",
                    ),
                ),
                ("revision", models.PositiveBigIntegerField(editable=False)),
            ],
            options={"default_permissions": ()},
        ),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "thing",
                    models.CharField(
                        choices=[
                            ("event", "Event"),
                            ("paper", "Paper"),
                            ("person", "Person"),
                            ("room", "Room"),
                            ("service", "Service"),
                        ],
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("target", models.PositiveBigIntegerField(editable=False)),
                ("facets", models.TextField(editable=False)),
                ("title", models.TextField(editable=False)),
                ("people", models.TextField(editable=False)),
                ("rest", models.TextField(editable=False)),
                ("digest", models.CharField(editable=False, max_length=32)),
                (
                    "conference",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="search_entries", to="events.conference"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("thing", "target"), name="search_entry_unique")],
                "default_permissions": (),
            },
        ),
        migrations.RunPython(run(SQLITE, POSTGRESQL), run(SQLITE_BACK, POSTGRESQL_BACK)),
    ]
