"""The rows: one aggregate per file, its enums and QuerySet beside it."""

from __future__ import annotations

from events.models.accounts import Account
from events.models.agenda import Agenda
from events.models.amenities import Amenity
from events.models.changes import Announcement, Attendance, Change
from events.models.conference import (
    Conference,
    ConferenceStatus,
    Day,
    Fact,
    PastEdition,
)
from events.models.crowd import CrowdReport
from events.models.directions import Leg, Mode, Route, StartingPoint
from events.models.event import Event, SignupState, Status
from events.models.feeds import CancelledIn, FeedAddress, FeedFetch
from events.models.imports import ImportRun, Outcome
from events.models.labels import EventType, Kind, Topic, Track
from events.models.letters import Letter
from events.models.papers import Authorship, Award, Link, LinkKind, Paper
from events.models.people import Appearance, Person, Role
from events.models.picks import Bookmark, Level
from events.models.plans import FloorPlan, PlanArea
from events.models.private_entries import PrivateEntry
from events.models.programme import InvitedTalk, Session, Social
from events.models.proposals import Proposal, ProposalKind, ProposalStatus
from events.models.questions import Question, QuestionState, QuestionVote
from events.models.search import SearchEntry, SearchIndex, Thing
from events.models.seats import Seat, SeatState
from events.models.services import Service
from events.models.sharing import Handover, ReadLink
from events.models.sign_up import SignUp, SignUpRefusedError
from events.models.tallies import Tally
from events.models.venue import Room, RoomState, Venue, Walk, Zone
from events.models.visitors import AccessToken, Visitor

__all__ = [
    "AccessToken",
    "Account",
    "Agenda",
    "Amenity",
    "Announcement",
    "Appearance",
    "Attendance",
    "Authorship",
    "Award",
    "Bookmark",
    "CancelledIn",
    "Change",
    "Conference",
    "ConferenceStatus",
    "CrowdReport",
    "Day",
    "Event",
    "EventType",
    "Fact",
    "FeedAddress",
    "FeedFetch",
    "FloorPlan",
    "Handover",
    "ImportRun",
    "InvitedTalk",
    "Kind",
    "Leg",
    "Letter",
    "Level",
    "Link",
    "LinkKind",
    "Mode",
    "Outcome",
    "Paper",
    "PastEdition",
    "Person",
    "PlanArea",
    "PrivateEntry",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Question",
    "QuestionState",
    "QuestionVote",
    "ReadLink",
    "Role",
    "Room",
    "RoomState",
    "Route",
    "SearchEntry",
    "SearchIndex",
    "Seat",
    "SeatState",
    "Service",
    "Session",
    "SignUp",
    "SignUpRefusedError",
    "SignupState",
    "Social",
    "StartingPoint",
    "Status",
    "Tally",
    "Thing",
    "Topic",
    "Track",
    "Venue",
    "Visitor",
    "Walk",
    "Zone",
]
