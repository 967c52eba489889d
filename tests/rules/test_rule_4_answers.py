"""Tests of rule 4: drafts, answers and changed answers, with a trace of earlier answers and without effects of repeated
requests.
"""

import pytest
from django.utils import timezone

from annotate.core.selectors.assignments import present
from annotate.core.services.answer import give_answer, save_draft
from annotate.core.services.submit import submit
from annotate.models import Answer
from annotate.server.refusals import Refused
from tests.factories import answers_to, gold_in, make_annotator, make_study, raw_answer, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


@pytest.fixture
def ann():
    return make_annotator(make_study(gold=4))


@pytest.fixture
def mine(ann):
    return take(ann)


@pytest.fixture
def place(mine):
    """Return the position of the first question that is not a gold question."""
    return mine.answers.filter(question__kind="regular").order_by("position").first().position


def test_a_draft_is_kept_under_its_revision_and_is_never_graded(ann, mine):
    gold = gold_in(mine)[0]
    assert save_draft(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False), 1) == 1
    gold.refresh_from_db()
    ann.refresh_from_db()
    assert (gold.value, gold.tally, ann.graded) == (None, None, 0)
    assert gold.draft == raw_answer(gold, right=False)


def test_the_same_draft_twice_is_harmless_and_a_stale_one_is_refused(ann, mine, place):
    assert save_draft(ann.pk, mine.public_id, place, {"best": 1}, 1) == 1
    assert save_draft(ann.pk, mine.public_id, place, {"best": 1}, 1) == 1
    assert save_draft(ann.pk, mine.public_id, place, {"best": 2}, 5) == 5
    for revision, draft in ((5, {"best": 3}), (4, {"best": 2}), (1, {"best": 1})):
        with pytest.raises(Refused, match=f"Question {place} was changed in another window") as refused:
            save_draft(ann.pk, mine.public_id, place, draft, revision)
        assert (refused.value.code, refused.value.status) == ("stale", 409)
        assert refused.value.fields == {"revision": ["the current revision is 5"]}
    assert mine.answers.get(position=place).draft == {"best": 2}


def test_a_draft_that_was_overtaken_by_giving_is_stale(ann, mine, place):
    save_draft(ann.pk, mine.public_id, place, {"best": 1}, 1)
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2})
    with pytest.raises(Refused, match="changed in another window"):
        save_draft(ann.pk, mine.public_id, place, {"best": 1}, 1)
    answer = mine.answers.get(position=place)
    assert (answer.draft, answer.revision) == (None, 2)


def test_a_reload_shows_drafts_and_answers_as_they_were_left(ann, mine, place):
    save_draft(ann.pk, mine.public_id, place, {"best": 1}, 1)
    other = mine.answers.filter(question__kind="regular").exclude(position=place).first().position
    give_answer(ann.pk, mine.public_id, other, {"best": 4, "worst": 1})
    page = {question["position"]: question for question in present(take(ann))["questions"]}
    assert (page[place]["draft"], page[place]["value"], page[place]["revision"]) == ({"best": 1}, None, 1)
    assert (page[other]["draft"], page[other]["value"]) == (None, {"best": 4, "worst": 1})


def test_giving_again_keeps_what_it_was_before(ann, mine, place):
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2}, seconds=4)
    first = mine.answers.get(position=place)
    give_answer(ann.pk, mine.public_id, place, {"best": 3, "worst": 4}, seconds=9)
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 4})
    answer = mine.answers.get(position=place)
    assert [kept["value"] for kept in answer.trace] == [first.value, mine_keys(answer, 3, 4)]
    assert answer.trace[0]["given_at"] == first.given_at.isoformat()
    assert answer.value == mine_keys(answer, 1, 4)
    assert answer.seconds == 9, "a time that is not known leaves the one that is"


def test_giving_the_same_again_changes_nothing(ann, mine, place):
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2}, seconds=4)
    before = Answer.objects.filter(assignment=mine).values().get(position=place)
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2}, seconds=99)
    assert Answer.objects.filter(assignment=mine).values().get(position=place) == before


def test_coming_back_to_the_answer_that_was_given_drops_the_draft_of_another(ann, mine, place):
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2})
    save_draft(ann.pk, mine.public_id, place, {"best": 3, "worst": 2}, 2)
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2})
    answer = mine.answers.get(position=place)
    assert (answer.draft, answer.trace) == (None, []), "a reload would show what the annotator has left behind"


def test_nothing_is_taken_once_the_hit_is_submitted(ann, mine, place):
    submit(ann.pk, mine.public_id, answers_to(mine))
    given = mine.answers.get(position=place)
    with pytest.raises(Refused, match="has been submitted") as refused:
        give_answer(ann.pk, mine.public_id, place, {"best": 3, "worst": 4})
    assert refused.value.code == "submitted"
    with pytest.raises(Refused, match="has been submitted"):
        save_draft(ann.pk, mine.public_id, place, {"best": 3}, 9)
    give_answer(ann.pk, mine.public_id, place, {"best": 1, "worst": 2})  # the same answer again is not a change
    assert mine.answers.get(position=place).value == given.value


@pytest.mark.parametrize(
    ("raw", "path", "words"),
    [
        ({}, "best", "Choose an answer for “most related”"),
        ({"best": 1}, "worst", "Choose an answer for “least related”"),
        ({"best": 1, "worst": 1}, "worst", "the same answer for “most related” and “least related”"),
        ({"best": 0, "worst": 1}, "best", "a position from 1 to 4, not 0"),
        ({"best": 1, "worst": 5}, "worst", "a position from 1 to 4, not 5"),
        ({"best": True, "worst": 2}, "best", "a position from 1 to 4, not True"),
        ({"best": "i1", "worst": 2}, "best", "a position from 1 to 4, not 'i1'"),
        ("1,2", "value", "object with `best` and `worst`"),
        (None, "value", "object with `best` and `worst`"),
    ],
)
def test_an_impossible_answer_is_refused_by_its_place(ann, mine, place, raw, path, words):
    with pytest.raises(Refused, match=words) as refused:
        give_answer(ann.pk, mine.public_id, place, raw)
    assert (refused.value.code, refused.value.status) == ("invalid", 400)
    assert list(refused.value.fields) == [f"answers.{place}.{path}"]
    assert mine.answers.get(position=place).given_at is None


def test_the_database_refuses_an_answer_without_its_time_and_a_time_without_answer(refuses, mine):
    with refuses("answer_given_has_time"):
        mine.answers.filter(position=1).update(value={"best": "a"})
    with refuses("answer_given_has_time"):
        mine.answers.filter(position=1).update(given_at=timezone.now())


def mine_keys(answer, best, worst):
    on_screen = [answer.question.payload["items"][index] for index in answer.shown]
    return {"best": on_screen[best - 1], "worst": on_screen[worst - 1]}


def test_a_huge_draft_is_refused():
    mine = take(make_annotator(make_study()))
    with pytest.raises(Refused, match="at most 262,144"):
        save_draft(mine.participation_id, mine.public_id, 1, {"best": 1, "note": "x" * 300_000}, 1)
    assert mine.answers.get(position=1).draft is None
