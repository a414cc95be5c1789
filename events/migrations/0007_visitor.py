"""Visitors with access tokens, where agendas and accounts held the hash of one cookie and accounts its sealed secret.

Cookies, feed addresses and links to read go on working: their hashes move. There is no way back: what accounts sealed is gone.
"""

import base64
import hashlib
import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.utils.crypto import salted_hmac

BATCH = 5_000


def feed_token_hash(key):
    """As events.core.tokens makes it."""
    mac = salted_hmac("hallway.feed", str(key), algorithm="sha256").digest()
    return hashlib.sha256(base64.urlsafe_b64encode(mac[:24])).hexdigest()


def in_batches(model, rows):
    for first in range(0, len(rows), BATCH):
        model.objects.bulk_create(rows[first : first + BATCH], batch_size=BATCH)


def move(apps, schema_editor):
    Agenda, Account, Visitor, AccessToken, FeedAddress = (
        apps.get_model("events", name) for name in ("Agenda", "Account", "Visitor", "AccessToken", "FeedAddress")
    )
    # An account may have no agenda, and an agenda no account; by the hash of the cookie they are one visitor's.
    begun = dict(Account.objects.values_list("token_hash", "created_at"))
    begun |= dict(Agenda.objects.order_by("-created_at").values_list("token_hash", "created_at"))
    visitors = [Visitor(created_at=moment) for moment in begun.values()]
    in_batches(Visitor, visitors)
    tokens = [
        AccessToken(visitor=visitor, token_hash=token_hash, created_at=visitor.created_at)
        for visitor, token_hash in zip(visitors, begun, strict=True)
    ]
    in_batches(AccessToken, tokens)
    of_token = AccessToken.objects.filter(token_hash=models.OuterRef("token_hash")).values("visitor")
    for model in (Agenda, Account):
        model.objects.update(visitor=models.Subquery(of_token))

    # The old address was derived from the cookie, which nobody has here: it works, and the page shows the new one.
    old, new = [], []
    for agenda, token_hash in Agenda.objects.values_list("pk", "feed_token_hash"):
        key = uuid.uuid4()
        old.append(FeedAddress(agenda_id=agenda, token_hash=token_hash))
        new.append(FeedAddress(agenda_id=agenda, key=key, token_hash=feed_token_hash(key)))
    in_batches(FeedAddress, old)
    in_batches(FeedAddress, new)
    # PostgreSQL alters no table with constraints that are still to be checked.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):

    dependencies = [
        ("events", "0006_desk_and_crowd"),
    ]

    operations = [
        migrations.CreateModel(
            name="Visitor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("visitor", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="events.visitor")),
            ],
        ),
        # Codes live for ten minutes: whoever has one now makes another.
        migrations.DeleteModel(name="Handover"),
        migrations.CreateModel(
            name="Handover",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code_hash", models.CharField(editable=False, max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires_at", models.DateTimeField(editable=False)),
                ("visitor", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="handovers", to="events.visitor")),
            ],
        ),
        migrations.RenameModel(old_name="ReplacedFeed", new_name="FeedAddress"),
        migrations.AlterField(
            model_name="feedaddress",
            name="agenda",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="feed_addresses", to="events.agenda"),
        ),
        migrations.AlterField(
            model_name="feedaddress",
            name="replaced_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        # One key for all addresses that are there: none was made of a key.
        migrations.AddField(
            model_name="feedaddress",
            name="key",
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AddField(
            model_name="readlink",
            name="key",
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AddField(
            model_name="agenda",
            name="visitor",
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="agendas", to="events.visitor"),
        ),
        migrations.AddField(
            model_name="account",
            name="visitor",
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="account", to="events.visitor"),
        ),
        migrations.RunPython(move),
        migrations.AlterField(
            model_name="agenda",
            name="visitor",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="agendas", to="events.visitor"),
        ),
        migrations.AlterField(
            model_name="account",
            name="visitor",
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="account", to="events.visitor"),
        ),
        migrations.RemoveConstraint(model_name="agenda", name="agenda_one_per_token"),
        migrations.AddConstraint(
            model_name="agenda",
            constraint=models.UniqueConstraint(fields=("conference", "visitor"), name="agenda_one_per_visitor"),
        ),
        migrations.RemoveField(model_name="agenda", name="token_hash"),
        migrations.RemoveField(model_name="agenda", name="feed_token_hash"),
        migrations.RemoveField(model_name="account", name="token_hash"),
        migrations.RemoveField(model_name="account", name="sealed"),
    ]
