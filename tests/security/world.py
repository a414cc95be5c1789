"""A small conference that has one of everything, and the visitors who come to it."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, cast

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.models import (
    Amenity,
    Announcement,
    Award,
    ChangeGroup,
    Event,
    Fact,
    FollowedSource,
    ImportRun,
    InfoPage,
    Leg,
    Link,
    PastEdition,
    Poll,
    PreviewLink,
    PrivateEntry,
    Proposal,
    Question,
    ReadLink,
    Route,
    Service,
    SignUp,
    Sponsor,
    SponsorLevel,
    StartingPoint,
    Topic,
    Track,
    UncountedAgendas,
    Venue,
)
from events.staff.models import ORGANISERS, SOCIAL_CHAIRS
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
    make_walk,
    make_zone,
)
from tests.pictures import picture
from tests.search.searching import reindex
from tests.venue.drawn import HOSTILE, make_plan

TUESDAY = dt.date(2025, 4, 22)
FRIDAY = dt.date(2025, 4, 25)
DURING = "2025-04-24T09:30"
AWAY = "https://elsewhere.example"
ROLES = ("anonymous", "agenda holder", "social chair", "organiser")
GROUPS = {"social chair": SOCIAL_CHAIRS, "organiser": ORGANISERS}


class World:
    """Thursday has a talk, what clashes with it and what can barely be reached; the rest is there once."""

    def __init__(self) -> None:
        self.conference = make_conference(
            slug="iclr-2025",
            title="The Thirteenth International Conference on Learning Representations",
            series="ICLR",
            colour="#1747B8",
            about="Learning *representations*.",
            url=AWAY,
        )
        self._make_place()
        self._make_programme()
        self._make_papers()
        self._make_changes()
        self._make_information()
        reindex(self.conference)
        late = {"date": FRIDAY, "start": at("20:00", FRIDAY), "end": at("22:00", FRIDAY)}
        self.proposal = Proposal.send(self.conference, uuid.uuid4(), title="Chess", host="Sven", place="Lobby", **late)
        self.agenda, self.token = make_agenda(self.conference, self.keynote, self.talk, self.lunch, self.social, self.party)
        early = {"start": at("07:00", FRIDAY), "end": at("07:30", FRIDAY)}
        self.entry = PrivateEntry.add(self.agenda, title="Breakfast", place="Hotel", **early)
        self.sign_up = SignUp.objects.create(event=self.party, places=5)
        self.sign_up.join(self.agenda, "Ada L.")
        self.host_token = self.sign_up.new_host_token()
        self._make_questions()
        self._make_polls()
        long_ago = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)
        UncountedAgendas.objects.create(
            conference=self.conference, begun_from=long_ago, begun_until=long_ago + dt.timedelta(hours=1), reason="A script"
        )
        self.change_group = ChangeGroup.objects.create(conference=self.conference, kind="import", title="Programme updated")
        # Of a name that can never be: nobody asks a name server for it.
        self.followed = FollowedSource.objects.create(conference=self.conference, url="https://schedule..example/a.xml")
        self.preview_link = cast(PreviewLink, PreviewLink.begin(self.conference, "Speakers", "organiser"))
        LogEntry.objects.log_actions(self.staff("organiser").pk, [self.keynote], action_flag=CHANGE)
        link = ReadLink.begin(self.agenda, "Lab group")
        self.read_token = link.token if link else ""

    def _make_information(self) -> None:
        self.info = InfoPage.objects.create(
            conference=self.conference, title="Wi-Fi", slug="wi-fi", text="## Network\n\nJoin *expo*.", is_public=True
        )
        self.info.pictures.create(name="map", photo=picture(80, 40), alt="Where the routers are.")
        level = SponsorLevel.objects.create(conference=self.conference, name="Gold", in_overview=True)
        self.sponsor = Sponsor.objects.create(
            conference=self.conference,
            level=level,
            name="Acme",
            url=AWAY,
            about="Anvils.",
            booth="B12",
            logo=picture(80, 40),
        )
        self.plan.areas.create(sponsor=self.sponsor, points="600 300 90 60")

    def _make_questions(self) -> None:
        Event.objects.filter(pk=self.keynote.pk).update(takes_questions=True)
        asked = {"event": self.keynote, "agenda": make_agenda(self.conference)[0], "asked_at": at("09:10")}
        self.question = Question.objects.create(text="Which licence?", name="Amber Heron 42", **asked)
        self.question.votes.create(agenda=self.agenda)
        Question.objects.create(text="And models?", name="Coral Lynx 17", state="skipped", reason="Asked before", **asked)
        self.taken_off = Question.objects.create(text="Rude", name="Early Otter 61", state="hidden", reason="Insults", **asked)

    def _make_polls(self) -> None:
        self.poll = Poll.objects.create(event=self.keynote, question="Open weights?", state="open", opened_at=at("09:20"))
        self.poll.answers.create(number=1, text="Yes")
        no = self.poll.answers.create(number=2, text="No")
        self.poll.votes.create(agenda=self.agenda, answer=no)

    def _make_place(self) -> None:
        conference = self.conference
        self.hall = make_zone(conference, "Hall 1", letter="H")
        self.garnet = make_zone(conference, "Garnet", position=1)
        self.venue = Venue.objects.get(conference=conference)
        Venue.objects.filter(pk=self.venue.pk).update(
            address="1 Expo Drive", about="Ten *halls*.", transport="Taxis stop at the gate.", url=AWAY
        )
        self.hall_room = make_room(conference, "Hall 1", self.hall, capacity=3000, description="The big one.")
        self.garnet_room = make_room(conference, "Garnet 212", self.garnet, floor="2")
        make_walk(conference, self.hall, self.garnet, 6, covered=True, step_free=True)
        self.desk = Service.objects.create(conference=conference, name="Registration", icon="id-card", zone=self.hall)
        Service.objects.create(conference=conference, name="Taxi stand", icon="taxi", zone=self.hall, place="by the gate")
        self.plan = make_plan(conference, "Ground floor", self.hall, self.hall_room, self.desk, "Stairs")
        self.upper_plan = make_plan(conference, "Level 2", self.garnet_room, position=1, width=800, height=400, drawing=HOSTILE)
        Amenity.objects.create(conference=conference, name="Decaf", note="Ask.", room=self.hall_room)
        Amenity.objects.create(conference=conference, name="Pens", service=self.desk)
        Amenity.objects.create(conference=conference, name="Water")
        self.start = StartingPoint.objects.create(
            conference=conference, name="Expo station", slug="expo", kind="station", description="Two lines."
        )
        self.route = Route.objects.create(
            conference=conference, start=self.start, zone=self.hall, title="Exit A", description="Dry."
        )
        steps = [("Up the lift", "lift", "Exit A"), ("Along the passage", "walk", "")]
        for position, (instruction, mode, sign) in enumerate(steps):
            known = {"minutes": 3, "covered": True, "step_free": True, "gate_free": True}
            Leg.objects.create(route=self.route, position=position, instruction=instruction, mode=mode, sign=sign, **known)

    def _make_programme(self) -> None:
        conference = self.conference
        self.day = make_day(conference, title="Main conference", note="Doors open at 8.")
        self.tuesday = make_day(conference, TUESDAY, title="Before")
        self.friday = make_day(conference, FRIDAY)
        self.track = Track.objects.create(conference=conference, name="Theory", slug="theory", colour="#0B6E75")
        self.topic = Topic.objects.create(conference=conference, area="Optimisation", subarea="Convexity", slug="convexity")
        make_type(conference, "social", name="Social", colour="#B3164B")
        hall, garnet = self.hall_room, self.garnet_room
        self.keynote = self._event("invited-talk", "Open science", "09:00", "10:00", room=hall, abstract="On $x^2$ and *trust*.")
        self.session = self._event("session", "Oral session", "09:30", "10:30", room=garnet, track=self.track, topic=self.topic)
        self.talk = self._event("talk", "Convex talk", "09:45", "10:00", room=garnet, session=self.session, topic=self.topic)
        self.lunch = self._event("break", "Coffee", "10:30", "11:00")
        self.next_keynote = self._event("invited-talk", "Open weights", "10:30", "11:30", room=hall)
        self.workshop = self._event(
            "session", "Workshop", "09:00", "17:00", room=garnet, day=self.friday, recording_from=dt.date(2098, 12, 31)
        )
        self.social = self._event(
            *("social", "Runners", "18:00", "20:00"), place="Marina", day=self.tuesday, official=True, at_venue=True, capacity=20,
            signup_url=AWAY, signup_state="filling", signup_checked_at=at("08:00"), cost="5 dollars",
            audience="Everybody", travel_minutes=15, signup_until=at("12:00", TUESDAY),
        )  # fmt: skip
        self.party = self._event("social", "Mixer", day=self.friday, status="tentative", signup_state="full")
        self.cancelled = self._event("social", "Karaoke", "20:00", "22:00", status="cancelled")
        self.undated = self._event("session", "Town hall", status="tentative")
        Event.objects.filter(pk=self.undated.pk).update(day=None)
        self._event("service", "Registration", "08:00", "18:00", service=self.desk)

    def _event(self, kind: str, title: str, start: str | None = None, end: str | None = None, **fields: Any) -> Any:
        return make_event(self.conference, kind=kind, title=title, start=start, end=end, announce=False, **fields)

    def _make_papers(self) -> None:
        conference = self.conference
        self.person = make_person(conference, "Ada Lovelace", affiliation="Analytical", bio="First *programmer*.", url=AWAY)
        self.host = make_person(conference, "Song Han")
        make_appearance(self.keynote, self.person)
        make_appearance(self.talk, self.host, role="moderator", remote=True)
        words = {"title": "Gradients without descent", "tldr": "No *descent* needed.", "abstract": "We show $y$."}
        self.paper = make_paper(conference, self.person, self.host, topic=self.topic, **words)
        self.talk.paper = self.paper
        self.talk.save()
        self.poster = self._event(
            "poster", "Gradients, poster", "10:00", "12:30", room=self.hall_room, paper=self.paper, board="12"
        )
        Link.objects.create(paper=self.paper, kind="code", url=AWAY)
        Link.objects.create(event=self.keynote, kind="slides", title="Her slides", url=AWAY)
        Award.objects.create(
            conference=conference,
            name="Outstanding paper",
            year=2025,
            paper=self.paper,
            event=self.talk,
            citation="For *clarity*.",
        )
        Event.objects.filter(pk=self.keynote.pk).update(
            recording_url=AWAY,
            recording_from=dt.date(2025, 5, 28),
            stream_url=AWAY,
            recording_offset=95,
            notes="She said *much*.",
            notes_source=AWAY,
        )

    def _make_changes(self) -> None:
        conference = self.conference
        Event.objects.filter(conference=conference).record_changes(quiet=True)
        self.keynote.refresh_from_db()
        self.keynote.title, self.keynote.end = "Open science for all", at("10:15")
        self.keynote.revise(reason="A longer talk")
        Announcement.objects.create(conference=conference, title="Welcome", text="Come *in*.", starts_at=at("08:00"))
        line = {"verb": "created", "title": "Open science", "what": "event", "guid": "", "differences": [], "reason": ""}
        ImportRun.objects.create(
            conference=conference, slug=conference.slug, file_name="iclr.xml", digest="0" * 64, report={"lines": [line]}
        )
        Fact.objects.create(conference=conference, label="Participants", value="11,039", note="On site.", source_url=AWAY)
        PastEdition.objects.create(conference=conference, year=2024, place="Vienna", participants=6500, countries=80)
        self.edition = make_conference(
            slug="iclr-2024",
            name="ICLR 2024",
            series="ICLR",
            timezone="Europe/Vienna",
            start=dt.date(2024, 5, 7),
            end=dt.date(2024, 5, 11),
        )

    @property
    def feed_token(self) -> str:
        return self.agenda.feed_token

    def client(self, role: str, **options: Any) -> Client:
        """A browser of somebody in this role."""
        client = Client(**options)
        if role == "agenda holder":
            client.cookies[VISITOR_COOKIE] = self.token
        if role in GROUPS:
            client.force_login(self.staff(role))
        return client

    @staticmethod
    def staff(role: str) -> User:
        user, made = User.objects.get_or_create(username=role.replace(" ", "-"), defaults={"is_staff": True})
        if made:
            user.set_password("a long enough password")
            user.save()
            user.groups.add(Group.objects.get(name=GROUPS[role]))
        return user
