"""Tests of the creation of gold questions: candidates, authors, and agreement between authors."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.data.services.unopened import prepared_gold
from annotate.gold.services import draw_candidates, exclude_gold, judge_candidate, promote
from annotate.models import GoldJudgement, Question
from annotate.server.refusals import Refused
from tests.factories import do_hit, make_annotator, make_study, member_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make_study(items=20, state="draft")


def test_candidates_repeat_no_question_of_the_study(study):
    user = member_of(study)
    drawn = draw_candidates(study.pk, 5, user=user) + draw_candidates(study.pk, 5, user=user)
    assert len({question.ref for question in drawn}) == 10
    sets = [frozenset(payload["items"]) for payload in study.questions.values_list("payload", flat=True)]
    assert len(sets) == len(set(sets))
    assert study.events.filter(verb="drew candidates").count() == 2


def test_candidates_are_drawn_before_the_study_is_locked(study, monkeypatch):
    def draw_meanwhile(drafted_study, drafts):
        monkeypatch.undo()
        draw_candidates(study.pk, 2, user=SYSTEM)
        return prepared_gold(drafted_study, drafts)

    monkeypatch.setattr("annotate.gold.services.prepared_gold", draw_meanwhile)
    with pytest.raises(Refused, match="The items or the questions of the study have changed in the meantime"):
        draw_candidates(study.pk, 5, user=SYSTEM)
    assert study.questions.filter(kind="candidate").count() == 2


@pytest.mark.parametrize("count", [0, 501])
def test_a_few_candidates_are_drawn_at_once(study, count):
    with pytest.raises(Refused, match="Draw between 1 and 500 candidates at a time"):
        draw_candidates(study.pk, count, user=SYSTEM)


def test_when_all_tuples_are_used_up_it_says_how_many_could_be_drawn():
    study = make_study(items=5, options={"factor": 0.6}, state="draft")
    with pytest.raises(Refused, match="Only 2 additional tuples could be drawn from 5 items"):
        draw_candidates(study.pk, 10, user=SYSTEM)
    assert not study.questions.filter(kind="candidate").exists()


def test_only_what_enough_authors_agree_on_becomes_gold(study):
    agreed, alone, split = draw_candidates(study.pk, 3, user=SYSTEM)
    one, two = member_of(study), member_of(study)
    for user, why in ((one, "Both are about boats."), (two, "Same event.")):
        judge_candidate(agreed.pk, {"best": 1, "worst": 4}, user=user, explanation=why)
    judge_candidate(alone.pk, {"best": 1, "worst": 4}, user=one)
    judge_candidate(split.pk, {"best": 1, "worst": 4}, user=one)
    judge_candidate(split.pk, {"best": 2, "worst": 4}, user=two)
    ids = [question.pk for question in (agreed, alone, split)]
    assert promote(ids, study_id=study.pk, user=one, authors=2) == 1
    agreed.refresh_from_db()
    keys = agreed.payload["items"]
    assert (agreed.kind, agreed.gold) == ("gold", {"best": keys[0], "worst": keys[3]})
    assert agreed.explanation == "Both are about boats. Same event."
    assert set(Question.objects.filter(pk__in=ids[1:]).values_list("kind", flat=True)) == {"candidate"}
    assert promote(ids, study_id=study.pk, user=one, authors=1) == 1, "the one that one author answered"


def test_answering_a_candidate_again_replaces_the_answer(study):
    (question,) = draw_candidates(study.pk, 1, user=SYSTEM)
    user = member_of(study)
    judge_candidate(question.pk, {"best": 1, "worst": 4}, user=user)
    judge_candidate(question.pk, {"best": 2, "worst": 4}, user=user)
    assert GoldJudgement.objects.get().value["best"] == question.payload["items"][1]


def test_an_impossible_answer_to_a_candidate_is_refused(study):
    (question,) = draw_candidates(study.pk, 1, user=SYSTEM)
    with pytest.raises(Refused, match="must be a position from 1 to 4, not 9") as refused:
        judge_candidate(question.pk, {"best": 9, "worst": 1}, user=member_of(study))
    assert list(refused.value.fields) == ["best"]


def test_candidates_of_another_study_are_not_promoted(study):
    other = make_study(items=20, state="draft")
    (question,) = draw_candidates(other.pk, 1, user=SYSTEM)
    judge_candidate(question.pk, {"best": 1, "worst": 4}, user=member_of(other))
    assert promote([question.pk], study_id=study.pk, user=SYSTEM) == 0


def test_only_gold_is_set_aside_with_a_reason_and_once():
    study = make_study(gold=4)
    user = member_of(study)
    regular, gold = (study.questions.filter(kind=kind).first() for kind in ("regular", "gold"))
    with pytest.raises(Refused, match="is of kind “regular”, but this action requires a question of kind “gold”"):
        exclude_gold(regular.pk, user=user, reason="ambiguous")
    with pytest.raises(Refused, match="Enter a reason"):
        exclude_gold(gold.pk, user=user, reason=" ")
    do_hit(make_annotator(study))
    for _ in range(2):
        assert exclude_gold(gold.pk, user=user, reason="ambiguous") == 0
    assert study.events.filter(verb="excluded gold question").count() == 1
