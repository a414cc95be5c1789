"""The list of an event, as its organisers make, change and take it away."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Event, Letter, Seat, SignUp
from events.sign_up.models import release_seats
from tests.admin.pages import messages_of, open_form, save, url
from tests.factories import forms_url, make_agenda, make_conference
from tests.sign_up.seating import agendas_of, make_sign_up, make_social, seating

pytestmark = pytest.mark.django_db


def form_of(event: Event) -> str:
    return url("change", "social", event.pk)


def change(client: Client, own: SignUp, **fields: Any) -> Any:
    """Save the form of the event with these controls of its list changed."""
    address = form_of(own.event)
    return save(client, address, open_form(client, address), **{f"sign_up-0-{name}": value for name, value in fields.items()})


def test_list_is_made_in_the_form_of_the_event(organiser: Client) -> None:
    event = make_social()
    data = open_form(organiser, form_of(event))

    response = save(
        organiser, form_of(event), data, **{"sign_up-TOTAL_FORMS": "1", "sign_up-0-places": "40", "sign_up-0-waiting_list": "on"}
    )

    own = SignUp.objects.get()
    assert response.status_code == 302
    assert (own.event_id, own.places, own.waiting_list, own.taken) == (event.pk, 40, True, 0)
    assert "40 of 40 places left" in Client().get(event.get_absolute_url()).text


def test_deadline_after_the_start_is_named_for_a_list_only(organiser: Client) -> None:
    event = make_social(signup_until=timezone.now() + dt.timedelta(days=9))
    sentence = "the list closes when it starts"

    without = " ".join(messages_of(save(organiser, form_of(event), open_form(organiser, form_of(event)))))
    list_fields = {"sign_up-TOTAL_FORMS": "1", "sign_up-0-places": "40", "sign_up-0-waiting_list": "on"}
    with_one = " ".join(messages_of(save(organiser, form_of(event), open_form(organiser, form_of(event)), **list_fields)))

    assert [sentence in text for text in (without, with_one)] == [False, True]


def test_social_chair_makes_one_too(chair: Client) -> None:
    event = make_social()
    data = open_form(chair, form_of(event))

    save(chair, form_of(event), data, **{"sign_up-TOTAL_FORMS": "1", "sign_up-0-places": "4"})

    assert SignUp.objects.get().places == 4


def test_more_places_are_given_to_who_waits(organiser: Client) -> None:
    own = make_sign_up(places=1)
    agendas = agendas_of(own, 3)
    for agenda in agendas:
        own.join(agenda)

    change(organiser, own, places="2")

    assert [state for _, state, _ in seating(own)] == ["taken", "taken", "waiting"]


def test_fewer_places_throw_nobody_out_and_say_so(organiser: Client) -> None:
    own = make_sign_up(places=3)
    for agenda in agendas_of(own, 3):
        own.join(agenda)

    response = change(organiser, own, places="1")

    assert "3 places are taken, 2 more than there are now. Nobody loses a place." in messages_of(response)
    assert [state for _, state, _ in seating(own)] == ["taken"] * 3
    assert SignUp.objects.get().taken == 3


def test_place_taken_while_the_form_is_open_stays_counted(organiser: Client) -> None:
    own = make_sign_up(places=3)
    address = form_of(own.event)
    data = open_form(organiser, address)
    own.join(agendas_of(own, 1)[0])

    response = save(organiser, address, data, **{"sign_up-0-places": "5"})

    row = SignUp.objects.get()
    assert response.status_code == 302
    assert (row.places, row.taken, row.last_number) == (5, 1, 1)


def test_address_for_the_host_is_shown_once_and_can_be_taken_back(organiser: Client) -> None:
    own = make_sign_up(places=3)

    response = change(organiser, own, host_link="new")

    found = re.search(r"http\S+/sign-up/([\w-]{32})/", " ".join(messages_of(response)))
    assert found is not None
    page = f"/{own.event.conference.slug}/sign-up/{found[1]}/"
    assert Client().get(page).status_code == 200
    assert [found[1] in organiser.get(form_of(own.event)).text for _ in range(2)] == [True, False]
    assert "the host has a link" in organiser.get(form_of(own.event)).text

    change(organiser, own, host_link="end")

    assert Client().get(page).status_code == 404


def test_new_address_ends_the_old_one(organiser: Client) -> None:
    own = make_sign_up(places=3)
    old = own.new_host_token()

    change(organiser, own, host_link="new")

    assert SignUp.objects.by_host(old) is None


def test_form_counts_and_shows_only_names_that_were_given(organiser: Client) -> None:
    own = make_sign_up(places=1)
    first, second = agendas_of(own, 2)
    own.join(first, "<b>Ada</b>")
    own.join(second)

    page = organiser.get(form_of(own.event)).text

    assert "1 of 1 taken, 1 waiting; the host has no link. &lt;b&gt;Ada&lt;/b&gt; (1)" in page


def test_list_with_people_on_it_is_deleted_only_on_purpose(organiser: Client) -> None:
    own = make_sign_up(places=1)
    for agenda in agendas_of(own, 3):
        own.join(agenda)

    refused = change(organiser, own, DELETE="on")
    assert refused.status_code == 200
    assert "1 have a place on this list and 2 are waiting." in refused.text
    assert Seat.objects.count() == 3

    change(organiser, own, DELETE="on", sure="on")
    assert (SignUp.objects.count(), Seat.objects.count(), Event.objects.count()) == (0, 0, 1)


def test_numbers_that_are_not_there_remove_nobody(organiser: Client) -> None:
    own = make_sign_up(places=2)
    own.join(make_agenda(own.event.conference)[0], "Ada")

    assert "Nobody was removed: none of those numbers is on the list." in messages_of(change(organiser, own, free="7"))
    assert "“9-1” ends before it begins: write 1-9." in change(organiser, own, free="9-1").content.decode()
    assert Seat.objects.alive().count() == 1


def test_numbers_are_taken_off_for_who_waits_and_their_agendas_say_so(organiser: Client) -> None:
    own = make_sign_up(places=2)
    made = [make_agenda(own.event.conference) for _ in range(6)]
    for agenda, _ in made:
        own.join(agenda, "Grabber")

    response = change(organiser, own, free="2, 4 - 5;")

    assert "Removed from the list: 3 of those numbers." in " ".join(messages_of(response))
    assert seating(own) == [(1, "taken", made[0][0].pk), (3, "taken", made[2][0].pk), (6, "waiting", made[5][0].pk)]
    assert SignUp.objects.get().taken == 2
    assert {(seat.state, seat.name) for seat in Seat.objects.filter(number__in=[2, 4, 5])} == {("freed", "")}
    client = Client()
    client.cookies[VISITOR_COOKIE] = made[1][1]
    page = f"/{own.event.conference.slug}/agenda/"
    assert "The organisers took you off the list" in client.get(page).text
    client.post(f"{forms_url(own.event)}place-seen/")
    assert "The organisers took you off the list" not in client.get(page).text
    assert own.join(made[1][0])
    assert seating(own)[-1] == (7, "waiting", made[1][0].pk)


@pytest.mark.parametrize("text", ["three", "-1", "1--2", "1e9", "٣", "=1+1", "1 2", "99999999"])
def test_what_is_no_number_of_the_list_takes_nobody_off(organiser: Client, text: str) -> None:
    own = make_sign_up(places=2)
    for agenda in agendas_of(own, 2):
        own.join(agenda)

    response = change(organiser, own, free=text)

    assert (response.status_code, "is not a number on the list: write them as 3, 17-40." in response.text) == (200, True)
    assert [state for _, state, _ in seating(own)] == ["taken", "taken"]


def test_empty_list_is_deleted_at_once(organiser: Client) -> None:
    own = make_sign_up(places=1)

    change(organiser, own, DELETE="on")

    assert SignUp.objects.count() == 0


def test_event_that_goes_on_after_all_lets_who_waits_move_up(organiser: Client) -> None:
    own = make_sign_up(places=1)
    first, second = agendas_of(own, 2)
    own.join(first)
    own.join(second)
    event = Event.objects.get()
    event.status = "cancelled"
    event.revise()
    release_seats([first])
    assert Letter.objects.count() == 0
    address = form_of(event)

    page = save(organiser, address, open_form(organiser, address), status="confirmed")
    if page.status_code == 200:
        # What touches somebody's agenda is looked at first.
        found = re.search(r'name="seen" value="(\w+)"', page.text)
        assert found is not None
        save(organiser, address, open_form(organiser, address), status="confirmed", seen=found[1])

    assert seating(own) == [(2, "taken", second.pk)]


def test_list_of_another_conference_is_no_business_of_the_form(organiser: Client) -> None:
    own, other = make_sign_up(places=1), make_sign_up(places=1, event=make_social(conference=make_conference()))
    agenda, _ = make_agenda(other.event.conference)
    other.join(agenda)
    data = open_form(organiser, form_of(own.event))

    save(organiser, form_of(own.event), data, **{"sign_up-0-id": str(other.pk), "sign_up-0-places": "9"})

    other.refresh_from_db()
    assert (other.places, other.taken) == (1, 1)
