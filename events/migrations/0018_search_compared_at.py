from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0017_revision_scope")]

    operations = [
        migrations.AddField(
            model_name="searchindex",
            name="compared_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
