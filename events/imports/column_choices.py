"""How organisers read the columns of a spreadsheet: remembered for the conference, and added to by each import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.imports.formats.spreadsheet.choices import ColumnChoices
from events.imports.formats.spreadsheet.fields import FIELDS_BY_NAME, guess_fields
from events.imports.formats.spreadsheet.sheet import ForeignSheet
from events.imports.models import ImportRun
from events.programme.models.conference import Conference

MAX_REMEMBERED_COLUMNS = 500


def remembered_columns(conference: Conference | None) -> dict[str, Any]:
    """Return the choices of the last import of a spreadsheet into the conference; each repeats those before it."""
    if conference is None:
        return {}
    runs = ImportRun.objects.done().filter(conference=conference).exclude(columns={})
    return dict(runs.values_list("columns", flat=True).first() or {})


def chosen_by_hand(sheet: ForeignSheet, remembered: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page sent without the columns that it leaves out as the guess does: it sends all of them."""
    columns = ColumnChoices.from_json(dict(given)).columns
    filled = {header: name for header, name in columns.items() if name}
    others = ColumnChoices.from_json(combined_columns(remembered, {**given, "columns": filled}))
    guessed = guess_fields(sheet.headers, others.columns, [row.cells for row in sheet.rows])
    return {**given, "columns": {header: name for header, name in columns.items() if name or guessed.get(header)}}


def combined_columns(remembered: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given, and of the rest what is remembered, unless its field is now that of another column."""
    old, new = ColumnChoices.from_json(dict(remembered)), ColumnChoices.from_json(dict(given))
    taken = {name for name in new.columns.values() if name and not FIELDS_BY_NAME[name].several}
    kept = {header: name for header, name in old.columns.items() if header not in new.columns and name not in taken}
    newest_first = list((dict(new.columns) | kept).items())[:MAX_REMEMBERED_COLUMNS]
    return ColumnChoices(
        columns=dict(newest_first),
        dates=new.dates or ("" if "dates" in given else old.dates),
        sheet=new.sheet or ("" if "sheet" in given else old.sheet),
        header_row=new.header_row or (0 if "header_row" in given else old.header_row),
    ).as_json()
