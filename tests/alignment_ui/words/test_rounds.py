"""Tests that annotators cannot recognise gold questions by their initial links, after the aligner has learned."""

import numpy as np
import pytest

from alignment_ui.words.rounds import chosen_round, start_of
from alignment_ui.words.tasktype import Words
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import latest_learned
from annotate.data.services import unopened
from annotate.data.services.extension import add_items
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import receive
from annotate.gold.services import draw_candidates
from annotate.models import Question, Study
from annotate.server.refusals import Refused
from tests.factories import make_annotator, take
from tests.word_study import bring, collected, replace_aligner

LEARNED = {"sure": [[0, 0]], "possible": []}
NEW = b"id,source,target,subcorpus\n" + b"".join(
    b"n%d,A cat sat here .,A cat was sitting here .,news\n" % number for number in range(3)
)
GOLD = b"id,source,target,gold\nk1,A dog barked loudly .,A dog was barking loudly .,0-0 1-1 2-3 3-4 4-5\n"
TASK = Words()


@pytest.fixture(scope="module")
def shared_study(share):
    return share(lambda: collected(annotators=1, hits=1, options={"sample": 3}, seed=4))


@pytest.fixture
def study(shared_study, db, monkeypatch):
    replace_aligner(monkeypatch)
    return Study.objects.get(pk=shared_study.pk)


def extend(study):
    bring(study, "items", NEW, "more.csv")
    add_items(study.pk, user=SYSTEM)


def starts(assignment, study):
    """Return the initial links that the annotator sees, separately for regular questions and gold questions."""
    seen = {Question.Kind.REGULAR: [], Question.Kind.GOLD: []}
    for answer in assignment.answers.select_related("question"):
        content = TASK.present(answer.question.payload, answer.shown, {}, study.options)
        seen[answer.question.kind].append(content["prealignment"])
    return seen[Question.Kind.REGULAR], seen[Question.Kind.GOLD]


@pytest.mark.nightly
def test_gold_questions_start_like_the_questions_beside_them(study):
    extend(study)
    by_round = {True: 0, False: 0}
    for _ in range(study.slots.filter(open=1).count()):
        regular, gold = starts(take(make_annotator(study)), study)
        assert gold
        added = regular == [LEARNED] * len(regular)
        by_round[added] += 1
        assert all((start == LEARNED) == added for start in (*regular, *gold))
    assert all(by_round.values())


def test_a_gold_question_beside_questions_of_several_rounds_starts_like_one_of_them():
    beside = [{"round": 2}, {"round": 2}, {"prealignment": None}]
    gold = {"prealignment": None, "starts": {"2": LEARNED}}
    drawn = [chosen_round(gold, beside, np.random.default_rng(seed)) for seed in range(300)]
    assert {tuple(shown) for shown in drawn} == {(0,), (2,)}
    assert 160 < drawn.count([2]) < 240
    assert [start_of(gold, shown) for shown in ([2], [0], [], None)] == [LEARNED, None, None, None]
    assert chosen_round({"prealignment": None}, beside, np.random.default_rng(1)) == []
    assert chosen_round(gold, [], np.random.default_rng(1)) == []


def test_a_gold_question_that_starts_without_links_does_so_in_every_round(study):
    blank = study.questions.filter(kind="gold").first()
    blank.payload["prealignment"] = None
    blank.save(update_fields=["payload"])
    extend(study)
    blank.refresh_from_db()
    assert blank.payload["starts"] == {"1": None}


@pytest.mark.nightly
def test_gold_that_comes_later_also_starts_like_the_questions_beside_it(study):
    extend(study)
    bring(study, "gold", GOLD, "gold-later.csv")
    (candidate,) = draw_candidates(study.pk, 1, user=SYSTEM)
    imported = study.questions.get(ref="known-k1")
    for payload in (imported.payload, candidate.payload):
        assert payload["starts"] == {"1": LEARNED | {"likely": [[0, 0, 0.9]]}}
        assert TASK.present(payload, [1], {}, study.options)["prealignment"] == LEARNED
    extend_again = b"id,source,target,subcorpus\nz1,A cat sat down .,A cat was sitting down .,news\n"
    bring(study, "items", extend_again, "again.csv")
    add_items(study.pk, user=SYSTEM)
    candidate.refresh_from_db()
    assert list(candidate.payload["starts"]) == ["1", "2"], "a candidate can become a gold question"
    assert latest_learned(study).number == 2


def test_gold_that_is_imported_while_questions_change_is_refused(study, monkeypatch):
    extend(study)
    upload = receive(study, purpose="gold", filename="late.csv", data=GOLD, user=SYSTEM)
    outdated = lambda study, drafts: (list(drafts), 0)  # noqa: E731
    monkeypatch.setattr("annotate.data.services.imports.prepared_gold", outdated)
    with pytest.raises(Refused, match="updated in the meantime"):
        import_upload(upload.pk, user=SYSTEM)
    assert not study.questions.filter(ref="known-k1").exists()


def test_items_are_not_added_if_the_gold_changes_meanwhile(study, monkeypatch):
    bring(study, "items", NEW, "more.csv")
    monkeypatch.setattr("annotate.data.services.extension.payloads_of_gold", lambda study: {})
    before = study.questions.count()
    with pytest.raises(Refused, match="have changed in the meantime"):
        add_items(study.pk, user=SYSTEM)
    assert study.questions.count() == before
    assert unopened.payloads_of_gold(study), "the gold questions keep their links"
    assert not any("starts" in payload for payload in unopened.payloads_of_gold(study).values())


def test_other_task_types_arrange_questions_by_shuffling_them():
    payload = {"items": ["a", "b", "c", "d"]}
    bws = tasktypes.get("bws")
    orders = [order(payload, np.random.default_rng(5)) for order in (bws.shuffle, lambda p, g: bws.arrange(p, [], g))]
    assert orders[0] == orders[1]
