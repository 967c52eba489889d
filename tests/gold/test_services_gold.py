"""Tests of the creation of gold questions: candidates, authors, and agreement between authors."""

import re

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.regrading import change_expected_answer
from annotate.core.services.submit import submit
from annotate.data.services.unopened import prepared_gold
from annotate.gold.selectors.gold import answered_candidates, candidate_rows
from annotate.gold.services import (
    draw_candidates,
    exclude_gold,
    exclusion_to_undo,
    judge_candidate,
    promote,
    promotion_to_undo,
    undo_exclusion,
    undo_promotion,
)
from annotate.models import GoldJudgement, GoldSetQuestion, Participation, Question, Study
from annotate.recruiting.services.join import start_tryout
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import answers_to, do_hit, make_annotator, make_study, member_of, take
from tests.markup import markup

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

    monkeypatch.setattr("annotate.gold.services.candidates.prepared_gold", draw_meanwhile)
    with pytest.raises(Refused, match="The items or the questions of the study have changed in the meantime"):
        draw_candidates(study.pk, 5, user=SYSTEM)
    assert study.questions.filter(kind="candidate").count() == 2


def test_an_author_sees_others_answers_only_after_answering(study):
    first, second, third = (member_of(study) for _ in range(3))
    (candidate,) = draw_candidates(study.pk, 1, user=first)
    same = {"best": 1, "worst": 4}
    for author, explanation in ((first, "The first means the same."), (second, "Nothing else fits.")):
        judge_candidate(candidate.pk, same, user=author, explanation=explanation)
    (hidden,) = candidate_rows(study, third, [candidate])
    assert (hidden.authors, hidden.own, hidden.others) == (2, "", [])
    assert (hidden.agreement, hidden.agreed) == ("", False)
    assert answered_candidates(study, third) == []
    (shown,) = candidate_rows(study, second, [candidate])
    assert [(who, why) for who, _, why in shown.others] == [(str(first), "The first means the same.")]
    assert (shown.agreement, shown.agreed) == ("1 of 1", True)


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


@pytest.mark.nightly
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
        assert exclude_gold(gold.pk, user=user, reason="ambiguous") == []
    assert study.events.filter(verb="excluded gold question").count() == 1


def gold_of(study):
    """Return all questions, the places of the gold questions in the HITs, and the sums of everyone's grades."""
    sets = GoldSetQuestion.objects.filter(gold_set__study=study).order_by("gold_set__number", "position")
    return (
        list(study.questions.order_by("pk").values()),
        list(sets.values_list("gold_set__number", "gold_set__hits__number", "position", "question")),
        list(Participation.objects.filter(study=study).order_by("pk").values("tallies", "graded", "forgiven")),
    )


@pytest.mark.nightly
@pytest.mark.parametrize("state", ["draft", "open"])
def test_an_exclusion_can_be_undone_until_somebody_answers(state):
    study = make_study(gold=6, judgements=2, state=state)
    user, gold = member_of(study), study.questions.filter(kind="gold").first()
    tryout = start_tryout(study, user=user)
    submit(tryout.pk, claim(tryout.pk).assignment.public_id, answers_to(study.assignments.get(participation=tryout)))
    before = gold_of(study)
    exclude_gold(gold.pk, user=user, reason="ambiguous")
    assert gold_of(study) != before
    seen = exclusion_to_undo(gold).isoformat()
    for _ in range(2):
        undo_exclusion(gold.pk, seen=seen, user=user)
        assert gold_of(study) == before
    assert study.events.filter(verb="restored gold question").count() == 1
    exclude_gold(gold.pk, user=user, reason="ambiguous")
    with pytest.raises(Refused, match="somebody has made another change since then"):
        undo_exclusion(gold.pk, seen=seen, user=user)


@pytest.mark.nightly
def test_an_exclusion_stays_once_the_question_was_answered():
    study = make_study(gold=4)
    user, annotator = member_of(study), make_annotator(study)
    assignment = take(annotator)
    gold = study.questions.get(pk=assignment.answers.filter(question__kind="gold").first().question_id)
    exclude_gold(gold.pk, user=user, reason="ambiguous")
    seen = exclusion_to_undo(gold).isoformat()
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    assert exclusion_to_undo(gold) is None
    with pytest.raises(Refused, match="has been answered or replaced since then"):
        undo_exclusion(gold.pk, seen=seen, user=user)
    gold.refresh_from_db()
    assert gold.kind == "retired"


@pytest.mark.nightly
def test_a_promotion_in_a_draft_can_be_undone(study):
    user = member_of(study)
    Study.objects.filter(pk=study.pk).update(gold_block=5)
    drawn = draw_candidates(study.pk, 3, user=user)
    for each in drawn[:2]:
        judge_candidate(each.pk, {"best": 1, "worst": 4}, user=user, explanation="Same event.")
    before, keys = gold_of(study), [each.pk for each in drawn]
    assert promote(keys, study_id=study.pk, user=user) == 2
    assert gold_of(study) != before
    seen = promotion_to_undo(study).isoformat()
    for _ in range(2):
        undo_promotion(study.pk, seen=seen, user=user)
        assert gold_of(study) == before
    assert promote(keys, study_id=study.pk, user=user) == 2
    with pytest.raises(Refused, match="somebody has made another change since then"):
        undo_promotion(study.pk, seen=seen, user=user)


def test_a_promotion_stays_once_its_questions_changed_or_the_study_was_opened(study):
    user = member_of(study)
    (question,) = draw_candidates(study.pk, 1, user=user)
    judge_candidate(question.pk, {"best": 1, "worst": 4}, user=user)
    promote([question.pk], study_id=study.pk, user=user)
    seen = promotion_to_undo(study).isoformat()
    change_expected_answer(question.pk, {"best": 2, "worst": 3}, user=user, reason="wrong")
    with pytest.raises(Refused, match="have been changed or tried since then"):
        undo_promotion(study.pk, seen=seen, user=user)
    Study.objects.filter(pk=study.pk).update(state="open")
    assert promotion_to_undo(Study.objects.get(pk=study.pk)) is None
    with pytest.raises(Refused, match="the study has been opened since then"):
        undo_promotion(study.pk, seen=seen, user=user)


@pytest.mark.nightly
def test_the_page_offers_to_undo_by_role(study):
    place, (question,) = page_of(study, "gold/"), draw_candidates(study.pk, 1, user=SYSTEM)
    judge_candidate(question.pk, {"best": 1, "worst": 4}, user=study.members.get())
    manager, reviewer = browser_of(study, "manager"), browser_of(study, "reviewer")
    for act, undo, kinds in (
        ("promote/", "promote/undo/", ["gold", "candidate", "gold"]),
        (f"{question.public_id}/set-aside/", f"{question.public_id}/restore/", ["retired", "gold"]),
    ):
        sent = {"authors": "1"} if act == "promote/" else {}
        (seen,) = re.findall(r'name="seen" value="([^"]+)"', markup(manager.post(place + act, sent, follow=True)))
        assert reviewer.post(place + undo, {"seen": seen}).status_code == 404
        assert study.questions.get(pk=question.pk).kind == kinds[0]
        manager.post(place + undo, {"seen": seen})
        assert study.questions.get(pk=question.pk).kind == kinds[1]
        if kinds[2:]:
            manager.post(place + act, sent)
            assert "Nothing was undone" in markup(manager.post(place + undo, {"seen": seen}, follow=True))
            assert study.questions.get(pk=question.pk).kind == kinds[2]
