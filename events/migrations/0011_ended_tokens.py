from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def delete_ended_tokens(apps: Any, schema_editor: Any) -> None:
    """For the way back, where every token has a visitor."""
    apps.get_model("events", "AccessToken").objects.filter(visitor=None).delete()


class Migration(migrations.Migration):
    dependencies = [("events", "0010_remove_account_display_name")]

    operations = [
        migrations.AddField(
            model_name="accesstoken",
            name="ended_at",
            field=models.DateTimeField(db_index=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="accesstoken",
            name="visitor",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="events.visitor"
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_ended_tokens),
        migrations.AddConstraint(
            model_name="accesstoken",
            constraint=models.CheckConstraint(
                condition=Q(visitor=None, ended_at__isnull=False) | Q(visitor__isnull=False, ended_at=None),
                name="accesstoken_ended_without_visitor",
            ),
        ),
    ]
