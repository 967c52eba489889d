"""Tests of judgements that are added to an existing design."""

from collections import Counter
from decimal import Decimal

import pytest
from django.test import Client

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.progress import progress_of
from annotate.core.services.claim import claim
from annotate.core.services.credentials import new_api_token
from annotate.core.services.submit import submit
from annotate.questions.selectors.more_judgements import Price, disputed_questions, price_for_all, price_for_questions
from annotate.questions.services.more_judgements import (
    MOST_AT_ONCE,
    add_slots,
    add_to_all,
    add_to_questions,
    add_where_needed,
    new_hits,
)
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import answers_to, assert_slots_add_up, do_hit, let_lapse, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


def test_every_hit_gets_further_slots_round_by_round_at_the_end_of_the_queue():
    study = make_study(judgements=1)
    before = study.slot_openings
    assert add_slots(study.pk, user=SYSTEM, per_hit=2) == 8
    places = study.slots.order_by("place").values_list("place", "hit__number")
    assert list(places) == [(place, (place - 1) % 4 + 1) for place in range(1, 13)]
    study.refresh_from_db()
    assert study.slot_openings == before + 1
    assert study.events.get(verb="added slots").detail == {"slots": 8, "per_hit": 2}


def test_chosen_hits_only():
    study = make_study()
    assert add_slots(study.pk, user=SYSTEM, hits=[3, 1, 99]) == 2
    assert list(study.slots.filter(place__gt=4).order_by("place").values_list("hit__number", flat=True)) == [1, 3]


@pytest.mark.parametrize("per_hit", [0, -1, MOST_AT_ONCE + 1])
def test_a_few_at_once(per_hit):
    study = make_study()
    with pytest.raises(Refused, match=f"Add between 1 and {MOST_AT_ONCE} judgements at a time"):
        add_slots(study.pk, user=SYSTEM, per_hit=per_hit)
    assert study.slots.count() == 4


@pytest.mark.nightly
def test_what_a_task_type_needs_more_of_is_asked_of_others(monkeypatch):
    """If two questions need one further judgement and one question needs two, new HITs are added, and no annotator gets
    the same question again.
    """
    study = make_study(items=20, judgements=1, questions_per_hit=5, gold=0, gold_block=0, rule_threshold="0")
    first = make_annotator(study)
    _do_all(first)
    refs = list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", flat=True)[:3])
    needs = {refs[0]: 1, refs[1]: 1, refs[2]: 2}
    monkeypatch.setattr(type(tasktypes.get("bws")), "needs_more", lambda self, data: needs)
    before = study.hits.count()

    assert add_where_needed(study.pk, user=SYSTEM) == 4

    added = study.hits.filter(number__gt=before).order_by("number")
    asked = [set(hit.questions.values_list("ref", flat=True)) for hit in added]
    assert asked == [{refs[0], refs[1]}, {refs[2]}]
    assert [hit.slots.filter(open=1).count() for hit in added] == [1, 2]
    study.refresh_from_db()
    assert progress_of(study).wanted == study.design.result["judgements"] + 4
    assert claim(first.pk).assignment is None
    second, third = make_annotator(study), make_annotator(study)
    _do_all(second)
    _do_all(third)
    given = study.assignments.filter(state="done").values_list("answers__question__ref", flat=True)
    assert [list(given).count(ref) for ref in refs] == [2, 2, 3]


def _do_all(person):
    while assignment := claim(person.pk).assignment:
        submit(person.pk, assignment.public_id, answers_to(assignment))


def test_one_more_judgement_for_each_question_costs_the_hits_of_the_design_once():
    study = make_study(judgements=1)
    question = study.questions.filter(kind="regular").first()
    assert add_to_questions(study.pk, [question.pk], user=SYSTEM) == 1  # a fifth HIT, whose question is asked again
    assert price_for_all(study) == Price(questions=16, assignments=4, cost=Decimal("2.00"))
    assert add_to_all(study.pk, user=SYSTEM) == 4
    wanted = Counter(study.slots.values_list("hit__questions", flat=True))
    assert wanted.pop(question.pk) == 3
    assert set(wanted.values()) == {2}
    study.refresh_from_db()
    assert (study.assignments_planned, study.judgements_planned) == (9, 33)


def test_new_hits_have_almost_equal_sizes():
    study = make_study(questions_per_hit=4)
    some = list(study.questions.filter(kind="regular").values_list("pk", flat=True))[:5]
    new_hits(study, some)
    new = study.hits.order_by("-number")[:2]
    assert sorted(hit.questions.count() for hit in new) == [2, 3]


