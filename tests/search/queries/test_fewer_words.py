"""Questions written otherwise than the texts: pasted titles, names as in a list of references, addresses of papers."""

from __future__ import annotations

import pytest

from events.models import Conference, Link, Topic
from tests.factories import make_conference, make_event, make_paper, make_person
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

PRETRAINING = "Diffusion-Based Pre-training for Mixture-of-Experts: An Efficient, Fine-Grained View"
SCENES = "Self-supervised scene-graph reasoning"
ALAYRAC, SCHMIDHUBER, BABALIN = "Jean-Baptiste Alayrac", "Jürgen Schmidhuber", "Bo Babalin"
NETS = "Multimodal nets in zero-shot GPT-4V"
MEETING = "المؤتمر الدولي"


@pytest.fixture
def programme() -> Conference:
    conference = make_conference(name="ICLR 2025")
    bo = make_person(conference, BABALIN)
    topic = Topic.objects.create(conference=conference, area="Learning", slug="learning")
    shown = make_paper(conference, make_person(conference, ALAYRAC), title=PRETRAINING, topic=topic)
    Link.objects.create(paper=shown, kind="paper", url="https://openreview.net/forum?id=aB3_x-9Zq1")
    Link.objects.create(paper=shown, kind="paper", url="https://arxiv.org/abs/2501.01234v2")
    make_paper(conference, make_person(conference, SCHMIDHUBER), bo, title=SCENES, abstract="We share fine-tuned soft\u00adware.")
    make_paper(conference, make_person(conference, "Wei-Lun Chao"), title=NETS, abstract="An accepted paper of 2025.")
    hidden = make_paper(conference, title="Unseen", is_public=False)
    Link.objects.create(paper=hidden, kind="paper", url="https://openreview.net/forum?id=hiddenForum")
    event = make_event(conference, title=MEETING)
    Link.objects.create(event=event, kind="paper", url="https://openreview.net/pdf?id=eventForum")
    make_event(conference, title="Surprise", status="draft").links.create(url="https://arxiv.org/pdf/2502.00001", kind="paper")
    make_event(conference, title="Mixing")
    reindex(conference)
    return conference


@pytest.mark.parametrize(
    ("question", "first", "without"),
    [
        pytest.param("self-supervised scene-graph reasoning. NeurIPS 2024", SCENES, ["neurips", "2024"], id="citation"),
        pytest.param("title: Self-supervised scene-graph", SCENES, ["title"], id="name of a field"),
        pytest.param("Schmidhuber (2024)", SCHMIDHUBER, ["2024"], id="year that nothing has"),
        pytest.param("Schmidhuber (2025)", SCHMIDHUBER, ["2025"], id="year that only others have"),
        pytest.param("papers by Schmidhuber", SCHMIDHUBER, ["papers"], id="word for results that nothing has"),
        pytest.param("Schmidhuber's paper", SCHMIDHUBER, ["paper"], id="word for results that only others have"),
        pytest.param("zyx chao", "Wei-Lun Chao", ["zyx"], id="unknown word"),
        pytest.param("graph desce reas", SCENES, ["desce"], id="only the last word may be a beginning"),
    ],
)
def test_what_nothing_has_is_left_out(programme: Conference, question: str, first: str, without: list[str]) -> None:
    page = ask(programme, question)

    assert "".join(part.text for part in page.results[0].title) == first
    assert (page.without, page.corrected, page.fewer_words) == (without, "", [])


def test_spelling_of_what_is_left_out_is_offered(programme: Conference) -> None:
    page = ask(programme, "mixing schmidhubr")

    assert ["".join(part.text for part in it.title) for it in page.results] == ["Mixing"]
    assert (page.without, [(it.label, it.url) for it in page.other_spellings]) == (
        ["schmidhubr"],
        [("schmidhuber", "?q=schmidhuber")],
    )


def test_single_words_are_offered_but_no_common_ones(programme: Conference) -> None:
    page = ask(programme, "an alayrac of the mixing")

    assert (page.without, [it.label for it in page.fewer_words]) == ([], ["alayrac", "mixing"])


