"""On SQLite, index the beginnings of words from one to six letters: what is typed so far is read, not merged from all words.

All entries are written again after the migration, short texts first.
"""

from django.db import migrations

CREATE = """
    CREATE VIRTUAL TABLE events_searchentry_words USING fts5(
        facets, title, people, rest, content='events_searchentry', content_rowid='id', tokenize='ascii', prefix='{prefixes}'
    )
"""


def index_prefixes(prefixes):
    def rebuild(apps, schema_editor):
        apps.get_model('events', 'SearchEntry').objects.all().delete()
        apps.get_model('events', 'SearchIndex').objects.all().delete()
        if schema_editor.connection.vendor == 'sqlite':
            schema_editor.execute('DROP TABLE events_searchentry_words')
            schema_editor.execute(CREATE.format(prefixes=prefixes))

    return rebuild


class Migration(migrations.Migration):
    dependencies = [
        ('events', '0025_bookmark_decided_at'),
    ]

    operations = [
        migrations.RunPython(index_prefixes('1 2 3 4 5 6'), index_prefixes('2 3')),
    ]
