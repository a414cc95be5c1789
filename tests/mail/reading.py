"""What is in the outbox."""

from __future__ import annotations

import re

from events.models import Letter

CODE = re.compile(r"^ +(\w{5}-\w{5})$", re.MULTILINE)


def newest_code() -> str:
    """The code in the letter that was written last."""
    letter = Letter.objects.order_by("-pk").first()
    assert letter is not None, "No letter was written."
    found = CODE.search(letter.text)
    assert found is not None, letter.text
    return found[1]
