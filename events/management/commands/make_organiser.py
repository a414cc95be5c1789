"""Create the account of the first organiser, and print its password once; remove the second factor of a lost phone."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from events.staff.models import ORGANISERS
from events.staff.second_factor import forget_second_factor

PASSWORD_BYTES = 15


class Command(BaseCommand):
    help = "Create an account in the group “Organisers” with a random password, unless there is one already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", default="organiser", help="the user name (default: organiser)")
        parser.add_argument(
            "--forget-second-factor",
            metavar="NAME",
            help="create nothing: remove the second factor and the recovery codes of this organiser, who lost their phone",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["forget_second_factor"]:
            self.forget(options["forget_second_factor"])
            return
        users = get_user_model()._default_manager
        where = f"{settings.SITE_URL}/{settings.ADMIN_PATH}"
        known = users.filter(is_staff=True).order_by("pk").first()
        if known is not None:
            self.stdout.write(f"Organisers log in at {where} (“{known.get_username()}” has an account; nothing was changed).")
            return
        name, password = options["name"], secrets.token_urlsafe(PASSWORD_BYTES)
        if users.filter(username=name).exists():
            raise CommandError(f"“{name}” is an account without access to the admin: choose another name with --name.")
        with transaction.atomic():
            user = get_user_model().objects.create_user(username=name, password=password, is_staff=True)
            user.groups.add(Group.objects.get(name=ORGANISERS))
        self.stdout.write(f"Organisers log in at {where}\n  name      {name}\n  password  {password}")
        self.stdout.write("The password is not shown again.")

    def forget(self, name: str) -> None:
        user = User.objects.filter(username=name, is_staff=True).first()
        if user is None:
            raise CommandError(f"No organiser has the name “{name}”. Capitals matter.")
        if not forget_second_factor(user):
            self.stdout.write(f"“{name}” had no second factor.")
            return
        self.stdout.write(f"“{name}” has no second factor any more and is logged out everywhere. The password is as it was.")
