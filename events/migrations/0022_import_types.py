"""What organisers chose for the types of a file, remembered with its import."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0021_search_words_inline")]

    operations = [
        migrations.AddField(
            model_name="importrun",
            name="types",
            field=models.JSONField(
                blank=True, default=dict, help_text="What the types of the file became, remembered for the next import."
            ),
        ),
    ]
