"""Tests of initial links that are suggested again for pairs that nobody has opened."""

import pytest

from alignment_ui.words.tasktype import Words
from annotate.core.permissions import SYSTEM
from annotate.core.services import claim as claims
from annotate.core.services import jobs
from annotate.data.selectors.additions import unopened_counts, unopened_questions
from annotate.data.services.unopened import update_unopened
from annotate.models import Answer, Assignment, Decision, Study
from annotate.recruiting.services.join import join, start_tryout
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import QuestionDraft, StudyData
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study, take
from tests.markup import markup
from tests.word_study import collected, replace_aligner

LEARNED = {"sure": [[0, 0]], "possible": []}
STORED = LEARNED | {"likely": [[0, 0, 0.9]]}
TASK = Words()


def ignore(share, text):
    """Ignore the progress."""


@pytest.fixture(scope="module")
def shared_study(share):
    return share(lambda: collected(annotators=1, hits=1, options={"sample": 6}, seed=4))


@pytest.fixture
def study(shared_study, db, monkeypatch):
    replace_aligner(monkeypatch)
    return Study.objects.get(pk=shared_study.pk)


def payloads(study):
    return dict(study.questions.filter(kind="regular").values_list("ref", "payload"))


@pytest.mark.nightly
def test_only_pairs_that_nobody_has_opened_get_new_links(study):
    claimed = take(make_annotator(study))
    tryout = start_tryout(study, user=study.memberships.get().user)
    claims.claim(tryout.pk)
    opened = set(Answer.objects.filter(question__study=study).values_list("question__ref", flat=True))
    program = join(study, platform="system", external_id="aligner", is_program=True)
    while by_program := claims.claim(program.pk).assignment:
        Assignment.objects.filter(pk=by_program.pk).update(state="done", submitted_at=clock.now())
    before = payloads(study)
    counts = unopened_counts(study)
    assert (counts.unopened, counts.finished) == (len(before.keys() - opened), 3)
    assert claimed.answers.count() > 3

    assert update_unopened(study.pk, user=SYSTEM, progress=ignore) == counts.unopened > 0
    for ref, payload in payloads(study).items():
        if ref in opened:
            assert payload == before[ref]
        else:
            assert payload == before[ref] | {"prealignment": STORED, "round": 1}
    assert all(gold.payload["starts"] == {"1": STORED} for gold in study.questions.filter(kind="gold"))
    entry = study.events.get(verb="updated unopened questions")
    assert entry.detail == {
        "questions": counts.unopened, "opened_meanwhile": 0, "gold": study.questions.filter(kind="gold").count()
    }  # fmt: skip


def test_a_pair_with_a_decision_in_the_meantime_does_not_change(study, monkeypatch):
    before, counts = payloads(study), unopened_counts(study)
    learn = Words.update_unopened
    decided = unopened_questions(study).first()

    def decide_and_learn(*arguments):
        Decision.objects.create(question=decided, value=LEARNED, user=study.memberships.get().user)
        return learn(*arguments)

    monkeypatch.setattr(Words, "update_unopened", decide_and_learn)
    assert update_unopened(study.pk, user=SYSTEM, progress=ignore) == counts.unopened - 1
    assert payloads(study)[decided.ref] == before[decided.ref]


def test_pairs_without_initial_links_stay_without_links():
    unopened = [
        QuestionDraft("p", {"source": ["a"], "target": ["a"], "prealignment": None, "withheld": LEARNED}),
        QuestionDraft("q", {"source": ["a"], "target": ["b"], "prealignment": {"sure": [], "possible": []}}),
    ]
    done = QuestionDraft("d", {"source": ["a"], "target": ["b"], "prealignment": None})
    data = StudyData({}, [], [done, *unopened], [], [], decisions={"d": LEARNED})
    update = TASK.update_unopened(unopened, data, TASK.clean_options({}), 1, ignore)
    assert update.payloads["p"] == unopened[0].payload | {"withheld": LEARNED, "round": 1}
    assert update.payloads["q"]["prealignment"] == LEARNED | {"likely": [[0, 0, 1.0]]}, (
        "the aligner learned from the decision"
    )


@pytest.mark.nightly
def test_the_action_is_refused_if_nothing_can_change(study):
    change_settings(study.pk, user=SYSTEM, options={"learn": False})
    with pytest.raises(Refused, match="current settings do not allow its questions to be updated"):
        update_unopened(study.pk, user=SYSTEM, progress=ignore)
    change_settings(study.pk, user=SYSTEM, options={"learn": True})
    study.assignments.update(state="void")
    with pytest.raises(Refused, match="no pair in this study has a final alignment yet"):
        update_unopened(study.pk, user=SYSTEM, progress=ignore)
    while claims.claim(make_annotator(study).pk).assignment:
        pass
    with pytest.raises(Refused, match="All questions in this study have been opened"):
        update_unopened(study.pk, user=SYSTEM, progress=ignore)


@pytest.mark.django_db
def test_other_task_types_do_not_offer_the_action():
    study = make_study()
    with pytest.raises(Refused) as refused:
        update_unopened(study.pk, user=SYSTEM, progress=ignore)
    assert refused.value.code == "no-unopened"
    assert "Suggest initial links again" not in markup(browser_of(study).get(page_of(study, "design/")))


def test_a_researcher_starts_the_job_on_the_design_page_or_in_the_api(study):
    client = browser_of(study)
    page = markup(client.get(page_of(study, "design/")))
    assert "Suggest initial links again" in page
    url = f"/api/v1/studies/{study.public_id}/design/unopened"
    unopened = unopened_questions(study).count()
    assert client.get(url).json() == {"unopened": unopened, "opened": 3, "finished": 3}
    client.post(page_of(study, "design/unopened/"))
    job = study.jobs.get(kind="unopened")
    assert client.post(url).json()["id"] == job.public_id
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert sum(payload.get("round") == 1 for payload in payloads(study).values()) == unopened
