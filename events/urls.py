"""Every address of the app."""

from __future__ import annotations

from django.urls import include, path, register_converter

from events.accounts import views as accounts_views
from events.agenda.views import changes, devices, notes, private_entries, sharing
from events.announcements import views as announcements_views
from events.calendars import views as calendars_views
from events.crowd import views as crowd_views
from events.exports import views as exports_views
from events.offline import views as offline_views
from events.pages.views import agenda, conference, event, feeds, info, link_previews, metrics, people, site, site_makers, venue
from events.polls import views as polls_views
from events.posters import views as posters_views
from events.programme.addresses import PageNameConverter
from events.proposals import views as proposals_views
from events.questions import views as questions_views
from events.screens import views as screens_views
from events.search import views as search_views
from events.sign_up import views as sign_up_views
from events.staff import previews
from events.web.request import DateConverter

app_name = "events"

register_converter(DateConverter, "date")
register_converter(PageNameConverter, "page_name")

# /<conference_slug>/
conference_urls = [
    path("", conference.conference_detail, name="conference-detail"),
    path("about/", conference.about, name="about"),
    path("pages/<slug:slug>/", info.info_page, name="info-page"),
    path("sponsors/", info.sponsor_list, name="sponsor-list"),
    path("announcements/", announcements_views.announcement_list, name="announcement-list"),
    path("announcements/dismiss/", announcements_views.announcements_dismiss, name="announcements-dismiss"),
    path("announcements.atom", announcements_views.announcements_feed, name="announcements-feed"),
    path("attendance/", announcements_views.attendance_set, name="attendance-set"),
    path("changes/", conference.change_list, name="change-list"),
    path("changes.atom", feeds.changes_feed, name="changes-feed"),
    path("preview.png", link_previews.conference_preview_picture, name="preview-picture"),
    path("sitemap.xml", link_previews.sitemap, name="sitemap"),
    path("colours.css", site.colours, name="colours"),
    path("files/", site_makers.file_list, name="file-list"),
    path("embed/", site_makers.embed, name="embed"),
    path("search/", search_views.search, name="search"),
    path("time-zone/", site.time_zone_set, name="time-zone"),
    # without network, and installed
    path("offline/", offline_views.offline, name="offline"),
    path("offline.json", offline_views.offline_list, name="offline-list"),
    path("manifest.webmanifest", offline_views.manifest, name="manifest"),
    path("icon-<int:size>.png", offline_views.icon, name="icon"),
    # drafts, for whoever has the link
    path("preview/leave/", previews.preview_leave, name="preview-leave"),
    path("preview/<str:token>/", previews.preview_open, name="preview-open"),
    # schedule
    path("schedule/", conference.schedule, name="schedule"),
    path("schedule/<date:date>/", conference.schedule_day, name="schedule-day"),
    path("schedule.ics", calendars_views.schedule_calendar, name="schedule-calendar"),
    path("schedule/<date:date>.ics", calendars_views.day_calendar, name="day-calendar"),
    path("schedule.xml", exports_views.schedule_xml, name="schedule-xml"),
    path("schedule.json", exports_views.schedule_json, name="schedule-json"),
    path("schedule.csv", exports_views.schedule_csv, name="schedule-csv"),
    # events
    path("crowd/", crowd_views.crowd_list, name="crowd-list"),
    # This one first: a guid may end like the name of a page.
    path("events/<uuid:guid>/", event.event_by_guid, name="event-by-guid"),
    path("events/<page_name:name>/", event.event_detail, name="event-detail"),
    path("events/<uuid:guid>/bookmark/", event.bookmark_set, name="bookmark-set"),
    path("events/<uuid:guid>/crowd/", crowd_views.crowd_set, name="crowd-set"),
    path("events/<uuid:guid>/instead-of/<uuid:other>/", event.bookmark_exchange, name="bookmark-exchange"),
    path("events/<uuid:guid>/note/", notes.note_set, name="note"),
    path("events/<uuid:guid>/preview.png", link_previews.event_preview_picture, name="event-preview-picture"),
    path("events/<uuid:guid>/present/", event.present_set, name="present-set"),
    path("events/<uuid:guid>/round/", posters_views.event_round, name="event-round"),
    path("events/<uuid:guid>/round/qr.svg", posters_views.round_qr, name="event-round-qr"),
    path("events/<uuid:guid>/questions/", questions_views.question_list, name="question-list"),
    path("events/<uuid:guid>/questions/ask/", questions_views.question_ask, name="question-ask"),
    path("events/<uuid:guid>/questions/<uuid:question>/vote/", questions_views.question_vote, name="question-vote"),
    path("events/<uuid:guid>/questions/<uuid:question>/withdraw/", questions_views.question_withdraw, name="question-withdraw"),
    path("events/<uuid:guid>/polls/", polls_views.poll_list, name="poll-list"),
    path("events/<uuid:guid>/questions/qr.svg", questions_views.question_qr, name="question-qr"),
    path("events/<uuid:guid>/polls/qr.svg", polls_views.poll_qr, name="poll-qr"),
    path("events/<uuid:guid>/polls/<uuid:poll>/vote/", polls_views.poll_vote, name="poll-vote"),
    path("events/<uuid:guid>/sign-up/", sign_up_views.sign_up_detail, name="sign-up"),
    path("events/<uuid:guid>/sign-up.ics", calendars_views.deadline_calendar, name="sign-up-calendar"),
    path("events/<uuid:guid>/place-seen/", sign_up_views.seat_seen, name="place-seen"),
    path("events/<uuid:guid>/visit/", posters_views.visit_set, name="visit-set"),
    path("events/<uuid:guid>.ics", calendars_views.event_calendar, name="event-calendar"),
    path("talks/", conference.invited_talk_list, name="invited-talk-list"),
    path("socials/", conference.social_list, name="social-list"),
    # proposals and guest lists
    path("socials/propose/", proposals_views.social_propose, name="social-propose"),
    path("missing/", proposals_views.correction_propose, name="missing"),
    path("proposals/<str:token>/", proposals_views.proposal_detail, name="proposal"),
    path("proposals/<str:token>/change/", proposals_views.proposal_change, name="proposal-change"),
    path("sign-up/<str:token>/", sign_up_views.host_list, name="sign-up-list"),
    path("sign-up/<str:token>/list.csv", sign_up_views.host_table, name="sign-up-table"),
    # people and papers
    path("people/", people.person_list, name="person-list"),
    path("people/<uuid:guid>/", people.person_detail, name="person-detail"),
    path("people/<uuid:guid>.ics", calendars_views.person_calendar, name="person-calendar"),
    path("papers.csv", exports_views.papers_csv, name="papers-csv"),
    path("papers/", people.paper_list, name="paper-list"),
    path("papers/<uuid:guid>/", people.paper_detail, name="paper-detail"),
    path("awards/", people.award_list, name="award-list"),
    path("topics/", people.topic_list, name="topic-list"),
    path("topics/<slug:slug>/", people.topic_detail, name="topic-detail"),
    # venue
    path("screen/", screens_views.screen, name="screen"),
    path("venue/", venue.venue, name="venue"),
    path("venue/plans/<slug:version>.svg", venue.plan_drawing, name="plan-drawing"),
    path("venue/directions/", venue.directions, name="directions"),
    path("venue/directions/qr.svg", calendars_views.directions_qr, name="directions-qr"),
    path("venue/directions/start/", venue.start_set, name="start-set"),
    path("services/", venue.service_list, name="service-list"),
    # agenda
    path("agenda/", agenda.agenda_detail, name="agenda-detail"),
    path("agenda/gap/", agenda.agenda_gap, name="agenda-gap"),
    path("agenda/walking/", venue.walking_set, name="walking-set"),
    path("agenda/changes/", changes.agenda_changes, name="agenda-changes"),
    path("agenda/private/", private_entries.entry_add, name="private-entry-add"),
    path("agenda/private/<uuid:guid>/", private_entries.entry_change, name="private-entry"),
    path("agenda/news/", agenda.agenda_banner, name="agenda-banner"),
    path("agenda/calendar/", calendars_views.agenda_calendar, name="agenda-calendar"),
    path("agenda/calendar/options/", calendars_views.feed_options, name="feed-options"),
    path("agenda/calendar/alarm/", calendars_views.feed_alarm, name="feed-alarm"),
    path("agenda/calendar/reset/", calendars_views.feed_reset, name="feed-reset"),
    path("agenda/calendar/qr.svg", calendars_views.feed_qr, name="feed-qr"),
    path("agenda/qr.svg", calendars_views.agenda_qr, name="agenda-qr"),
    path("agenda.ics", calendars_views.agenda_download, name="agenda-download"),
    # the same agenda on other devices, and for others to read
    path("agenda/devices/", devices.device_list, name="devices"),
    path("agenda/devices/code/", devices.handover_code, name="handover-code"),
    path("agenda/take/", devices.handover_redeem, name="take"),
    path("agenda/take/<str:code>/", devices.handover_redeem, name="take-code"),
    path("agenda/data.json", devices.data_export, name="data-export"),
    path("agenda/sharing/", sharing.link_list, name="sharing"),
    path("agenda/sharing/take-back/", sharing.link_take_back, name="link-take-back"),
    path("together/", sharing.together, name="together"),
    path("shared/<str:token>/", sharing.shared_agenda, name="shared-agenda"),
    path("shared/<str:token>/copy/", sharing.shared_copy, name="shared-copy"),
    path("agenda/devices/sign-out/", devices.others_sign_out, name="others-sign-out"),
    path("agenda/devices/sign-out-one/", devices.device_sign_out, name="device-sign-out"),
    path("agenda/forget-me/", devices.forget_me, name="forget-me"),
]

