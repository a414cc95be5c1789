"""Organisers, their passwords and their phones."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import struct
import subprocess
import sys
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

PASSWORD = "correct horse battery staple"
LOGIN, CODE, ADMIN, FACTORS = "/organise/login/", "/organise/login/code/", "/organise/", "/organise/account/"
SECRET = base64.b32encode(b"twenty secret bytes!").decode()


def make_staff(name: str = "Grace", **fields: Any) -> User:
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True, **fields)
    user.groups.add(Group.objects.get(name="Organisers"))
    return user


def give_app(user: User) -> User:
    """As if the user had set up an authenticator app, with recovery codes."""
    encrypt = get_adapter().encrypt
    Authenticator.objects.create(user=user, type="totp", data={"secret": encrypt(SECRET)})
    Authenticator.objects.create(user=user, type="recovery_codes", data={"seed": encrypt("seed"), "used_mask": 0})
    return user


def app_code(secret: str = SECRET, *, steps: int = 0) -> str:
    """What the phone shows (RFC 6238), ``steps`` half minutes from now."""
    counter = int(timezone.now().timestamp()) // 30 + steps
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start : start + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def recovery_codes_of(user: User) -> list[str]:
    codes: list[str] = Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    return codes


def wrong_code() -> str:
    """Six digits that no app shows now."""
    right = {app_code(steps=steps) for steps in (-2, -1, 0, 1, 2)}
    return next(code for code in map("{:06}".format, range(9)) if code not in right)


def log_in(client: Client, name: str = "Grace", password: str = PASSWORD, **options: Any) -> HttpResponse:
    return client.post(LOGIN, {"login": name, "password": password}, **options)


def enter(client: Client, code: str) -> HttpResponse:
    return client.post(CODE, {"code": code})


def from_network(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def is_in(client: Client) -> bool:
    """True if the admin opens, and not only its door."""
    answer = client.get(ADMIN)
    return answer.status_code == 200 and "All lists" in answer.text


def setting_of(name: str, **environment: str) -> str:
    """The value of a setting in a process with this environment."""
    code = f"from conference import settings; print(settings.{name})"
    known = {"PATH": os.environ["PATH"], "SECRET_KEY": "k" * 50}
    done = subprocess.run([sys.executable, "-c", code], env=known | environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()
