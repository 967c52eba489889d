"""Tests of questions in the console: the search, and the answers with the reasons why answers do not count."""

from collections.abc import Callable
from typing import Any

import pytest

from accord_core.numerics.intervals import wilson_interval
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.counts import gold_totals
from annotate.core.services import standing
from annotate.core.services.remarks import send_remark
from annotate.models import Item, QuestionFigures, Slot, Study
from annotate.questions import pages as question_pages
from annotate.questions.selectors import filters as question_filters
from annotate.questions.selectors.filters import QuestionFilter, filtered_questions
from annotate.questions.selectors.questions import agreement, given_answers, matching_questions
from annotate.questions.services.decisions import decide
from annotate.questions.services.figures import calculate_figures
from tests.console_study import browser_of, collected, page_of, somebody
from tests.factories import add_items
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.mark.nightly
def test_the_lowest_agreement_comes_first_then_questions_without_agreement(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, regular = browser_of(study), study.questions.filter(kind="regular")
    client.get(page_of(study, "questions/"))
    QuestionFigures.objects.filter(question=regular.order_by("pk")[1]).update(agreement=None)
    disputed = list(regular.filter(figures__agreement__isnull=False).order_by("figures__agreement", "pk"))
    expected = [question.ref for question in [*disputed, *regular.filter(figures__agreement=None).order_by("pk")]]
    monkeypatch.setattr(question_pages, "LIST_PAGE", 3)
    for place in range(0, len(expected), 3):
        page = markup(client.get(page_of(study, f"questions/?page={place // 3 + 1}")))
        assert [ref for ref in expected if f">{ref}<" in page] == sorted(
            expected[place : place + 3], key=expected.index
        )
        places = [page.index(f">{ref}<") for ref in expected[place : place + 3]]
        assert places == sorted(places)
    page = markup(client.get(page_of(study, "questions/?sort=")))
    assert f">{regular.order_by('pk')[0].ref}<" in page, "the order of the design"


@pytest.mark.nightly
def test_a_reported_problem_has_its_home_in_review_and_on_its_question(study: Study) -> None:
    who = somebody(study)
    client = browser_of(study)
    assert "Problem reports" not in markup(client.get(page_of(study)))
    answers = list(who.answers.filter(question__kind="regular").select_related("assignment", "question")[:2])
    for answer, text in zip(answers, ("Two items are the same.", "The second item is cut off."), strict=True):
        send_remark(who.pk, answer.assignment.public_id, answer.position, kind="problem", text=text)
    page = markup(client.get(page_of(study, "problem-reports/")))
    assert "2 reports need a reply" in page
    assert "Two items are the same." in page
    assert "The second item is cut off." not in page, "one after another"
    first, second = study.remarks.order_by("pk")
    reply = {"text": "We have removed one.", "page": "report", "back": "1"}
    page = markup(client.post(page_of(study, f"messages/{first.public_id}/reply/"), reply, follow=True))
    assert "1 report needs a reply" in page
    assert second.text in page
    page = markup(client.get(page_of(study, f"questions/{answers[0].question.public_id}/")))
    assert "Two items are the same." in page
    assert "We have removed one." in page
    page = markup(browser_of(study, "viewer").get(page_of(study, "problem-reports/")))
    assert "Send the reply" not in page


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


@pytest.mark.nightly
def test_another_studys_question_is_not_found(study: Study) -> None:
    other = collected().questions.first()
    assert browser_of(study).get(page_of(study, f"questions/{other.public_id}/")).status_code == 404
    assert somebody(study)


# ── filters and orders ────────────────────────────────────────────────────────────────────────────────────────────
def listed(study: Study, **conditions: str) -> set[str]:
    keys = filtered_questions(study, QuestionFilter(**conditions))
    return set(study.questions.filter(pk__in=list(keys)).values_list("ref", flat=True))


def refs_of(study: Study, **conditions: Any) -> set[str]:
    return set(study.questions.filter(**{"kind": "regular", **conditions}).values_list("ref", flat=True))


def test_questions_are_filtered_by_state_metadata_annotator_and_text(study: Study) -> None:
    everything = refs_of(study)
    assert listed(study, state="open") == set()
    assert listed(study, state="complete") == everything
    assert listed(study, state="decided") == set()
    question = study.questions.filter(kind="regular").first()
    Slot.objects.filter(hit__hit_questions__question=question).update(open=1)
    in_its_hit = refs_of(study, hit_questions__hit__hit_questions__question=question)
    assert listed(study, state="open") == in_its_hit != everything
    assert listed(study, state="complete") == everything - in_its_hit

    calculate_figures(study.pk, progress=lambda share, text: None)
    disputed = refs_of(study, figures__agreement__lt=1)
    assert listed(study, state="disputed") == disputed
    assert disputed
    chosen = study.questions.filter(kind="regular", figures__agreement__lt=1).first()
    decide(chosen.pk, {"best": 1, "worst": 2}, user=study.memberships.get().user)
    assert listed(study, state="decided") == {chosen.ref}
    assert listed(study, state="disputed") == disputed - {chosen.ref}

    who = somebody(study)
    by_annotator = refs_of(study, answers__participation=who)
    assert listed(study, annotator=who.pseudonym) == by_annotator
    assert listed(study, annotator="nobody") == set()

    item = study.items.filter(held_out=False).first()
    Item.objects.filter(pk=item.pk).update(metadata={"domain": "news"})
    with_item = {q.ref for q in study.questions.filter(kind="regular") if item.key in q.payload["items"]}
    assert listed(study, column="domain", value="news") == with_item
    assert listed(study, column="domain", value="new") == set()
    both = listed(study, column="domain", value="news", annotator=who.pseudonym, search=item.key)
    assert both == with_item & by_annotator


def test_metadata_columns_after_the_first_items_can_be_filtered(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_filters, "SAMPLE", 3)
    first, later = study.items.order_by("pk")[0], add_items(study, 2, prefix="later")
    Item.objects.filter(pk=first.pk).update(metadata={"domain": "news"})
    Item.objects.filter(pk=later[0].pk).update(metadata={"topic": "sports"})
    Item.objects.filter(pk=later[1].pk).update(metadata={"year": 2021})
    assert question_filters.metadata_columns(study) == ["domain", "topic"], "from the first row of the second file"
    page = browser_of(study).get(page_of(study, "questions/"), {"column": "year", "value": "2021"})
    assert 'value="year"' in markup(page), "a name that the page does not suggest is a filter, too"
    Item.objects.filter(study=study).update(metadata={})
    page = markup(browser_of(study).get(page_of(study, "questions/")))
    assert "Metadata column" not in page, "a small study without metadata needs no filter for metadata"


def test_questions_are_sorted_by_agreement_and_missed_gold_within_the_filters(study: Study) -> None:
    calculate_figures(study.pk, progress=lambda share, text: None)
    who = somebody(study)
    keys = list(filtered_questions(study, QuestionFilter(sort="agreement", annotator=who.pseudonym)))
    values = [study.questions.get(pk=pk).figures.agreement for pk in keys]
    assert values == sorted(values)
    counted = gold_totals(study)
    shares = [
        wilson_interval(counted[pk].missed, counted[pk].given)[0]
        for pk in filtered_questions(study, QuestionFilter(kind="gold", sort="missed"))
    ]
    assert shares
    assert shares == sorted(shares, reverse=True)


def test_the_page_filters_in_a_constant_number_of_queries(study: Study, django_assert_max_num_queries: Any) -> None:
    client, who = browser_of(study), somebody(study)
    client.get(page_of(study, "questions/?sort=agreement"))
    with django_assert_max_num_queries(32):
        query = f"questions/?sort=agreement&state=disputed&annotator={who.pseudonym}&search=Text&column=a&value=b"
        page = markup(client.get(page_of(study, query)))
    assert "No matching questions" in page
    assert f'value="{who.pseudonym}"' in page
    page = markup(client.get(page_of(study, "questions/?kind=gold&sort=missed&state=unknown")))
    assert 'data-name="Missed"' in page
    everything = client.get(f"/api/v1/studies/{study.public_id}/questions?page_size=5").json()
    assert everything["count"] == study.questions.count()
    by_api = client.get(f"/api/v1/studies/{study.public_id}/questions?annotator={who.pseudonym}&kind=regular").json()
    assert {row["ref"] for row in by_api["results"]} == refs_of(study, answers__participation=who)
    assert client.get(f"/api/v1/studies/{study.public_id}/questions?state=odd").status_code == 400
