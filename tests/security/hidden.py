"""What nobody but organisers may know of, each with a word that gives it away."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

from django.urls import resolve, reverse
from django.utils import timezone

from events.models import (
    Amenity,
    Announcement,
    Award,
    Conference,
    Event,
    FloorPlan,
    InfoPage,
    Leg,
    Link,
    Paper,
    PlanArea,
    Poll,
    Proposal,
    Question,
    Route,
    StartingPoint,
    Topic,
    Track,
    Venue,
    Zone,
)
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_report,
    make_room,
    make_type,
    make_walk,
)
from tests.search.searching import reindex
from tests.security.world import World

# A slug may be followed by a random identifier, whose first letters are no part of the word.
CANARY = re.compile(r"canary-[a-z]+(?:-[a-z]+)*(?![a-z0-9])")
HALF_AN_HOUR = dt.timedelta(minutes=30)
FAR_AWAY = dt.date(2098, 12, 31)


def word(name: str) -> str:
    return f"canary-{name}"


class Hidden:
    """The same conference's drafts, hidden papers and what is not told yet; some of it was bookmarked while it was public."""

    def __init__(self, world: World) -> None:
        self.world, self.conference = world, world.conference
        self._make_events()
        self._make_papers()
        self._make_labels()
        self._make_not_yet()
        self._make_proposals()
        self._make_information()
        self._make_reports()
        self._make_questions()
        self._make_polls()
        self.unpublished = make_conference(
            slug=word("slug"), name=word("conference"), series="ICLR", status="draft", start=dt.date(2024, 5, 7)
        )
        self.foreign = make_event(self.unpublished, title=word("elsewhere"), start="09:00", end="10:00", announce=False)
        self.foreign_agenda, self.foreign_token = make_agenda(self.unpublished, self.foreign)
        for event in [*self.events, self.unmarked]:
            world.agenda.bookmark(event, on=True)
        world.agenda.bookmark(self.unmarked, on=False)
        reindex()

    def _make_events(self) -> None:
        room = self.world.hall_room
        self.draft = self._draft(
            "invited-talk", "draft", "12:00", "13:00", room=room, place=word("place"), abstract=word("abstract")
        )
        self.session = self._draft("session", "session", "14:00", "16:00", room=room)
        self.inside = self._draft("talk", "inside", "14:00", "15:00", status="confirmed", session=self.session)
        self.deep = self._draft("talk", "deep", "14:00", "14:15", status="confirmed", session=self.inside)
        self.child = self._draft("talk", "child", "09:30", "09:45", session=self.world.session)
        self.social = self._draft(
            "social",
            "social",
            "19:00",
            "21:00",
            cost=word("cost"),
            audience=word("audience"),
            signup_url="https://canary-signup.example",
        )
        self.hours = self._draft("service", "hours", "07:00", "08:00", service=self.world.desk)
        self.withdrawn = make_event(self.conference, kind="social", title=word("withdrawn"), start="21:00", end="22:00")
        self.withdrawn.start, self.withdrawn.place = at("20:30"), word("moved")
        self.withdrawn.revise(reason=word("reason"))
        self.withdrawn.status = "draft"
        self.withdrawn.revise()
        for event in (self.draft, self.inside, self.withdrawn):
            Amenity.objects.create(
                conference=self.conference, name=word("comfort"), note=word("comfort-note"), event=event, position=event.pk
            )
        self.speaker = make_person(self.conference, word("speaker"), affiliation=word("affiliation"))
        make_appearance(self.draft, self.speaker)
        make_appearance(self.inside, make_person(self.conference, word("panellist")))
        Award.objects.create(conference=self.conference, name=word("talk-award"), year=2025, event=self.draft)

    def _draft(self, kind: str, name: str, start: str, end: str, **fields: Any) -> Event:
        values = {"status": "draft", "title": word(name), "start": start, "end": end}
        return make_event(self.conference, kind=kind, announce=False, **values | fields)

    def _make_papers(self) -> None:
        self.author = make_person(self.conference, word("author"))
        words = {"title": word("paper"), "tldr": word("tldr"), "abstract": word("paper-abstract"), "is_public": False}
        self.paper = make_paper(self.conference, self.author, topic=self.world.topic, **words)
        Link.objects.create(paper=self.paper, url="https://canary-code.example", title=word("link"))
        Award.objects.create(
            conference=self.conference, name=word("award"), year=2025, paper=self.paper, citation=word("citation")
        )
        # The poster itself is known; what it is about is not yet.
        Event.objects.filter(pk=self.world.next_keynote.pk).update(paper=self.paper)

    def _make_labels(self) -> None:
        """What only a draft has: its type, track, topic and place, and what is drawn and written about that place."""
        home = self.conference
        venue = Venue.objects.create(conference=home, name=word("venue"), about=word("venue-about"))
        self.zone = Zone.objects.create(conference=home, venue=venue, name=word("zone"), description=word("zone-about"))
        self.room = make_room(home, word("room"), self.zone, description=word("room-about"), capacity=5000)
        self.labelled = self._draft(
            *("session", "labelled", "17:00", "18:00"),
            type=make_type(home, "session", name=word("type"), colour="#123456"),
            track=Track.objects.create(conference=home, name=word("track"), colour="#654321"),
            topic=Topic.objects.create(conference=home, area=word("topic"), subarea=word("subarea")),
            room=self.room,
        )
        plan = FloorPlan.objects.create(conference=home, venue=venue, name=word("plan"))
        plan.areas.create(room=self.room, points="1 1 9 9")
        PlanArea.objects.create(plan=self.world.plan, room=self.room, label=word("area"), points="1 1 9 9")
        Amenity.objects.create(conference=home, name=word("tea"), note=word("tea-note"), room=self.room)
        start = StartingPoint.objects.create(conference=home, name=word("hotel"), slug=word("hotel-slug"))
        route = Route.objects.create(conference=home, start=start, zone=self.zone, title=word("way"))
        Leg.objects.create(route=route, instruction=word("leg"))
        make_walk(home, self.world.hall, self.zone, 77)

    def _make_not_yet(self) -> None:
        Announcement.objects.create(
            conference=self.conference,
            title=word("announcement"),
            starts_at=dt.datetime.combine(FAR_AWAY, dt.time(9), self.conference.zone),
        )
        Event.objects.filter(pk=self.world.workshop.pk).update(recording_url="https://canary-recording.example")
        self.unmarked = self.world.undated

    def _make_information(self) -> None:
        self.info = InfoPage.objects.create(
            conference=self.conference, title=word("info"), slug=word("info-slug"), text=word("info-text")
        )
        self.info.pictures.create(name="map", photo=f"pages/{word('info-picture')}.webp", alt=word("info-alt"))

    def _make_reports(self) -> None:
        """Somebody said how full it was while it was public."""
        for event in (self.draft, self.session):
            Event.objects.filter(pk=event.pk).update(start=timezone.now() - HALF_AN_HOUR, end=timezone.now() + HALF_AN_HOUR)
            for agenda in (self.world.agenda, None):
                make_report(event, "full", agenda=agenda, at=timezone.now())

    def _make_proposals(self) -> None:
        """Whatever becomes of them, only their senders and the chairs read them; what changes a social that is public, too."""
        texts = ("title", "place", "host", "about", "audience", "cost", "access_notes", "message", "answer")
        said = {name: word(f"proposed-{name.replace('_', '-')}") for name in texts}
        said |= {"signup_url": "https://canary-proposed-signup.example", "mailbox": "canary-proposed-mailbox@example.org"}
        day = self.world.friday.date
        times = {"date": day, "start": at("19:00", day), "end": at("21:00", day), "signup_until": at("12:00", day)}
        for status in ("waiting", "asked", "declined", "merged", "withdrawn", "done"):
            for event in (None, self.world.social):
                kind = "note" if status == "done" else "social"
                sent = {"status": status, "kind": kind, "event": event, "page": f"/{self.conference.slug}/socials/"}
                Proposal.send(self.conference, uuid.uuid4(), **said, **times, **sent)

    def _make_questions(self) -> None:
        """What was taken off the page, and what a draft was asked while it was public."""
        told = {"text": word("question"), "name": word("asker")}
        Question.objects.filter(pk=self.world.taken_off.pk).update(**told)
        Event.objects.filter(pk=self.draft.pk).update(takes_questions=True)
        # By somebody else: one's own words are in what is kept of one, wherever they were said.
        asker, _ = make_agenda(self.conference)
        Question.objects.create(event=self.draft, agenda=asker, text=word("draft-question"), name="Amber Lynx 12")

    def _make_polls(self) -> None:
        """A draft at an event that everybody sees, and one that was opened at an event that nobody sees any more."""
        for event, state, name in [(self.world.keynote, "draft", "poll"), (self.draft, "open", "draft-poll")]:
            poll = Poll.objects.create(event=event, question=word(name), state=state, opened_at=timezone.now())
            for number in (1, 2):
                poll.answers.create(number=number, text=f"{word(f'{name}-answer')} {number}")

    @property
    def events(self) -> list[Event]:
        return [self.draft, self.session, self.inside, self.deep, self.child, self.social, self.hours, self.withdrawn]

    @property
    def addresses(self) -> list[str]:
        """Where each of them would stand."""
        slug = self.conference.slug
        found = []
        for event in self.events:
            names = ["event-by-guid", "bookmark-set", "event-calendar", "crowd-set", "question-list", "question-ask", "poll-list"]
            found += [event.get_absolute_url(), *(reverse(f"events:{name}", args=[slug, event.guid]) for name in names)]
        found += [reverse("events:info-page", args=[slug, self.info.slug])]
        found += [reverse("events:person-detail", args=[slug, it.guid]) for it in [self.speaker, self.author]]
        return [*found, reverse("events:paper-detail", args=[slug, self.paper.guid])]

    @property
    def addresses_of_kinds(self) -> list[str]:
        """One of each kind."""
        return list({resolve(url).view_name: url for url in self.addresses}.values())

    def publish(self) -> None:
        """All of it becomes known: what a crawl of this does not find, it would not have found before."""
        Event.objects.filter(status="draft").update(status="confirmed")
        Event.objects.update(recording_from=None)
        Paper.objects.update(is_public=True)
        Question.objects.update(state="open")
        Poll.objects.exclude(state="open").update(state="closed")
        InfoPage.objects.update(is_public=True)
        Conference.objects.update(status="published")
        Announcement.objects.update(starts_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        reindex()
