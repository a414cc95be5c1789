"""The app: registers callbacks at its start, and creates groups and the search index after every migrate."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import connection
from django.db.models.signals import post_migrate, pre_migrate


def note_permissions(**kwargs: Any) -> None:
    from events.admin import groups  # noqa: PLC0415 - models cannot be imported while apps load

    groups.note_permissions()


def make_groups(**kwargs: Any) -> None:
    """A receiver of post_migrate, because Django creates the permissions of groups there."""
    from events.admin import groups  # noqa: PLC0415 - as above

    groups.ensure_groups()


def make_search_index(**kwargs: Any) -> None:
    """Index what a migration removed, or what a restored backup does not have."""
    from events.models import Conference, SearchIndex  # noqa: PLC0415 - as above
    from events.search.indexing import reindex  # noqa: PLC0415

    # The table is missing while only some migrations are applied.
    if SearchIndex._meta.db_table in connection.introspection.table_names():
        for conference in Conference.objects.values_list("pk", flat=True):
            reindex(conference)


def _connect_programme() -> None:
    # Models cannot be imported while apps load.
    from events.accounts.alerts import follow_changes  # noqa: PLC0415
    from events.programme import lifecycle  # noqa: PLC0415
    from events.search.following import follow_revision, index_in_revision  # noqa: PLC0415
    from events.sign_up.models import SignUp  # noqa: PLC0415

    lifecycle.register(
        in_revision=[index_in_revision],
        after_events_changed=[SignUp.objects.promote_waiting],
        after_changes_recorded=[follow_changes],
        after_revision_committed=[follow_revision],
    )


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        # Models cannot be imported while apps load.
        from events.admin.notices import send_notices  # noqa: PLC0415
        from events.agenda.lifecycle import LIFECYCLE  # noqa: PLC0415
        from events.announcements.lifecycle import ANNOUNCEMENTS_AGENDA_DATA  # noqa: PLC0415
        from events.crowd.lifecycle import CROWD_AGENDA_DATA  # noqa: PLC0415
        from events.mail.notices import register as register_notices  # noqa: PLC0415
        from events.polls.lifecycle import POLLS_AGENDA_DATA  # noqa: PLC0415
        from events.questions.lifecycle import QUESTIONS_AGENDA_DATA  # noqa: PLC0415
        from events.sign_up.lifecycle import SIGN_UP_AGENDA_DATA  # noqa: PLC0415
        from events.staff.second_factor import connect_signals  # noqa: PLC0415
        from events.web.error_reports import start_error_reports  # noqa: PLC0415

        if settings.SENTRY_DSN:
            start_error_reports()
        _connect_programme()
        connect_signals()
        register_notices(send_notices)
        LIFECYCLE.register(
            QUESTIONS_AGENDA_DATA, POLLS_AGENDA_DATA, SIGN_UP_AGENDA_DATA, CROWD_AGENDA_DATA, ANNOUNCEMENTS_AGENDA_DATA
        )
        pre_migrate.connect(note_permissions, sender=self)
        post_migrate.connect(make_groups, sender=self)
        post_migrate.connect(make_search_index, sender=self)

    def start_serving(self) -> None:
        """Called by the entry point of a server, where what can wait is done after the answer."""
        from events.search.following import BACKGROUND_COMPARISON  # noqa: PLC0415
        from events.web.metrics import join_ended_processes  # noqa: PLC0415

        join_ended_processes()
        BACKGROUND_COMPARISON.start()
