"""Files as an organiser sends them, and what the pages answer."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from events.models import Conference
from tests.admin.pages import url


def csv_of(*rows: Sequence[Any], delimiter: str = ",") -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue().encode()


def xlsx_of(*rows: Sequence[Any]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(list(row))
    book.save(file)
    return file.getvalue()


def send(client: Client, model: str, conference: Conference, content: bytes, name: str = "list.csv", reason: str = "") -> Any:
    """The page that the upload leads to: what would change, or what is wrong."""
    file = SimpleUploadedFile(name, content)
    data = {"conference": conference.pk, "file": file, "reason": reason}
    return client.post(url("import", model), data, follow=True)


def take_in(client: Client, model: str, conference: Conference, content: bytes, **options: Any) -> Any:
    """Send a file, look, and press the button."""
    preview = send(client, model, conference, content, **options)
    assert preview.status_code == 200, mistakes(preview)
    return client.post(preview.request["PATH_INFO"], {"confirm": "Import it"}, follow=True)


def mistakes(page: Any) -> list[str]:
    """What the page says is wrong with the file."""
    context = page.context
    errors = [str(text) for texts in context["form"].errors.values() for text in texts] if "form" in context else []
    return [*errors, *context.get("mistakes", [])]


def lines(page: Any) -> list[tuple[str, str, list[str]]]:
    """The preview: what happens to which row, field by field."""
    return [
        (line["verb"], line["title"], [f"{it['field']}: {it['old']} → {it['new']}" for it in line["differences"]])
        for line in page.context["page"]
    ]


def export(client: Client, model: str, kind: str = "csv", query: str = "") -> Any:
    return client.get(f"{url('export', model, kind)}{query}")


def rows_of(response: Any) -> list[dict[str, str]]:
    """An exported CSV or XLSX as dictionaries of text."""
    if response["Content-Type"].startswith("text/csv"):
        return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))
    header, *rows = load_workbook(io.BytesIO(response.content)).worksheets[0].values
    return [{str(name): "" if cell is None else str(cell) for name, cell in zip(header, row, strict=True)} for row in rows]
