"""Activity summaries: only with a consent text that names them, never at the cost of an answer."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from annotate.backups.scope import of_study
from annotate.core.activity import FIELDS, PASTED_LENGTHS, checked_summary
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.claim import claim
from annotate.core.services.credentials import new_api_token, participation_token
from annotate.core.services.returns import withdraw
from annotate.core.services.submit import submit
from annotate.models import ActivitySummary, Answer, Assignment, IntegrityFigures, Participation, Study
from annotate.people.services import remove_expired_personal_data, remove_personal_data
from annotate.questions.selectors.data import study_data
from annotate.recruiting.services.join import accept_consent
from annotate.results.selectors.exports import answers_jsonl
from annotate.server.refusals import Refused
from annotate.studies.forms.study import suggested_sentences
from annotate.studies.services.copies import copy_study
from annotate.studies.services.settings import change_settings, write_consent
from annotate.studies.services.study import close_study, missing_before_opening, open_study
from annotate.web.pages.remembered import remember
from releases.contents.raw import raw_files
from tests.api.conftest import Api
from tests.factories import UserFactory, answers_to, do_hit, make_annotator, make_study, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db]

SUMMARY: dict[str, Any] = {
    "untrusted_events": 0,
    "webdriver": False,
    "focus_losses": 1,
    "unfocused_seconds": 4.5,
    "pastes": 1,
    "pasted_length": "short",
    "keys": 4,
    "key_interval_median": 812,
    "key_interval_iqr": 240.5,
    "presses": 3,
    "press_interval_median": 1500,
    "press_interval_iqr": 90,
    "pointer_paths": 2,
    "straightness": 0.93,
}
NAMED = {"consent": "We collect activity summaries.", "consent_names_activity": True, "activity_summaries": True}


def api_of(annotator: Participation) -> Api:
    return Api(f"Participation {participation_token(annotator)}")


def answer_first(annotator: Participation, assignment: Assignment, activity: Any = SUMMARY) -> Any:
    sent = {"value": {"best": 1, "worst": 2}, "seconds": 3, "activity": activity}
    return api_of(annotator).put(f"assignments/{assignment.public_id}/answers/1", sent)


class TestConsent:
    @pytest.mark.parametrize("consent", ["", "We keep your answers."])
    def test_a_study_opens_only_with_a_consent_text_that_names_the_summaries(self, consent: str) -> None:
        study = make_study(state="draft", consent=consent, activity_summaries=True)
        with pytest.raises(Refused, match="its consent text does not mention them") as refused:
            open_study(study.pk, user=SYSTEM)
        assert refused.value.fields.keys() == {"activity_summaries"}
        write_consent(study.pk, "We collect activity summaries.", user=SYSTEM, names_activity=True)
        assert open_study(study.pk, user=SYSTEM).is_open

    def test_it_is_off_by_default_and_then_nothing_is_stored(self) -> None:
        study = make_study(consent="We keep your answers.", consent_names_activity=True)
        annotator = make_annotator(study)
        assignment = take(annotator)
        assert study.activity_summaries is False
        assert present(assignment)["study"]["activity"] is None
        assert answer_first(annotator, assignment).status_code == 200
        assert not ActivitySummary.objects.exists()

    def test_the_text_that_the_annotator_accepted_decides(self) -> None:
        study = make_study(consent="We keep your answers.")
        annotator = make_annotator(study)
        assignment = take(annotator)
        change_settings(study.pk, user=SYSTEM, activity_summaries=True)
        named = write_consent(study.pk, "We collect activity summaries.", user=SYSTEM, names_activity=True)
        claimed = claim(annotator.pk).assignment
        assert claimed is not None
        assert present(claimed)["study"]["activity"] is None
        answer_first(annotator, assignment)
        assert not ActivitySummary.objects.exists()
        assert named is not None
        accept_consent(annotator.pk, named.pk, eligible=True)
        annotator.refresh_from_db()
        submit(annotator.pk, assignment.public_id, answers_to(assignment, but=[1]))
        assert present(take(annotator))["study"]["activity"] == "/static/dist/signs.js"
        answer_first(annotator, take(annotator))
        assert ActivitySummary.objects.count() == 1

    def test_a_text_without_the_statement_is_another_version(self) -> None:
        study = make_study(state="draft", **NAMED)
        write_consent(study.pk, "We collect activity summaries.", user=SYSTEM, names_activity=True)
        write_consent(study.pk, "We collect activity summaries.", user=SYSTEM, names_activity=False)
        write_consent(study.pk, " ", user=SYSTEM, names_activity=True)
        assert list(study.consents.values_list("names_activity", flat=True)) == [True, False, False]

    def test_a_copy_of_a_study_keeps_the_statement_about_its_consent_text(self) -> None:
        study = make_study(state="draft", user=UserFactory(), **NAMED)
        copy = copy_study(study.pk, user=study.members.get())
        assert (copy.activity_summaries, copy.consents.get().names_activity) == (True, True)
        assert "activity_summaries" not in missing_before_opening(copy)

    def test_annotators_see_what_is_collected_beside_the_text(self, client: Client) -> None:
        for language, words in (("en", "how straight the pointer moved"), ("de", "Zusammenfassung Ihrer Aktivität")):
            study = make_study(language=language, **NAMED)
            assert words in client.get(f"/join/{study.join_token}").content.decode()
            change_settings(study.pk, user=SYSTEM, activity_summaries=False)
            assert words not in client.get(f"/join/{study.join_token}").content.decode()

    def test_the_suggested_sentences_are_in_the_language_of_the_study(self) -> None:
        with translation.override("en"):
            assert suggested_sentences("de-AT").startswith("Mit jeder Antwort speichert diese Studie")
            assert suggested_sentences("fr").startswith("With each answer, this study collects")


# ── storage ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_summary_of_each_answer_is_stored_once_and_a_later_one_replaces_it() -> None:
    annotator = make_annotator(make_study(**NAMED))
    assignment = take(annotator)
    answer_first(annotator, assignment)
    api = api_of(annotator)
    path = f"assignments/{assignment.public_id}/answers/1"
    api.put(path, {"value": {"best": 2, "worst": 1}, "activity": SUMMARY | {"keys": 9}})
    api.put(path, {"value": {"best": 2, "worst": 1}})  # a repeated request
    rest = [vars(answer) | {"activity": SUMMARY} for answer in answers_to(assignment, but=[1])]
    assert api.post(f"assignments/{assignment.public_id}/submission", {"answers": rest}).status_code == 200
    stored = dict(ActivitySummary.objects.values_list("answer__position", "keys"))
    assert stored == {1: 9, 2: 4, 3: 4, 4: 4, 5: 4}
    assert list(ActivitySummary.objects.values(*FIELDS))[-1] == SUMMARY


def test_an_answer_with_a_summary_needs_three_more_statements() -> None:
    counts = []
    for summaries in (False, True):
        annotator = make_annotator(make_study(**NAMED | {"activity_summaries": summaries}))
        assignment = take(annotator)
        answers = [vars(answer) | {"activity": SUMMARY} for answer in answers_to(assignment)]
        with CaptureQueriesContext(connection) as queries:
            api_of(annotator).post(f"assignments/{assignment.public_id}/submission", {"answers": answers})
        counts.append(len(queries))
    assert counts[1] <= counts[0] + 3


MANIPULATED = [
    "text",
    [],
    {},
    1e400,
    SUMMARY | {"typed": "the text"},
    {name: value for name, value in SUMMARY.items() if name != "keys"},
    *(SUMMARY | {name: [SUMMARY]} for name in SUMMARY),
    *(SUMMARY | {name: -1} for name in SUMMARY),
    *(SUMMARY | {name: 1e300} for name in SUMMARY),
    *(SUMMARY | {name: float("nan")} for name in SUMMARY),
    SUMMARY | {"pasted_length": "x" * 1000},
    SUMMARY | {"keys": True},
    SUMMARY | {"webdriver": 1},
    SUMMARY | {"pastes": 0},
    SUMMARY | {"keys": 1},
    SUMMARY | {"presses": 0},
    SUMMARY | {"pointer_paths": 0},
    SUMMARY | {"focus_losses": 0},
    SUMMARY | {"key_interval_iqr": None},
    SUMMARY | {"straightness": 1.01},
]


@pytest.mark.nightly
def test_a_manipulated_summary_is_not_stored_and_never_loses_the_answer() -> None:
    annotator = make_annotator(make_study(items=8, **NAMED))
    assert all(checked_summary(activity) is None for activity in MANIPULATED)
    assignment = take(annotator)
    for number, activity in enumerate(MANIPULATED):
        value = {"best": 1 + number % 2, "worst": 2 - number % 2}
        sent = {"value": value, "activity": activity}
        if {"NaN", "Infinity"} & set(json.dumps(activity).replace(",", " ").replace("}", " ").split()):
            continue  # JSON has no such number
        response = api_of(annotator).put(f"assignments/{assignment.public_id}/answers/1", sent)
        assert response.status_code == 200, activity
        assert Answer.objects.get(assignment=assignment, position=1).value is not None
    rest = [vars(answer) | {"activity": SUMMARY | {"own": 1}} for answer in answers_to(assignment, but=[1])]
    reply = api_of(annotator).post(f"assignments/{assignment.public_id}/submission", {"answers": rest}).json()
    assert reply["receipt"]["state"] == "done"
    assert not ActivitySummary.objects.exists()


VALUES = st.fixed_dictionaries(
    {name: st.none() | st.booleans() | st.integers(-2, 200_000) | st.floats() | st.text(max_size=8) for name in FIELDS}
)
POSSIBLE = st.fixed_dictionaries(
    {name: st.none() | st.sampled_from([0, 1, 2, 0.5, True, False, *PASTED_LENGTHS]) for name in FIELDS}
)


@pytest.mark.nightly
@given(st.one_of(VALUES, POSSIBLE))
def test_a_checked_summary_fits_the_table(raw: dict[str, Any]) -> None:
    checked = checked_summary(raw)
    if checked is None:
        return
    summary = ActivitySummary(**checked)
    summary.clean_fields(exclude=["id", "answer"])
    summary.validate_constraints(exclude={"answer"})


# ── the annotator's own data, and deletion ────────────────────────────────────────────────────────────────────────
@pytest.fixture
def answered() -> Participation:
    """An annotator with a submitted HIT, summaries and integrity indicators."""
    annotator = make_annotator(make_study(user=UserFactory(), retention_days=30, **NAMED))
    add_summaries(annotator)
    return annotator


def add_summaries(annotator: Participation) -> None:
    do_hit(annotator)
    ActivitySummary.objects.bulk_create(
        ActivitySummary(answer=answer, **SUMMARY) for answer in annotator.answers.filter(given_at__isnull=False)
    )
    IntegrityFigures.objects.create(participation=annotator, answers=5, figures={}, calculated_at=timezone.now())


def stored(annotator: Participation) -> tuple[int, int]:
    summaries = ActivitySummary.objects.filter(answer__participation=annotator).count()
    return summaries, IntegrityFigures.objects.filter(participation=annotator).count()


def test_the_own_data_contain_the_summaries(answered: Participation, client: Client) -> None:
    client.cookies.update(remember(RequestFactory().get("/"), HttpResponse(), answered).cookies)
    data = json.loads(client.get(f"/s/{answered.study.public_id}/data").content)
    (assignment,) = data["assignments"]
    assert [answer["activity"] for answer in assignment["answers"]] == [SUMMARY] * 5
    assert data["integrity_signs"]["answers"] == 5
    assert "how straight the pointer moved" in client.get(f"/s/{answered.study.public_id}/study").content.decode()


def test_removing_personal_data_deletes_summaries_and_signs(answered: Participation) -> None:
    other = make_annotator(answered.study)
    add_summaries(other)
    remove_personal_data(answered.annotator_id, user=answered.study.members.get(), reason="asked for it")
    assert (stored(answered), stored(other)) == ((0, 0), (5, 1))
    assert answered.answers.filter(value__isnull=False).count() == 5


def test_retention_deletes_summaries_and_signs(answered: Participation) -> None:
    close_study(answered.study_id, user=SYSTEM)
    assert remove_expired_personal_data() == 0
    Study.objects.filter(pk=answered.study_id).update(closed_at=timezone.now() - timedelta(days=31))
    assert remove_expired_personal_data() == 1
    assert stored(answered) == (0, 0)


@pytest.mark.parametrize("keep", [True, False])
def test_withdrawing_the_answers_deletes_summaries_and_signs(answered: Participation, keep: bool) -> None:
    withdraw(answered.pk, keep_answers=keep)
    assert stored(answered) == ((5, 1) if keep else (0, 0))


def test_the_backup_of_a_study_contains_summaries_and_signs(answered: Participation) -> None:
    rows = {part.model: part.rows.count() for part in of_study(answered.study)}
    assert (rows[ActivitySummary], rows[IntegrityFigures]) == (5, 1)


def test_the_api_stores_the_statement_with_the_text() -> None:
    study = make_study(state="draft", user=UserFactory())
    api = Api(f"Token {new_api_token(study.members.get(), 'script')[1]}")
    path = f"studies/{study.public_id}"
    sent = {"consent": "We collect activity summaries.", "consent_names_activity": True, "activity_summaries": True}
    changed = api.patch(path, sent).json()
    assert {name: changed[name] for name in sent} == sent
    assert api.patch(path, {"consent": "We collect activity summaries."}).json()["consent_names_activity"] is True
    changed = api.patch(path, {"consent": "We keep your answers."}).json()
    assert changed["consent_names_activity"] is False, "a new text does not repeat the earlier statement"


def test_exports_and_releases_contain_no_summaries(answered: Participation) -> None:
    data = study_data(answered.study)
    files = {"answers.jsonl": b"".join(answers_jsonl(data)), **raw_files(data)}
    for name, content in files.items():
        assert not [field for field in FIELDS if field.encode() in content], name
