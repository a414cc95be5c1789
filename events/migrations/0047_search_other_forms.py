"""Search finds compounds as one word, initials of double names, and papers by their numbers.

All entries are written again after the migration, short texts first. The last release goes on: it searches in what is
written so far, and reads entries with more words as any others.
"""

from django.db import migrations


def remove_entries(apps, schema_editor):
    apps.get_model("events", "SearchEntry").objects.all().delete()
    apps.get_model("events", "SearchIndex").objects.all().delete()
    if schema_editor.connection.vendor == "sqlite":
        # What was deleted would stay in the index as marks, and slow each search down.
        schema_editor.execute("INSERT INTO events_searchentry_words (events_searchentry_words) VALUES ('delete-all')")


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0046_proposals_until"),
    ]

    operations = [
        migrations.RunPython(remove_entries, remove_entries),
    ]
