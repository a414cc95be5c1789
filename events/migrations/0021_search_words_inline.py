"""On PostgreSQL, store the words of a search entry in its row: a ranked search reads those of thousands of entries."""

from django.db import migrations


def inline(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        schema_editor.execute('ALTER TABLE events_searchentry ALTER COLUMN words SET STORAGE MAIN')
        # Writes the words of existing rows anew.
        schema_editor.execute('UPDATE events_searchentry SET title = title')


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0020_event_indexes'),
    ]

    operations = [
        migrations.RunPython(inline, migrations.RunPython.noop),
    ]
