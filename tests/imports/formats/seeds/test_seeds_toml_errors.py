from __future__ import annotations

from pathlib import Path

import pytest

from tests.imports.formats.seeds.seed_folders import CONFERENCE, PLACE, refusal, write_folder


def head(old: str, new: str) -> dict[str, str]:
    assert old in CONFERENCE
    return {"conference.toml": CONFERENCE.replace(old, new)}


def place(more: str) -> dict[str, str]:
    return {"place.toml": PLACE + more}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(
            head("[conference]", "[conference"),
            "conference.toml, line 1: is not TOML: Expected ']' at the end of a table declaration in “[conference”",
            id="a bracket missing",
        ),
        pytest.param(
            head('slug = "demo"', "slug = demo"),
            "conference.toml, line 2: is not TOML: Invalid value in “slug = demo”; write texts in quotes",
            id="a text without quotes",
        ),
        pytest.param(
            {"conference.toml": f"a = {'[' * 5000}"},
            "conference.toml: its brackets are nested too deep",
            id="brackets without end",
        ),
        pytest.param({"conference.toml": ""}, "conference.toml: the table [conference] is missing", id="an empty file"),
        pytest.param({"conference.toml": "conference = 1\n"}, "conference.toml: write [conference] as one table", id="no table"),
        pytest.param(head('name = "Demo"\n', ""), "conference.toml, [conference]: the key “name” is missing", id="no name"),
        pytest.param(
            head('name = "Demo"', 'nmae = "Demo"'),
            "conference.toml, [conference]: “nmae” is not a key here: did you mean “name”?",
            id="a key nobody knows",
        ),
        pytest.param(
            head("[[days]]", "[[day]]"),
            "conference.toml: there is no table “day” here: did you mean “days”?",
            id="a table nobody knows",
        ),
        pytest.param(
            {"conference.toml": CONFERENCE.partition("[[types]]")[0] + '[types]\nkey = "talk"\n'},
            "conference.toml: write every entry of “types” under a line [[types]]",
            id="one table where there are many",
        ),
        pytest.param(
            head('slug = "demo"', 'slug = "other"'),
            "conference.toml, [conference], key “slug”: “other” is not the name of its folder, “demo”: make them the same",
            id="a slug that is not the folder's name",
        ),
        pytest.param(
            head("end = 2025-03-30", "end = 2025-03-27"),
            "conference.toml, [conference], key “end”: “2025-03-27” is before the start, 2025-03-28",
            id="an end before the start",
        ),
        pytest.param(
            head("end = 2025-03-30", "end = 0001-01-01"),
            "conference.toml, [conference], key “end”: “0001-01-01” is not a date: write it like 2025-04-24",
            id="a date at the beginning of time",
        ),
        pytest.param(
            head("end = 2025-03-30", "end = [2025, 3, 30]"),
            "conference.toml, [conference], key “end”: takes one text, number, date or true/false: write that",
            id="a list for a date",
        ),
        pytest.param(
            head("default_minutes = 45", f"default_minutes = 0x{'f' * 5000}"),
            "conference.toml, [[types]] “talk”, key “default_minutes”: takes one text, number, date or true/false: write that",
            id="a number of thousands of digits",
        ),
        pytest.param(
            head("default_minutes = 45", "default_minutes = 0"),
            "conference.toml, [[types]] “talk”, key “default_minutes”: “0” is not a whole number from 1 to 1000000",
            id="no length at all",
        ),
        pytest.param(
            head('kind = "talk"', 'kind = "speech"'),
            "conference.toml, [[types]] “talk”, key “kind”: "
            "“speech” is none of invited-talk, session, talk, poster, social, break, service",
            id="an unknown kind",
        ),
        pytest.param(
            head('kind = "talk"', 'kind = "talk"\ncolour = "red"'),
            "conference.toml, [[types]] “talk”, key “colour”: “red” is not a colour: "
            "write invited, session, poster, workshop, social, affinity, break, or # and six hexadecimal digits like #1747b8",
            id="an unknown colour",
        ),
        pytest.param(
            head("date = 2025-10-25", "date = 2025-03-29"),
            "conference.toml, [[days]] number 2, key “date”: “2025-03-29” is taken already ([[days]] number 1): choose another",
            id="a day twice",
        ),
        pytest.param(
            head('name = "Demo"', 'name = "Demo"\nabout = """\n[[days]]\nslug = 1\n"""\ncolour = "red"'),
            "conference.toml, [conference], key “colour”: “red” is not a colour: write # and six hexadecimal digits like #1747b8",
            id="a colour after a long text",
        ),
        pytest.param(
            place('\n[[rooms]]\nkey = "x"\nzone = "hal"\nname = "X"\n'),
            "place.toml, [[rooms]] “x”, key “zone”: “hal” is not the key of a zone: did you mean “hall”?",
            id="an unknown zone",
        ),
        pytest.param(
            place('\n[[rooms]]\nkey = "x"\nzone = "hall"\nname = "Hall 1"\n'),
            "place.toml, [[rooms]] “x”, key “name”: “hall: Hall 1” is taken already ([[rooms]] “hall-1”): choose another",
            id="two rooms of one name",
        ),
        pytest.param(
            place('\n[[walks]]\nfrom = "hall"\nto = "bar"\nminutes = 1\n[[walks]]\nfrom = "bar"\nto = "hall"\nminutes = 2\n'),
            "place.toml, [[walks]] number 2, key “to”: “bar – hall” is taken already ([[walks]] number 1): choose another",
            id="the same walk twice",
        ),
        pytest.param(
            place('\n[[walks]]\nfrom = "hall"\nto = "hall"\nminutes = 1\n'),
            "place.toml, [[walks]] number 1, key “to”: “hall” is where the walk starts: name another zone",
            id="a walk to where it starts",
        ),
        pytest.param(
            place('\n[[venues]]\nkey = "x"\nname = "X"\nlatitude = 1.5\n'),
            "place.toml, [[venues]] “x”, key “longitude”: is empty: give both latitude and longitude, or neither",
            id="half a coordinate",
        ),
        pytest.param(
            place('\n[[venues]]\nkey = "x"\nname = "X"\nlatitude = nan\nlongitude = 0\n'),
            "place.toml, [[venues]] “x”, key “latitude”: “nan” is not a decimal number from -90 to 90",
            id="a latitude that is no number",
        ),
        pytest.param(
            place('\n[[amenities]]\nkey = "a"\nname = "A"\nroom = "hall-1"\nzone = "hall"\n'),
            "place.toml, [[amenities]] “a”, key “zone”: “hall” is a second place, beside the room: keep one of them",
            id="a comfort at two places",
        ),
        pytest.param(
            place('\n[[amenities]]\nkey = "a"\nname = "A"\nevent = "lunch"\n'),
            "place.toml, [[amenities]] “a”, key “event”: “lunch” is not the key of an event: known are none",
            id="a comfort at no event there is",
        ),
        pytest.param(
            place(
                '\n[[routes]]\nkey="r"\nstart="station"\nzone="hall"\ntitle="R"\n[[routes.legs]]\ninstruction="Go."\n[[routes.legs]]\ninstruction="On."\nmode="fly"\n'
            ),
            "place.toml, [[routes]] “r”, [[routes.legs]] number 2, key “mode”: "
            "“fly” is none of walk, lift, escalator, stairs, train, taxi, bus",
            id="a second leg nobody can take",
        ),
    ],
)
def test_broken_toml_is_refused_with_a_message(tmp_path: Path, files: dict[str, str], message: str) -> None:
    assert refusal(write_folder(tmp_path, files)) == message


@pytest.mark.parametrize(
    "name", ["", "Vienna", "Europe", "Europe/Wien", "../Europe/Vienna", "/etc/passwd", "right/UTC", "localtime", "a/" + "b" * 300]
)
def test_unknown_time_zone_is_refused(tmp_path: Path, name: str) -> None:
    folder = write_folder(tmp_path, head("Europe/Vienna", name))

    message = refusal(folder)

    assert message.startswith("conference.toml, [conference], key “timezone”: ")
