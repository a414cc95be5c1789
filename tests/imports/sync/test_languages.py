"""Languages of events through several imports; until they had a field, files with several wrote them into the abstract."""

from __future__ import annotations

import pytest

from events.imports.sync.engine import sync
from events.imports.sync.report import ImportDifference
from events.models import Change, Event
from tests.imports.sync.programmes import event, programme, row

pytestmark = pytest.mark.django_db
OLD, NEW = "A talk.\n\nLanguage: German", "A talk."


def imported_before_languages(abstract: str = OLD) -> None:
    """A row as an earlier version imported it: its last import has no language."""
    sync(programme(event(abstract=abstract), event("closing")), source="file")
    for stored in Event.objects.all():
        del stored.imported["language"]
        stored.save()


def test_first_import_with_languages_cleans_the_abstract_and_reports_no_conflict() -> None:
    imported_before_languages()

    report = sync(programme(event(abstract=NEW, language="de"), event("closing", language="en")), source="file")

    assert (row("keynote").abstract, row("keynote").language, row("closing").language) == (NEW, "de", "en")
    assert report.sentences("kept") == []
    (line,) = [it for it in report.lines if it.title == "Keynote"]
    assert line.differences == (ImportDifference("language", "", "de"), ImportDifference("abstract", OLD, NEW))
    assert line.about == ("words",)
    assert Change.objects.count() == 0


def test_the_same_file_again_changes_nothing() -> None:
    imported_before_languages()
    data = programme(event(abstract=NEW, language="de"), event("closing"))
    sync(data, source="file")

    report = sync(data, source="file")

    assert (report.is_empty, report.lines) == (True, [])


def test_abstract_that_was_cleaned_by_hand_is_no_conflict() -> None:
    imported_before_languages()
    Event.objects.filter(source_key="keynote").update(abstract=NEW)

    report = sync(programme(event(abstract=NEW, language="de"), event("closing")), source="file")

    assert report.sentences("kept") == []
    assert (row("keynote").abstract, row("keynote").language) == (NEW, "de")


def test_language_chosen_by_hand_stays() -> None:
    data = programme(event(language="de"), event("closing"))
    sync(data, source="file")
    Event.objects.filter(source_key="keynote").update(language="en")
    Event.objects.filter(source_key="closing").update(language="fr")

    report = sync(data, source="file")

    assert (row("keynote").language, row("closing").language) == ("en", "fr")
    assert report.sentences("kept") == ["kept “Keynote”: language stays “en”, the file says “de”"]


def test_language_that_a_file_no_longer_has_goes() -> None:
    sync(programme(event(language="de"), event("closing")), source="file")

    sync(programme(event(), event("closing")), source="file")

    assert row("keynote").language == ""
