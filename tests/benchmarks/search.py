"""How long a new question takes, and how many misspelled ones find what was meant.

On the database that DATABASE_URL names, in which `manage.py seed_scale` has loaded the example:
`python -m tests.benchmarks.search`. Each question is asked once, by one client, with nothing cached.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

import django
from django.test import Client
from django.test.utils import setup_test_environment

QUESTIONS = 200


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")
    django.setup()
    # The client keeps the context of a page only then.
    setup_test_environment()
    from events.core.words import folded_words  # noqa: PLC0415 - as models cannot be imported before
    from events.management.example import EXAMPLE_SLUG  # noqa: PLC0415
    from events.models import Conference  # noqa: PLC0415
    from tests.search.typos import typos  # noqa: PLC0415

    conference = Conference.objects.get(slug=EXAMPLE_SLUG)
    # As while typing.
    client = Client(SERVER_NAME="localhost")
    wanted = [typo.wanted for typo in typos(conference, QUESTIONS, seed=16)]
    questions = {
        "one word": [folded_words(it)[-1] for it in wanted],
        "names, and two words of titles": [" ".join(folded_words(it)[:2]) for it in wanted],
        "whole names and titles": wanted,
        "with a typo": [typo.question for typo in typos(conference, QUESTIONS, seed=17)],
    }
    client.get(f"/{EXAMPLE_SLUG}/search/", {"q": "warm"})
    sys.stdout.write("| questions | asked | median ms | 95 % ms | CPU, median ms |\n|---|---|---|---|---|\n")
    for name, texts in questions.items():
        elapsed, worked = [], []
        for text in dict.fromkeys(texts):
            began, began_cpu = time.perf_counter(), time.process_time()
            response = client.get(f"/{EXAMPLE_SLUG}/search/", {"q": text, "part": "results"})
            elapsed.append(1000 * (time.perf_counter() - began))
            worked.append(1000 * (time.process_time() - began_cpu))
            if response.status_code != 200:
                raise SystemExit(f"{text}: {response.status_code}")
        late = statistics.quantiles(elapsed, n=20)[-1] if len(elapsed) > 1 else elapsed[0]
        sys.stdout.write(
            f"| {name} | {len(elapsed)} | {statistics.median(elapsed):.1f} | {late:.1f} | {statistics.median(worked):.1f} |\n"
        )
    found = sum(_finds(client, EXAMPLE_SLUG, typo.question, typo.wanted) for typo in typos(conference, 100))
    sys.stdout.write(f"\n{found} of 100 misspelled questions find who or what was meant among the first results.\n")


def _finds(client: Client, slug: str, question: str, wanted: str) -> bool:
    page = client.get(f"/{slug}/search/", {"q": question, "view": "all"}).context["search_page"]
    return wanted in ["".join(part.text for part in result.title) for result in page.results]


if __name__ == "__main__":
    main()
