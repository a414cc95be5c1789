"""What is wrong with the installation, each in a sentence with its remedy. Asks this machine and the database, nobody else."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.db.models import Q
from django.utils import timezone

from events.core.db.readiness import database_problems, disk_problems, folder_problems, photo_problems
from events.doctor.models import CommandRun
from events.doctor.settings_file import unknown_setting_problems
from events.mail.models import Letter
from events.programme.models.conference import Conference

DAILY_MAX_AGE = dt.timedelta(hours=36)
WEEKLY_MAX_AGE = dt.timedelta(days=8)
FOLLOWING_MAX_AGE = dt.timedelta(hours=2)
LATE_LETTER_AGE = dt.timedelta(hours=1)
FOLDER_SETTINGS = ("MEDIA_ROOT", "UPLOAD_ROOT")


@dataclass(frozen=True)
class PeriodicCommand:
    """A command that somebody must run again and again, and the unit of ``deploy/`` that does so."""

    name: str
    unit: str
    max_age: dt.timedelta = DAILY_MAX_AGE
    otherwise: str = ""


PERIODIC_COMMANDS = [
    PeriodicCommand("send_letters", "hallway-mail.service"),
    PeriodicCommand("send_digests", "hallway-digests.timer"),
    PeriodicCommand("follow_sources", "hallway-follow.timer", FOLLOWING_MAX_AGE),
    PeriodicCommand("erase_questions", "hallway-daily@erase_questions.timer"),
    PeriodicCommand("forget_proposals", "hallway-daily@forget_proposals.timer", WEEKLY_MAX_AGE),
    PeriodicCommand(
        "backup",
        "hallway-backup.timer",
        otherwise=" If another program makes backups, let it run “manage.py doctor --ran backup” after each.",
    ),
]


def installation_problems() -> list[str]:
    """All that can be known quickly, for a page that is opened often."""
    in_database = database_problems()
    # Without its migrations, the tables may be missing.
    stored = [] if in_database else [*photo_problems(), *periodic_problems(), *letter_problems()]
    return [*settings_problems("security"), *in_database, *disk_problems(), *folder_problems(*FOLDER_SETTINGS), *stored]


def settings_problems(*tags: str) -> list[str]:
    """Unknown names, and those of ``check --deploy``, of which a site on http, for one machine or its network, needs none."""
    unknown = unknown_setting_problems()
    if not settings.SECURE:
        return unknown
    found = run_checks(tags=tags or None, include_deployment_checks=True)
    serious = [message for message in found if message.is_serious(WARNING) and not message.is_silenced()]
    unsafe = [" ".join(f"{message.msg} {message.hint or ''} ({message.id})".split()) for message in serious]
    problems = [*unknown, *unsafe]
    if not settings.BEHIND_PROXY:
        problems.append(
            "SITE_URL is https, so a proxy is in front of the server, but BEHIND_PROXY is not set: every visitor has the proxy’s "
            "address, and pages redirect to themselves. Set BEHIND_PROXY=true where the proxy sets X-Forwarded-Proto."
        )
    return problems


def admin_path_problems() -> list[str]:
    """Forms refuse such a slug (events.core.db.fields), but the setting may come after the conference."""
    folder = settings.ADMIN_PATH.partition("/")[0]
    hidden = Conference.objects.filter(Q(slug=folder) | Q(former_slugs__slug=folder)).first()
    if hidden is None:
        return []
    whose = "the address" if hidden.slug == folder else "a former address"
    is_at = f"ADMIN_PATH is “{settings.ADMIN_PATH}”, and “{folder}” is {whose} of {hidden}"
    return [f"{is_at}, which nobody can open there. Set another path, also in the proxy’s file."]


def periodic_problems() -> list[str]:
    """Commands that nothing has run for too long; a site on http is a trial, for which nothing needs to run."""
    if not settings.SECURE:
        return []
    ended = dict(CommandRun.objects.values_list("command", "ended_at"))
    now = timezone.now()
    problems = []
    for command in PERIODIC_COMMANDS:
        last = ended.get(command.name)
        if last is None:
            remedy = f"Run systemctl enable --now {command.unit}, or whatever else is to run it."
            problems.append(f"manage.py {command.name} has not run yet. {remedy}{command.otherwise}")
        elif now - last > command.max_age:
            remedy = f"Look for the reason with systemctl status {command.unit}."
            problems.append(f"manage.py {command.name} last ran at {last:%Y-%m-%d %H:%M} UTC. {remedy}{command.otherwise}")
    return problems


def letter_problems() -> list[str]:
    late = Letter.objects.filter(created_at__lt=timezone.now() - LATE_LETTER_AGE)
    count = late.count()
    if not count:
        return []
    letters = "1 letter has" if count == 1 else f"{count} letters have"
    reason = late.exclude(problem="").values_list("problem", flat=True).first()
    because = f" (the last error was {reason})" if reason else ""
    return [f"{letters} waited for more than an hour{because}. Run manage.py doctor, which tries the mail server of MAIL_URL."]