# /account/
account_urls = [
    path("", accounts_views.account_detail, name="account"),
    path("sign-in/", accounts_views.sign_in, name="sign-in"),
    path("code/", accounts_views.code_enter, name="account-code"),
    path("code/again/", accounts_views.code_resend, name="account-code-again"),
    path("digests/", accounts_views.digests_set, name="digests-set"),
    path("digests/off/<str:word>/", accounts_views.digests_off, name="digests-off"),
    path("sign-out/", accounts_views.sign_out, name="sign-out"),
    path("delete/", accounts_views.account_delete, name="account-delete"),
]

urlpatterns = [
    path("", conference.conference_list, name="conference-list"),
    path("healthz", site.healthz, name="healthz"),
    path("readyz", site.readyz, name="readyz"),
    path("sw.js", offline_views.service_worker, name="service-worker"),
    path("favicon.ico", offline_views.favicon, name="favicon"),
    path("sitemap.xml", link_previews.sitemap_index, name="sitemap-index"),
    path("robots.txt", site.robots, name="robots"),
    path("speculation.json", site.speculation_rules, name="speculation-rules"),
    path(".well-known/security.txt", site.security_txt, name="security-txt"),
    path("media/<path:path>", site.media, name="media"),
    path("metrics/<str:token>/", metrics.metrics, name="metrics"),
    path("feeds/<str:token>.ics", calendars_views.feed, name="feed"),
    path("feeds/<str:token>.atom", feeds.recordings_feed, name="recordings-feed"),
    path("account/", include(account_urls)),
    path("<slug:conference_slug>/", include(conference_urls)),
]
