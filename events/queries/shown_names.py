"""Which names may stand beside a question: nobody is to be taken for somebody else."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q

from events.models import Agenda, Conference, Event, Person, Status
from events.schedule.lookalikes import mixes_scripts
from events.schedule.names import is_office, like_any, passes_for_given, says_conference


def name_problem(name: str) -> str:
    """Why an account may not show this name; empty if it may."""
    if mixes_scripts(name):
        return f"“{name}” mixes letters of different scripts: write it in one of them."
    if is_office(name):
        return f"“{name}” speaks for the conference: choose a name that does not say what you do there."
    if passes_for_given(name):
        return f"“{name}” looks like a name that is given here: choose one of your own."
    published = Person.objects.public().filter(conference__status="published").order_by()
    if says_conference(name, _conference_names()):
        return f"“{name}” speaks for the conference: choose a name that does not say what you do there."
    if like_any(name, [*published.values_list("name", flat=True).distinct(), *_run_by()]):
        return f"“{name}” is too close to the name of somebody in a programme here, or of who runs it: choose another one."
    return ""


def is_refused(name: str, event: Event, agenda: Agenda | None) -> bool:
    """What is looked at once it is chosen: also whether it became somebody's since the account had it."""
    return bool(name_problem(name)) or not may_show(name, event, agenda)


def may_show(name: str, event: Event, agenda: Agenda | None) -> bool:
    """Whether nobody of this event, nor anybody who asked there, would be taken for its bearer."""
    if is_office(name) or passes_for_given(name) or like_any(name, _people_of(event), close=True):
        return False
    others = event.questions.exclude(name="")
    if agenda is not None:
        others = others.exclude(agenda=agenda)
    return not like_any(name, others.values_list("name", flat=True).distinct())


def _people_of(event: Event) -> list[str]:
    """On stage in it and in what is inside it, and authors of what is shown there; all of them are public."""
    inside = event.children.exclude(status=Status.DRAFT)
    on_stage = Q(appearances__event=event) | Q(appearances__event__in=inside)
    wrote = Q(authorships__paper__is_public=True) & (
        Q(authorships__paper=event.paper_id) | Q(authorships__paper__events__in=inside)
    )
    return list(Person.objects.filter(on_stage | wrote).order_by().values_list("name", flat=True).distinct())


def _conference_names() -> list[str]:
    rows = Conference.objects.public().values_list("name", "series", "title", "slug")
    return sorted({name for row in rows for name in row if name})


def _run_by() -> list[str]:
    """Who enters the admin, by every name they have there."""
    staff = User.objects.filter(is_staff=True)
    return [it for user in staff for it in (user.get_full_name(), user.get_username()) if it]