@pytest.mark.parametrize("question", ["zyx", "zyx wvu", "zyx 2031", "of the zyx", '"zyx wvu"'])
def test_nothing_is_shown_for_what_nothing_has(programme: Conference, question: str) -> None:
    page = ask(programme, question)

    assert (page.count, page.without, page.fewer_words) == (0, [], [])


@pytest.mark.parametrize(
    ("question", "first"),
    [
        pytest.param(
            "Diffusion-Based Pretraining for Mixture-of-Experts: An Efficient, Fine-Grained View", PRETRAINING, id="title"
        ),
        pytest.param("pretraining", PRETRAINING, id="compound as one word"),
        pytest.param("pre-training", PRETRAINING, id="compound"),
        pytest.param("selfsupervised", SCENES, id="another"),
        pytest.param("multi-modal", NETS, id="one word as a compound"),
        pytest.param("multi-moda", NETS, id="its beginning"),
        pytest.param("zeroshot", NETS, id="one word in the middle"),
        pytest.param("finetuned", SCENES, id="in an abstract"),
        pytest.param("software", SCENES, id="soft hyphen in a text"),
        pytest.param("mix\u00ading", "Mixing", id="soft hyphen in a question"),
        pytest.param("Mix- ing", "Mixing", id="line break of a PDF"),
        pytest.param("weilun chao", "Wei-Lun Chao", id="name as one word"),
        pytest.param("jeanbaptiste alayrac", ALAYRAC, id="another name"),
        pytest.param("J.-B. Alayrac", ALAYRAC, id="initials before"),
        pytest.param("Alayrac, J.B.", ALAYRAC, id="initials without a hyphen"),
        pytest.param("Alayrac JB", ALAYRAC, id="initials behind"),
        pytest.param("alayrac jean-b", ALAYRAC, id="name not typed to the end"),
        pytest.param("Alayrac et al", ALAYRAC, id="et al"),
        pytest.param("Schmidhuber, Jurgen et al.", SCHMIDHUBER, id="et al with a given name"),
        pytest.param("Schmidhuber, J. et al.", SCHMIDHUBER, id="et al with an initial"),
        pytest.param("Schmidhuber’s", SCHMIDHUBER, id="possessive"),
        pytest.param("Schmidhuber & Babalin", SCENES, id="ampersand"),
        pytest.param("Schmidhuber and Babalin", SCENES, id="and"),
        pytest.param("GPT-4", NETS, id="digit at the end"),
        pytest.param("مؤتمر", MEETING, id="without the article"),
        pytest.param("المؤتمر", MEETING, id="with the article"),
        pytest.param("https://openreview.net/forum?id=aB3_x-9Zq1&noteId=x", PRETRAINING, id="address on OpenReview"),
        pytest.param("aB3_x-9Zq1", PRETRAINING, id="id on OpenReview"),
        pytest.param("https://www.arxiv.org/pdf/2501.01234v1.pdf", PRETRAINING, id="address on arXiv"),
        pytest.param("arXiv:2501.01234", PRETRAINING, id="number on arXiv as cited"),
        pytest.param("2501.01234", PRETRAINING, id="number on arXiv"),
        pytest.param("openreview.net/forum?id=eventForum", MEETING, id="link of an event"),
    ],
)
def test_it_is_found_however_it_is_written(programme: Conference, question: str, first: str) -> None:
    page = ask(programme, question)

    assert "".join(part.text for part in page.results[0].title) == first
    assert (page.without, page.corrected) == ([], "")


def test_quoted_words_are_all_required(programme: Conference) -> None:
    assert result_titles(programme, "of mixing") == ["Mixing"]
    assert ask(programme, '"of" mixing').fewer_words != []
    assert result_titles(programme, '"multi modal"') == []


def test_common_words_alone_are_searched_for(programme: Conference) -> None:
    assert result_titles(programme, "for of") == [PRETRAINING]


@pytest.mark.parametrize("question", ["https://openreview.net/forum?id=hiddenForum", "hiddenForum", "arxiv.org/abs/2502.00001"])
def test_nothing_hidden_is_found_by_its_links(programme: Conference, question: str) -> None:
    page = ask(programme, question)

    assert (page.count, page.without, page.fewer_words, page.other_spellings) == (0, [], [], [])
