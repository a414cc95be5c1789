"""A calendar as a process of its own writes it: the ETag on the first line, then the bytes of the address."""

from __future__ import annotations

import sys

import django
from django.apps import apps


def main(address: str) -> None:
    # What reads models is not to be imported before Django has them.
    from django.test import Client  # noqa: PLC0415

    answer = Client(headers={"host": "localhost"}).get(address)
    sys.stdout.buffer.write(answer["ETag"].encode() + b"\n" + answer.content)


if __name__ == "__main__":
    if not apps.ready:
        django.setup()
    main(sys.argv[1])
