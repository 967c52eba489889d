"""Tests of sentence pairs that are added to an open study, whose aligner learns from the finished pairs."""

from datetime import UTC, datetime

import pytest

from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words import columns, finished
from alignment_ui.words.finished import finished_pairs
from alignment_ui.words.tasktype import Words
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.data.services.extension import add_items, build_extension
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import AnswerRow, ItemDraft, QuestionDraft, StudyData
from tests.console_study import browser_of, page_of
from tests.markup import markup
from tests.word_study import bring, collected, replace_aligner

TASK = Words()
CROSSED = {"sure": [[0, 1], [1, 0]], "possible": []}


def ignore(share, text):
    """Ignore the progress."""


def question(ref, source=("kwa", "na"), target=("na", "tse")):
    return QuestionDraft(ref, {"item": ref, "source": list(source), "target": list(target), "prealignment": None})


def answer(ref, value, *, counts=True):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return AnswerRow(
        ref=ref,
        kind="regular",
        value=value,
        shown=[],
        pseudonym="P-1",
        hit=1,
        position=1,
        seconds=9.0,
        given_at=now,
        counts=counts,
        reason="" if counts else "stopped",
        passed=None,
        tally=None,
    )


def study_of(questions, answers, decisions=None):
    return StudyData({}, [], questions, [], answers, decisions=decisions or {})


def test_the_aligner_learns_from_decisions_majorities_and_only_from_answers_that_count():
    one, other = {"sure": [[0, 1]], "possible": [[1, 0]]}, {"sure": [[0, 1]], "possible": []}
    answers = [
        *(answer("both", one), answer("both", other), answer("decided", one), answer("stopped", one, counts=False)),
        answer("later", one),  # an answer to a question that was added after the questions had been read
    ]
    questions = [question(ref) for ref in ("both", "decided", "stopped", "open")]
    data = study_of(questions, answers, {"decided": CROSSED})
    assert [(pair.ref, pair.alignment) for pair in finished_pairs(data, 1)] == [
        ("both", Alignment.of({(0, 1)}, set())),
        ("decided", Alignment.of({(0, 1), (1, 0)}, set())),
    ]


def test_a_random_sample_of_many_finished_pairs_is_used(monkeypatch):
    monkeypatch.setattr(finished, "MOST", 5)
    refs = [f"p{n}" for n in range(40)]
    data = study_of([question(ref) for ref in refs], [answer(ref, CROSSED) for ref in refs])
    sample = [pair.ref for pair in finished_pairs(data, 1)]
    assert len(sample) == 5
    assert sample == [ref for ref in refs if ref in sample], "the sample keeps the order of the questions"
    assert sample == [pair.ref for pair in finished_pairs(data, 1)]
    assert sample != [pair.ref for pair in finished_pairs(data, 2)]


def test_finished_alignments_change_the_initial_links_of_added_pairs_unless_the_option_is_off():
    """The annotators linked `kwa` with `tse`, which the sentences alone do not suggest."""
    done = [question(f"p{n}", ("kwa", f"a{n}"), (f"b{n}", "tse")) for n in range(12)]
    data = study_of(done, [answer(each.ref, CROSSED) for each in done])
    new = [ItemDraft("new", {"source": ["kwa", "x"], "target": ["y", "tse"]}, {"subcorpus": "news"})]

    def extend(**options):
        design = TASK.extend_questions(new, [], data, TASK.clean_options(options), 1, ignore)
        return design.questions[0].payload["prealignment"], design.report.own.get("finished_pairs")

    links, used = extend()
    assert ([0, 1] in links["sure"], used) == (True, 12)
    links, used = extend(learn=False)
    assert ([0, 1] in links["sure"], used) == (False, None)
    assert extend(prealign="none") == (None, None)
    assert [TASK.extends_slowly(TASK.clean_options(each)) for each in ({}, {"learn": False})] == [True, False]
    first = TASK.build_questions(new, TASK.clean_options({}), 1, ignore)
    assert "finished_pairs" not in first.report.own


@pytest.fixture(scope="module")
def shared_study(share):
    return share(lambda: collected(annotators=1, hits=1, gold=False, options={"sample": 2}))


@pytest.fixture
def study(shared_study, db):
    return Study.objects.get(pk=shared_study.pk)


def regular(study):
    return list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", "payload"))


@pytest.fixture
def learned(monkeypatch):
    return replace_aligner(monkeypatch)


@pytest.mark.nightly
@pytest.mark.django_db
def test_added_pairs_use_the_finished_pairs_of_the_study_and_existing_questions_never_change(study, learned):
    owner = study.memberships.get(role="owner").user
    unanswered = study.questions.filter(kind="regular", answers__given_at__isnull=True).first()
    decide(unanswered.pk, {"sure": [[0, 0]], "log": [[9, "confirm", "button", []]]}, user=owner)
    before = regular(study)
    bring(study, "items", b"id,source,target,subcorpus\nn1,A cat sat .,A cat was sitting .,news\n", "more.csv")
    now = columns.collected(columns.columns(study_data(study)))
    finals = [((now.pairs[at].source, now.pairs[at].target), links) for at, links in sorted(now.final.items())]
    assert len(finals) == 4, "three pairs have an answer, and one pair has a decision"

    client = browser_of(study)
    page = markup(client.get(page_of(study, "design/")))
    assert "Calculate the cost" in page, "a page does not wait for the aligner"
    client.post(page_of(study, "design/extension/plan/"))
    jobs.run(study.jobs.get(kind="extension-plan").pk)
    page = " ".join(markup(client.get(page_of(study, "design/"))).split())
    assert "Finished pairs used by the aligner" in page
    assert "the built-in aligner also learned from the final alignments of these pairs" in page

    learned.clear()
    report = add_items(study.pk, user=SYSTEM)
    assert learned == [finals]
    assert report.result["finished_pairs"] == 4
    assert regular(study)[: len(before)] == before
    ((ref, payload),) = regular(study)[len(before) :]
    assert (ref, payload["prealignment"]["sure"]) == ("n1", [[0, 0]])


@pytest.mark.django_db
def test_the_option_can_change_while_the_study_is_open_and_makes_the_plan_out_of_date(study, learned):
    bring(study, "items", b"id,source,target,subcorpus\nn1,A cat sat .,A cat was sitting .,news\n", "more.csv")
    change_settings(study.pk, user=SYSTEM, options={"learn": False})
    changed = Study.objects.select_related("design").get(pk=study.pk)
    extension = build_extension(changed)
    assert "finished_pairs" not in extension.design.report.own
    assert extension.built_for["options"]["learn"] is False
    assert learned == [[]]