def test_a_repeated_request_adds_nothing():
    study = make_study()
    refs = list(study.questions.filter(kind="regular").values_list("pk", flat=True))[:7]
    assert price_for_questions(study, 7) == Price(questions=7, assignments=2, cost=Decimal("1.00"))
    assert add_to_questions(study.pk, refs, user=SYSTEM, seen=4) == 2
    with pytest.raises(Refused, match="has changed from 4 to 6"):
        add_to_questions(study.pk, refs, user=SYSTEM, seen=4)
    with pytest.raises(Refused, match="has changed from 4 to 6"):
        add_to_all(study.pk, user=SYSTEM, seen=4)
    assert study.slots.count() == 6
    with pytest.raises(Refused, match="Choose at least one question"):
        add_to_questions(study.pk, [], user=SYSTEM)


def test_surplus_fills_a_new_slot_first():
    study = make_study(questions_per_hit=20)
    late, quick = make_annotator(study), make_annotator(study)
    assignment = take(late)
    let_lapse(assignment)
    do_hit(quick)
    submit(late.pk, assignment.public_id, answers_to(assignment))
    assignment.refresh_from_db()
    assert assignment.state == "surplus"
    add_to_all(study.pk, user=SYSTEM)
    assignment.refresh_from_db()
    assert assignment.state == "done"
    assert_slots_add_up(study)
    assert claim(make_annotator(study).pk).assignment is None


def test_several_judgements_are_added_at_once():
    study = make_study(judgements=1)
    question = study.questions.filter(kind="regular").first()
    assert add_to_all(study.pk, user=SYSTEM, per_question=2) == 8
    assert price_for_questions(study, 1, per_question=3) == Price(questions=1, assignments=3, cost=Decimal("1.50"))
    assert add_to_questions(study.pk, [question.pk], user=SYSTEM, per_question=3) == 3
    wanted = Counter(study.slots.values_list("hit__questions", flat=True))
    assert wanted.pop(question.pk) == 6
    assert set(wanted.values()) == {3}
    for number in (0, MOST_AT_ONCE + 1):
        with pytest.raises(Refused, match="between 1 and 20"):
            add_to_questions(study.pk, [question.pk], user=SYSTEM, per_question=number)
    client = browser_of(study)
    client.post(page_of(study, "judgements/all/"), {"per_question": "2", "seen": "11"})
    assert study.slots.count() == 15, "the number of assignments has changed"
    client.post(page_of(study, "judgements/all/"), {"per_question": "2", "seen": "15"})
    assert study.slots.count() == 23


def steps_on(client, page):
    """The numbers per question that the page offers, with the judgements and their cost."""
    steps = client.get(page).context["steps"]
    return [(each.number, each.judgements, f"{each.price.cost:.2f}") for each in steps]


@pytest.mark.nightly
def test_the_console_and_the_api_show_the_price_before_they_add_judgements():
    study = make_study(judgements=2, questions_per_hit=20)
    first, second = make_annotator(study), make_annotator(study)
    do_hit(first)
    do_hit(second)
    other = study.questions.filter(kind="regular").order_by("pk")[0]
    client = browser_of(study)
    page = page_of(study, "judgements/")
    shown = markup(client.get(f"{page}?question={other.public_id}"))
    disputed = disputed_questions(study)
    assert 1 < len(disputed) <= 16
    for offer in ("All questions 16", f"Disputed questions {len(disputed)}", "Chosen questions 1"):
        assert offer in shown
    assert steps_on(client, f"{page}?question={other.public_id}")[:2] == [(1, 1, "0.50"), (2, 2, "1.00")]
    assert steps_on(client, f"{page}?scope=disputed")[0] == (1, len(disputed), "0.50")
    assert steps_on(client, page)[2] == (3, 48, "1.50")
    added = markup(client.post(f"{page}chosen/", {"question": [other.public_id], "seen": "2"}, follow=True))
    assert "1 assignment was added." in added
    assert "has changed from 2 to 3" in markup(client.post(f"{page}all/", {"seen": "2"}, follow=True))
    owner = study.memberships.get(role="owner").user
    api = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    path = f"/api/v1/studies/{study.public_id}/judgements"

    def post(**body):
        return api.post(path, body, content_type="application/json").json()

    price = {"questions": 1, "assignments": 1, "cost": "0.5000"}
    assert post(scope="disputed", dry_run=True) == price | {"questions": len(disputed)}
    assert post(scope="chosen", questions=[other.ref, "unknown"], dry_run=True) == price
    assert study.slots.count() == 3
    assert post(scope="disputed") == price | {"questions": len(disputed)}
    hit = study.hits.order_by("number").last()
    assert set(hit.questions.values_list("pk", flat=True)) == set(disputed)
    assert post(scope="chosen")["code"] == "empty"
    assert post(scope="all", per_question=3, dry_run=True) == {"questions": 16, "assignments": 3, "cost": "1.5000"}
    assert post(scope="all", per_question=21)["code"] == "invalid"
    assert "Add judgements to the chosen questions" in markup(client.get(page_of(study, "questions/")))
