"""What every file of a conference folder may hold: its tables, their columns, and the words some columns choose from."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("invited-talk", "session", "talk", "poster", "social", "break", "service")
LINE_COLOURS = ("invited", "session", "poster", "workshop", "social", "affinity", "break")
STATUSES = ("draft", "tentative", "confirmed", "cancelled")
SIGNUP_STATES = ("open", "filling", "full", "closed")
ROLES = ("speaker", "host", "moderator", "panellist")
AUDIENCES = ("in-person", "virtual")
LEVELS = ("winner", "runner-up", "honourable-mention")
LINK_KINDS = ("website", "paper", "code", "slides", "poster", "video", "source")
LEG_MODES = ("walk", "lift", "escalator", "stairs", "train", "taxi", "bus")
START_KINDS = ("hotel", "airport", "station", "city", "street")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a TOML file or a whole CSV file: the columns that must be there and those that may."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return self.required + self.optional


_EVENT_OPTIONAL = (
    "guid", "status", "day", "start", "end", "room", "place", "travel_minutes", "track", "topic", "session", "position",
    "paper", "service", "board", "abstract", "official", "at_venue", "people", "links", "stream_url", "recording_url",
    "overflow_room", "takes_questions", "access_notes",
    "recording_from", "recording_offset", "notes", "notes_source",
)  # fmt: skip
_SIGNUP = ("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity")

CONFERENCE_TOML = {
    "conference": Table(
        ("slug", "name", "timezone", "start", "end"),
        ("title", "series", "edition", "city", "country", "colour", "url", "about"),
    ),
    "facts": Table(("label", "value"), ("key", "note", "source_url")),
    "past_editions": Table(("year", "place"), ("participants", "countries")),
    "days": Table(("date",), ("title", "note")),
    "types": Table(("key", "name", "kind"), ("plural", "colour", "icon", "default_minutes")),
    "tracks": Table(("key", "name"), ("colour",)),
    "topics": Table(("key", "area"), ("subarea",)),
}
PLACE_TOML = {
    "venues": Table(("key", "name"), ("address", "latitude", "longitude", "url", "about", "transport")),
    "zones": Table(("key", "venue", "name"), ("letter", "description", "off_site")),
    "rooms": Table(("key", "zone", "name"), ("floor", "capacity", "description")),
    "walks": Table(("from", "to", "minutes"), ("minutes_back", "covered", "step_free")),
    "services": Table(("key", "name"), ("icon", "description", "zone", "room", "place")),
    "amenities": Table(("key", "name"), ("note", "event", "service", "room", "zone")),
    "plans": Table(("key", "venue", "name"), ("width", "height", "areas")),
    "plans.areas": Table(("points",), ("room", "zone", "service", "label")),
    "starting_points": Table(("key", "name", "kind"), ("description",)),
    "routes": Table(("key", "start", "zone", "title"), ("description", "checked_on", "legs")),
    "routes.legs": Table(("instruction",), ("mode", "sign", "minutes", "covered", "step_free", "gate_free")),
}
CSV_FILES = {
    "events.csv": Table(("key", "title", "type"), _EVENT_OPTIONAL),
    "socials.csv": Table(("key", "title"), ("type", *_EVENT_OPTIONAL, *_SIGNUP)),
    "people.csv": Table(("key", "name"), ("sort_name", "affiliation", "bio", "url")),
    "papers.csv": Table(("key", "title"), ("tldr", "abstract", "topic", "authors", "links")),
    "awards.csv": Table(("key", "name", "year"), ("level", "paper", "event", "citation")),
    "announcements.csv": Table(("key", "title", "from"), ("text", "until", "for", "urgent")),
}
