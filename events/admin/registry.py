"""Which model has which admin. Agendas and bookmarks are personal and have none."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Model

from events.admin.accounts import AccountAdmin
from events.admin.announcements import AnnouncementAdmin, ChangeAdmin
from events.admin.change_groups import ChangeGroupAdmin
from events.admin.counting import UncountedAgendasAdmin
from events.admin.floor_plans import FloorPlanAdmin
from events.admin.following import FollowedSourceAdmin
from events.admin.info import InfoPageAdmin, SponsorAdmin, SponsorLevelAdmin
from events.admin.log import LogEntryAdmin
from events.admin.polls import PollAdmin
from events.admin.programme.conference import ConferenceAdmin, DayAdmin, EventTypeAdmin, TopicAdmin, TrackAdmin
from events.admin.programme.events import InvitedTalkAdmin, SessionAdmin, SocialAdmin
from events.admin.programme.papers import AwardAdmin, PaperAdmin, PersonAdmin
from events.admin.proposals.model_admin import ProposalAdmin
from events.admin.questions import QuestionAdmin
from events.admin.staff import StaffMemberAdmin
from events.admin.timetable.views import TimetableAdmin
from events.admin.uploads.programme import ImportRunAdmin
from events.admin.venue import (
    AmenityAdmin,
    RoomAdmin,
    RouteAdmin,
    ServiceAdmin,
    StartingPointAdmin,
    VenueAdmin,
    WalkAdmin,
    ZoneAdmin,
)
from events.agenda.models.counting import UncountedAgendas
from events.imports.models import FollowedSource, ImportRun
from events.polls.models import Poll
from events.programme.models.changes import Announcement, Change, ChangeGroup
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.info_pages import InfoPage
from events.programme.models.labels import EventType, Topic, Track
from events.programme.models.papers import Award, Paper
from events.programme.models.people import Person
from events.programme.models.sponsors import Sponsor, SponsorLevel
from events.programme.models.venue import Room, Service, Venue, Walk, Zone
from events.proposals.models import Proposal
from events.questions.models import Question
from events.staff.models import StaffMember
from events.venue.models import Amenity, FloorPlan, Route, StartingPoint

MODEL_ADMINS: dict[type[Model], type[ModelAdmin]] = {
    Conference: ConferenceAdmin,
    Day: DayAdmin,
    EventType: EventTypeAdmin,
    Track: TrackAdmin,
    Topic: TopicAdmin,
    Event: TimetableAdmin,
    InvitedTalk: InvitedTalkAdmin,
    Session: SessionAdmin,
    Social: SocialAdmin,
    Proposal: ProposalAdmin,
    Question: QuestionAdmin,
    Poll: PollAdmin,
    StaffMember: StaffMemberAdmin,
    LogEntry: LogEntryAdmin,
    UncountedAgendas: UncountedAgendasAdmin,
    Announcement: AnnouncementAdmin,
    Change: ChangeAdmin,
    ChangeGroup: ChangeGroupAdmin,
    Person: PersonAdmin,
    Paper: PaperAdmin,
    Award: AwardAdmin,
    Venue: VenueAdmin,
    Zone: ZoneAdmin,
    Room: RoomAdmin,
    FloorPlan: FloorPlanAdmin,
    Walk: WalkAdmin,
    Service: ServiceAdmin,
    Amenity: AmenityAdmin,
    StartingPoint: StartingPointAdmin,
    Route: RouteAdmin,
    InfoPage: InfoPageAdmin,
    Sponsor: SponsorAdmin,
    SponsorLevel: SponsorLevelAdmin,
    FollowedSource: FollowedSourceAdmin,
    ImportRun: ImportRunAdmin,
}


def register_models(site: AdminSite) -> None:
    for model, model_admin in MODEL_ADMINS.items():
        site.register(model, model_admin)
    # The table of allauth stays empty: the mail address of an attendee is in their user.
    site.unregister(EmailAddress)
    # Its rows are secrets, and one of somebody else's would let one in.
    site.unregister(Authenticator)
    site.unregister(User)
    site.register(User, AccountAdmin)
