"""The rows: one aggregate per file, its enums and QuerySet beside it."""

from __future__ import annotations

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, BookmarkLevel
from events.agenda.models.counting import UncountedAgendas
from events.agenda.models.feeds import CancelledDisplay, FeedAddress, FeedFetch
from events.agenda.models.notes import Note
from events.agenda.models.private_entries import PrivateEntry
from events.agenda.models.sharing import Handover, ReadLink
from events.agenda.models.visitors import AccessToken, Account, Visitor
from events.announcements.models import AnnouncementDismissal
from events.core.limits import Tally
from events.crowd.models import CrowdReport
from events.doctor.models import CommandRun
from events.imports.models import FollowedSource, ImportOutcome, ImportRun
from events.mail.models import Letter
from events.polls.models import Poll, PollAnswer, PollState, PollVote
from events.programme.models.changes import Announcement, Attendance, Change, ChangeGroup, ChangeGroupKind
from events.programme.models.conference import (
    Conference,
    ConferenceHost,
    ConferenceStatus,
    Day,
    Fact,
    FormerSlug,
    PastEdition,
    RevisionScope,
)
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.info_pages import InfoPage, PagePicture
from events.programme.models.labels import EventType, Kind, SignupState, Status, Topic, Track
from events.programme.models.papers import Authorship, Award, Link, LinkKind, Paper
from events.programme.models.people import Appearance, Person, Role
from events.programme.models.sponsors import Sponsor, SponsorLevel
from events.programme.models.venue import Room, RoomState, Service, Venue, Walk, Zone
from events.proposals.models import Proposal, ProposalKind, ProposalStatus
from events.questions.models import Question, QuestionState, QuestionVote
from events.search.models import MissedSearch, SearchEntry, SearchEntryType, SearchIndex, SearchWord
from events.sign_up.models import Seat, SeatState, SignUp, SignUpRefusedError
from events.staff.models import CurrentConference, MailChoice, PreviewLink, StaffMember, StaffRole
from events.venue.models import Amenity, FloorPlan, Leg, Mode, PlanArea, Route, StartingPoint

__all__ = [
    "AccessToken",
    "Account",
    "Agenda",
    "Amenity",
    "Announcement",
    "AnnouncementDismissal",
    "Appearance",
    "Attendance",
    "Authorship",
    "Award",
    "Bookmark",
    "BookmarkLevel",
    "CancelledDisplay",
    "Change",
    "ChangeGroup",
    "ChangeGroupKind",
    "CommandRun",
    "Conference",
    "ConferenceHost",
    "ConferenceStatus",
    "CrowdReport",
    "CurrentConference",
    "Day",
    "Event",
    "EventType",
    "Fact",
    "FeedAddress",
    "FeedFetch",
    "FloorPlan",
    "FollowedSource",
    "FormerSlug",
    "Handover",
    "ImportOutcome",
    "ImportRun",
    "InfoPage",
    "InvitedTalk",
    "Kind",
    "Leg",
    "Letter",
    "Link",
    "LinkKind",
    "MailChoice",
    "MissedSearch",
    "Mode",
    "Note",
    "PagePicture",
    "Paper",
    "PastEdition",
    "Person",
    "PlanArea",
    "Poll",
    "PollAnswer",
    "PollState",
    "PollVote",
    "PreviewLink",
    "PrivateEntry",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Question",
    "QuestionState",
    "QuestionVote",
    "ReadLink",
    "RevisionScope",
    "Role",
    "Room",
    "RoomState",
    "Route",
    "SearchEntry",
    "SearchEntryType",
    "SearchIndex",
    "SearchWord",
    "Seat",
    "SeatState",
    "Service",
    "Session",
    "SignUp",
    "SignUpRefusedError",
    "SignupState",
    "Social",
    "Sponsor",
    "SponsorLevel",
    "StaffMember",
    "StaffRole",
    "StartingPoint",
    "Status",
    "Tally",
    "Topic",
    "Track",
    "UncountedAgendas",
    "Venue",
    "Visitor",
    "Walk",
    "Zone",
]
