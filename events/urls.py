"""Every address of the app."""

from __future__ import annotations

from django.urls import include, path, register_converter

from events.converters import DateConverter
from events.views import (
    account,
    agenda,
    agenda_changes,
    announcements,
    atom,
    calendar_files,
    calendars,
    conference,
    desk,
    devices,
    directions,
    event,
    exchange,
    exports,
    feed,
    gaps,
    lists,
    own_data,
    people,
    presenting,
    private_entries,
    proposals,
    recordings,
    rounds,
    questions,
    schedule,
    search,
    services,
    sharing,
    sign_in,
    site,
    together,
    topics,
    venue,
)

app_name = "events"

register_converter(DateConverter, "date")

# /<conference_slug>/
in_conference = [
    path("", conference.conference_detail, name="conference-detail"),
    path("about/", conference.about, name="about"),
    path("announcements/", announcements.announcement_list, name="announcement-list"),
    path("announcements.atom", announcements.announcements_feed, name="announcements-feed"),
    path("attendance/", announcements.attendance_set, name="attendance-set"),
    path("changes/", conference.change_list, name="change-list"),
    path("changes.atom", atom.changes_feed, name="changes-feed"),
    path("colours.css", site.colours, name="colours"),
    path("search/", search.search, name="search"),
    path("time-zone/", site.time_zone, name="time-zone"),
    # schedule
    path("schedule/", schedule.schedule, name="schedule"),
    path("schedule/<date:date>/", schedule.schedule_day, name="schedule-day"),
    path("schedule.ics", calendar_files.schedule_calendar, name="schedule-calendar"),
    path("schedule/<date:date>.ics", calendar_files.day_calendar, name="day-calendar"),
    path("schedule.xml", exports.schedule_xml, name="schedule-xml"),
    path("schedule.json", exports.schedule_json, name="schedule-json"),
    path("schedule.csv", exports.schedule_csv, name="schedule-csv"),
    # events
    path("events/<uuid:guid>/", event.event_detail, name="event-detail"),
    path("events/<uuid:guid>/bookmark/", event.bookmark_set, name="bookmark-set"),
    path("events/<uuid:guid>/instead-of/<uuid:other>/", exchange.bookmark_exchange, name="bookmark-exchange"),
    path("events/<uuid:guid>/present/", presenting.present_set, name="present-set"),
    path("events/<uuid:guid>/round/", rounds.event_round, name="event-round"),
    path("events/<uuid:guid>/round/qr.svg", rounds.round_qr, name="event-round-qr"),
    path("events/<uuid:guid>/visit/", rounds.visit_set, name="visit-set"),
    path("events/<uuid:guid>.ics", calendar_files.event_calendar, name="event-calendar"),
    path("talks/", lists.invited_talk_list, name="invited-talk-list"),
    path("socials/", lists.social_list, name="social-list"),
    # the desk
    path("events/<uuid:guid>/questions/", questions.question_list, name="question-list"),
    path("events/<uuid:guid>/questions/ask/", questions.question_ask, name="question-ask"),
    path("events/<uuid:guid>/questions/<uuid:question>/vote/", questions.question_vote, name="question-vote"),
    path("socials/propose/", desk.social_propose, name="social-propose"),
    path("missing/", desk.missing, name="missing"),
    path("proposals/<str:token>/", proposals.proposal, name="proposal"),
    path("proposals/<str:token>/change/", proposals.proposal_change, name="proposal-change"),
    # people and papers
    path("people/", people.person_list, name="person-list"),
    path("people/<uuid:guid>/", people.person_detail, name="person-detail"),
    path("people/<uuid:guid>.ics", calendar_files.person_calendar, name="person-calendar"),
    path("papers.csv", exports.papers_csv, name="papers-csv"),
    path("papers/", people.paper_list, name="paper-list"),
    path("papers/<uuid:guid>/", people.paper_detail, name="paper-detail"),
    path("awards/", people.award_list, name="award-list"),
    path("topics/", topics.topic_list, name="topic-list"),
    path("topics/<slug:slug>/", topics.topic_detail, name="topic-detail"),
    # venue
    path("venue/", venue.venue, name="venue"),
    path("venue/directions/", directions.directions, name="directions"),
    path("venue/directions/qr.svg", calendars.directions_qr, name="directions-qr"),
    path("venue/directions/start/", directions.start_set, name="start-set"),
    path("services/", services.service_list, name="service-list"),
    # agenda
    path("agenda/", agenda.agenda_detail, name="agenda-detail"),
    path("agenda/gap/", gaps.agenda_gap, name="agenda-gap"),
    path("agenda/walking/", directions.walking_set, name="walking-set"),
    path("agenda/changes/", agenda_changes.agenda_changes, name="agenda-changes"),
    path("agenda/private/", private_entries.entry_add, name="private-entry-add"),
    path("agenda/private/<uuid:guid>/", private_entries.entry_change, name="private-entry"),
    path("agenda/news/", agenda_changes.agenda_banner, name="agenda-banner"),
    path("agenda/calendar/", calendars.agenda_calendar, name="agenda-calendar"),
    path("agenda/calendar/options/", calendars.feed_options, name="feed-options"),
    path("agenda/calendar/reset/", calendars.feed_reset, name="feed-reset"),
    path("agenda/calendar/qr.svg", calendars.feed_qr, name="feed-qr"),
    path("agenda/qr.svg", calendars.agenda_qr, name="agenda-qr"),
    path("agenda.ics", calendar_files.agenda_download, name="agenda-download"),
    # the same agenda on other devices, and for others to read
    path("agenda/devices/", devices.device_list, name="devices"),
    path("agenda/devices/code/", devices.handover_code, name="handover-code"),
    path("agenda/take/", devices.take, name="take"),
    path("agenda/take/<str:code>/", devices.take, name="take-code"),
    path("agenda/data.json", own_data.data_export, name="data-export"),
    path("agenda/sharing/", sharing.link_list, name="sharing"),
    path("agenda/sharing/take-back/", sharing.link_take_back, name="link-take-back"),
    path("together/", together.together, name="together"),
    path("shared/<str:token>/", sharing.shared_agenda, name="shared-agenda"),
    path("shared/<str:token>/copy/", sharing.shared_copy, name="shared-copy"),
    path("agenda/devices/sign-out/", devices.others_sign_out, name="others-sign-out"),
    path("agenda/forget-me/", own_data.forget_me, name="forget-me"),
]

# /account/
of_account = [
    path("", account.account, name="account"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("code/", sign_in.code, name="account-code"),
    path("code/again/", sign_in.code_again, name="account-code-again"),
    path("digests/", account.digests, name="digests-set"),
    path("digests/off/<str:word>/", account.digests_off, name="digests-off"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("delete/", account.account_delete, name="account-delete"),
]

urlpatterns = [
    path("", conference.conference_list, name="conference-list"),
    path("healthz", site.healthz, name="healthz"),
    path("robots.txt", site.robots, name="robots"),
    path("media/<path:path>", site.media, name="media"),
    path("feeds/<str:token>.ics", feed.feed, name="feed"),
    path("feeds/<str:token>.atom", recordings.recordings_feed, name="recordings-feed"),
    path("name/", account.display_name, name="display-name-set"),
    path("account/", include(of_account)),
    path("<slug:conference_slug>/", include(in_conference)),
]
