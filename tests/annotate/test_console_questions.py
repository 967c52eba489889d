"""Tests of questions in the console: the search, and the answers with the reasons why answers do not count."""

from collections.abc import Callable

import pytest

from annotate.models import Item, Study
from annotate.permissions import SYSTEM
from annotate.selectors.questions import agreement, given_answers, matching_questions
from annotate.services import standing
from tests.console_study import browser_of, collected, page_of, somebody
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def test_they_are_listed_in_the_order_of_the_design(study: Study) -> None:
    page = markup(browser_of(study).get(page_of(study, "questions/")))
    refs = list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", flat=True))
    places = [page.index(f">{ref}<") for ref in refs]
    assert places == sorted(places)
    assert "Text 3." in page


@pytest.mark.parametrize("text", ["Łódź dentist", 'a "quoted" word', "percent % and under_score", "naïve"])
def test_items_are_found_by_their_words_in_any_script(study: Study, text: str) -> None:
    item = study.items.filter(held_out=False).first()
    Item.objects.filter(pk=item.pk).update(content={"text": f"Before {text} after."})
    found = set(matching_questions(study, search=text))
    expected = {q.pk for q in study.questions.filter(kind="regular") if item.key in q.payload["items"]}
    assert expected
    assert found == expected


def test_search_takes_refs_and_finds_nothing_politely(study: Study) -> None:
    ref = study.questions.filter(kind="regular").last().ref
    client = browser_of(study)
    assert ref in markup(client.get(page_of(study, f"questions/?search={ref}")))
    assert "No matching questions" in markup(client.get(page_of(study, "questions/?search=nowhere-to-be-found")))


def test_each_answer_says_whether_it_counts_and_why_not(study: Study) -> None:
    question = study.questions.filter(kind="regular").order_by("pk").first()
    who = question.answers.first().participation
    standing.stop(who.pk, reason="haste", user=SYSTEM)
    given = {one.pseudonym: one for one in given_answers(study, question)}
    assert not given[who.pseudonym].counts
    assert given[who.pseudonym].reason == "void: stopped"
    page = markup(browser_of(study).get(page_of(study, f"questions/{question.public_id}/")))
    assert "void: stopped" in page
    assert page.count("</svg>counted</span>") == sum(one.counts for one in given.values())


def test_a_gold_question_shows_what_is_expected(study: Study) -> None:
    gold = study.questions.filter(kind="gold").first()
    page = markup(browser_of(study).get(page_of(study, f"questions/{gold.public_id}/")))
    assert "best 1, worst 4" in page
    assert gold.explanation in page


def test_agreement_is_the_share_of_choices_in_common(study: Study) -> None:
    question = study.questions.filter(kind="regular").first()
    one, two, three = {"best": "a", "worst": "b"}, {"best": "a", "worst": "c"}, {"best": "d", "worst": "e"}
    assert agreement(study, question, [one]) is None
    assert agreement(study, question, [one, two]) == 0.5
    assert agreement(study, question, [one, two, three]) == pytest.approx((0.5 + 0 + 0) / 3)
    assert agreement(study, question, ["yes", "yes"]) == 1


def test_another_studys_question_is_not_found(study: Study) -> None:
    other = collected().questions.first()
    assert browser_of(study).get(page_of(study, f"questions/{other.public_id}/")).status_code == 404
    assert somebody(study)
