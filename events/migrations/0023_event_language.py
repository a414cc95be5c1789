"""The language of an event's title and abstract; empty for all events that are stored."""

from django.db import migrations

from events.core.db.fields import LanguageField

HELP_TEXT = "Of title and abstract: de, pt-BR, German. Empty: that of the conference."


class Migration(migrations.Migration):
    dependencies = [("events", "0022_import_types")]

    operations = [
        migrations.AddField(model_name=model, name="language", field=LanguageField(help_text=HELP_TEXT))
        for model in ("event", "historicalevent")
    ]
