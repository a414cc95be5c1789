from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from events.core.db.fields import ProseField, sort_key
from events.models import Person
from tests.factories import make_conference, make_person


@pytest.mark.parametrize(
    ("name", "sort_name", "key"),
    [
        pytest.param("Ada Lovelace", "", "lovelace ada", id="last-word-leads"),
        pytest.param("Durk P. Kingma", "", "kingma durk p.", id="middle-initial"),
        pytest.param("Plato", "", "plato", id="one-word"),
        pytest.param("Ludwig van Beethoven", "van Beethoven, Ludwig", "van beethoven, ludwig", id="sort-name"),
        pytest.param("Yann LeCun", "", "lecun yann", id="case"),
        pytest.param("Émile Çelik", "", "celik emile", id="accents"),
        pytest.param("  Zoë  Ångström ", "", "angstrom zoe", id="spaces"),
        pytest.param("Hans Groß", "", "gross hans", id="sharp-s"),
        pytest.param("张伟", "", "张伟", id="chinese"),
        pytest.param("Лев Толстой", "", "толстои лев", id="cyrillic"),
        pytest.param("", "", "", id="nothing"),
    ],
)
def test_sort_key(name: str, sort_name: str, key: str) -> None:
    assert sort_key(name, sort_name) == key


def test_sort_key_fits_its_column() -> None:
    assert len(sort_key("ß" * 300, "")) == 410


@pytest.mark.django_db
def test_people_are_listed_by_their_keys_however_they_were_saved() -> None:
    conference = make_conference()
    names = ["Zoe Adams", "ada Lovelace", "Émile Ångström", "Bo Berg"]
    make_person(conference, names[0])
    Person.objects.bulk_create([Person(conference=conference, name=name) for name in names[1:]])

    assert list(Person.objects.values_list("name", flat=True)) == ["Zoe Adams", "Émile Ångström", "Bo Berg", "ada Lovelace"]


@pytest.mark.django_db
def test_renaming_a_person_moves_them_in_lists() -> None:
    person = make_person(make_conference(), "Ada Byron")

    person.name = "Ada Lovelace"
    person.revise()

    assert Person.objects.get().sort_key == "lovelace ada"


PROSE_FIELDS = [
    field for model in apps.get_app_config("events").get_models() for field in model._meta.fields if isinstance(field, ProseField)
]


@pytest.mark.parametrize("field", PROSE_FIELDS, ids=str)
def test_forms_code_and_filters_agree_on_line_ends(field: Any) -> None:
    sent, stored = "one\r\ntwo\rthree", "one\ntwo\nthree"

    assert (field.formfield().clean(sent), field.clean(sent, None), field.get_prep_value(sent)) == (stored, stored, stored)


def test_line_end_counts_as_one_character() -> None:
    assert ProseField(max_length=3).formfield().clean("a\r\nb") == "a\nb"
