from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0016_polls")]

    operations = [
        migrations.AddField(
            model_name="searchindex",
            name="compared_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
