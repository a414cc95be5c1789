"""Numbers of four digits and more are written with separators."""

from __future__ import annotations

import html
import re
import uuid

import pytest
from django.test import Client

from events.models import Event, Paper, PastEdition, Person, SignUp
from tests.factories import make_appearance, make_conference, make_event, make_paper, make_person, make_type
from tests.pages.queries.reading import titles  # noqa: F401

pytestmark = pytest.mark.django_db

MANY = 1234
TAG = re.compile(r"<(script|style|svg|template)\b.*?</\1>|<[^>]+>", re.DOTALL)
NUMBER = re.compile(r"(?<![\d.,:-])\d{4,}(?![\d-])")
YEARS = {"2019", "2025"}
