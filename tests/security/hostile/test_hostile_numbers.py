"""Numbers, days and hours that cannot be, in each form of the organisers that takes one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.contrib import admin

from events.models import Event
from tests.admin.pages import asks, open_form, save, url
from tests.security.world import World

NUMBERS = ["-1", "1e309", "NaN", "Infinity", "99999999999999999999", "-99999999999999999999", "0x10", "1.5e", "1 000", "9" * 4000]
DAYS = ["2025-02-30", "0000-01-01", "0001-01-01", "9999-12-31", "99999-01-01", "24.04.2025", "tomorrow"]
HOURS = ["24:00", "23:59:60", "25:61", "-1:00", "09:30+14:00", "noon"]
LATITUDES = ["91", "-91", "181", *NUMBERS]


def values_of(field: forms.Field) -> list[str]:
    if isinstance(field, forms.DecimalField | forms.FloatField):
        return LATITUDES
    return NUMBERS if isinstance(field, forms.IntegerField) else DAYS if isinstance(field, forms.DateField) else []


def controls(page: Any) -> Iterator[tuple[str, list[str]]]:
    """The name of each control of a form and its inlines that takes a number, a day or an hour, and what it cannot be."""
    filled = [page.context["adminform"].form]
    filled += [form for inline in page.context["inline_admin_formsets"] for form in inline.formset.initial_forms]
    for form in filled:
        for name, field in form.fields.items():
            if isinstance(field, forms.MultiValueField):
                yield f"{form.add_prefix(name)}_0", DAYS
                yield f"{form.add_prefix(name)}_1", HOURS
            elif isinstance(field, forms.ModelChoiceField) or field.widget.is_hidden or field.disabled:
                continue
            elif values := values_of(field):
                yield form.add_prefix(name), values


def addresses() -> Iterator[str]:
    for model, model_admin in admin.site._registry.items():
        row = model._default_manager.order_by("pk").first()
        if model._meta.app_label == "events" and model is not Event and row and hasattr(model_admin, "get_form"):
            yield url("change", str(model._meta.model_name), row.pk)


def is_answered(answer: Any) -> bool:
    """Refused with a word on what is wrong, or taken, or asked back before it is saved."""
    if answer.status_code != 200:
        return answer.status_code in {302, 400}
    return "errorlist" in answer.text or "errornote" in answer.text or asks(answer)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.exhaustive)], ids=["each once", "every pair"])
def test_number_day_or_hour_that_cannot_be_is_told(world: World, every: bool) -> None:
    client = world.client("organiser", raise_request_exception=False)
    wrong, tried = {}, 0
    for turn, address in enumerate(addresses()):
        page, data = client.get(address), open_form(client, address)
        # What is only read has no form.
        for place, (name, values) in enumerate(controls(page) if page.context and "adminform" in page.context else ()):
            for value in values if every else [values[(turn + place) % len(values)]]:
                answer = save(client, address, data, **{name: value})
                tried += 1
                if not is_answered(answer):
                    wrong[address, name, value[:40]] = answer.status_code

    assert tried > 40
    assert wrong == {}
