"""Tests of the creation of questions, HITs and slots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.data.services.design import build_design, bundles, places
from annotate.models import Question
from annotate.server.refusals import Refused
from annotate.tasktypes import QuestionDraft
from tests.factories import do_hit, make_annotator, make_study

wanted = st.lists(st.one_of(st.none(), st.integers(1, 4)), max_size=40)


@given(wanted, st.integers(1, 7), st.integers(1, 3))
def test_each_question_is_in_one_hit_with_others_that_want_as_many_judgements(judgements, per_hit, default):
    drafts = [QuestionDraft(f"q{n}", {}, judgements=j) for n, j in enumerate(judgements)]
    bundled = bundles(drafts, per_hit, default)
    assert sorted(index for indexes, _ in bundled for index in indexes) == list(range(len(drafts)))
    for indexes, slots in bundled:
        assert 1 <= len(indexes) <= per_hit
        assert {drafts[index].judgements or default for index in indexes} == {slots}
    short = sum(len(indexes) < per_hit for indexes, _ in bundled)
    assert short <= len({draft.judgements or default for draft in drafts})
    assert [indexes[0] for indexes, _ in bundled] == sorted(indexes[0] for indexes, _ in bundled)


@given(st.lists(st.integers(1, 4), max_size=20), st.sampled_from(["rounds", "hits"]), st.integers(0, 25))
def test_each_slot_has_one_place_and_the_pilot_comes_first(slots, order, pilot):
    queue = places(slots, order, pilot)
    assert sorted(queue) == [(hit, round_) for hit, count in enumerate(slots) for round_ in range(count)]
    in_pilot = [hit < pilot for hit, _ in queue]
    assert in_pilot == sorted(in_pilot, reverse=True)
    for part in (True, False):
        steps = [
            (round_, hit) if order == "rounds" else (hit, round_) for hit, round_ in queue if (hit < pilot) == part
        ]
        assert steps == sorted(steps)


@pytest.mark.django_db
def test_the_report_says_what_will_be_paid_for():
    report = make_study(judgements=3, state="draft").design.result
    assert {name: report[name] for name in ("questions", "hits", "slots", "judgements", "last_hit")} == {
        "questions": 16,
        "hits": 4,
        "slots": 12,
        "judgements": 48,
        "last_hit": 1,
    }
    assert {check["state"] for check in report["checks"]} <= {"ok", "advice", "fault"}


@pytest.mark.django_db
def test_a_design_cannot_change_once_the_study_is_open():
    with pytest.raises(Refused, match="The design is locked"):
        build_design(make_study().pk, user=SYSTEM)


@pytest.mark.django_db
def test_too_few_items_are_refused_with_what_would_help():
    study = make_study(items=3, design=False, state="draft")
    with pytest.raises(Refused, match="items") as refused:
        build_design(study.pk, user=SYSTEM)
    assert refused.value.code == "cannot-build"
    assert not study.questions.exists()


@pytest.mark.django_db
def test_a_design_made_anew_replaces_the_former_and_keeps_what_was_tried():
    study = make_study(state="draft", gold=8)
    trying = make_annotator(study, platform="try")
    do_hit(trying)
    kept = list(trying.answers.order_by("pk").values("question", "value", "position"))
    build_design(study.pk, user=SYSTEM)
    assert list(trying.answers.order_by("pk").values("question", "value", "position")) == kept
    assert study.questions.filter(kind=Question.Kind.TRIED).count() == 5
    assert study.questions.filter(kind=Question.Kind.REGULAR).count() == 16
    assert study.hits.count() == 4
    claimed = claim(trying.pk)
    assert claimed.assignment, f"the new design can be tried, too: {claimed.why}"
    assert claimed.assignment.hit.number == 1


@pytest.mark.django_db
def test_held_out_items_stay_out_of_the_design():
    study = make_study(gold=4, state="draft")
    held_out = set(study.items.filter(held_out=True).values_list("key", flat=True))
    assert held_out
    for payload in study.questions.filter(kind="regular").values_list("payload", flat=True):
        assert not held_out & set(payload["items"])
