"""Mail at once about what moves or is cancelled shortly before it starts: who asked for it, and up to when it was mailed."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("events", "0023_event_language")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="wants_alerts",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name="account",
            index=models.Index(condition=models.Q(("wants_alerts", True)), fields=["visitor"], name="account_wanting_alerts"),
        ),
        migrations.AddField(
            model_name="agenda",
            name="alerted_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
