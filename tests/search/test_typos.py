"""Misspelled authors and titles at the size of ICLR."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from events.management.example import EXAMPLE_SLUG
from events.models import Conference
from tests.search.queries.asking import result_titles
from tests.search.searching import reindex
from tests.search.typos import typos

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.usefixtures("at_the_venue")]


def test_ninety_five_of_a_hundred_typos_find_who_or_what_was_meant() -> None:
    call_command("seed_scale", verbosity=0)
    conference = Conference.objects.get(slug=EXAMPLE_SLUG)
    reindex(conference)

    missed = [typo for typo in typos(conference, 100) if typo.wanted not in result_titles(conference, typo.question)]

    assert len(missed) <= 5, missed
