"""Tests of access to every endpoint: without credentials, with wrong credentials, for another study, and as
a viewer.
"""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import pytest

from annotate.models import Participation, Payment, Study
from tests.api.conftest import Api, refused
from tests.factories import make_annotator, make_study, take

pytestmark = pytest.mark.django_db

LOOK = [
    ("GET", "studies/{study}"),
    ("GET", "studies/{study}/items"),
    ("GET", "studies/{study}/questions"),
    ("GET", "studies/{study}/gold"),
    ("GET", "studies/{study}/gold-rule"),
    ("GET", "studies/{study}/gold-candidates"),
    ("GET", "studies/{study}/uploads"),
    ("GET", "studies/{study}/templates/items.csv"),
    ("GET", "studies/{study}/annotators.csv"),
    ("GET", "studies/{study}/questionnaires/screening"),
    ("GET", "studies/{study}/host-files/mturk-results.csv"),
    ("GET", "studies/{study}/systems"),
    ("GET", "studies/{study}/releases"),
    ("GET", "studies/{study}/plans"),
    ("GET", "studies/{study}/design"),
    ("GET", "studies/{study}/answers"),
    ("GET", "studies/{study}/answers.ndjson"),
    ("GET", "studies/{study}/assignments"),
    ("GET", "studies/{study}/guidelines"),
    ("GET", "studies/{study}/progress"),
    ("GET", "studies/{study}/programs"),
    ("GET", "studies/{study}/programs/comparison"),
    ("GET", "studies/{study}/open-hits"),
    ("GET", "studies/{study}/todo"),
    ("PUT", "studies/{study}/todo-mail"),
    ("GET", "studies/{study}/annotators"),
    ("GET", "studies/{study}/annotators/needing-a-look"),
    ("GET", "studies/{study}/annotators/{pseudonym}/answers"),
    ("GET", "studies/{study}/integrity-signs"),
    ("GET", "studies/{study}/reports"),
    ("GET", "studies/{study}/reports/results/1/files.zip"),
    ("POST", "studies/{study}/reports/results/1/files.zip"),
    ("GET", "studies/{study}/reports/results/1/files"),
    ("GET", "studies/{study}/reports/results/1/files/report.json"),
    ("GET", "studies/{study}/reports/results/1/comparison/1"),
    ("GET", "studies/{study}/jobs"),
    ("GET", "studies/{study}/exports"),
    ("GET", "studies/{study}/exports/tuples.tsv"),
    ("GET", "studies/{study}/events"),
    ("GET", "studies/{study}/messages"),
    ("GET", "studies/{study}/team-messages"),
    ("GET", "studies/{study}/decisions"),
    ("GET", "studies/{study}/reports/design/1"),
    ("GET", "studies/{study}/pay"),
    ("GET", "studies/{study}/pay.csv"),
    ("GET", "studies/{study}/spend"),
    ("GET", "studies/{study}/payments"),
    ("GET", "studies/{study}/payments/1"),
    ("GET", "studies/{study}/bonuses"),
    ("GET", "studies/{study}/bonus-lists"),
    ("GET", "studies/{study}/members"),
]
REVIEW = [
    ("POST", "studies/{study}/try-outs"),
    ("POST", "studies/{study}/open-hits/{assignment}/end"),
    ("POST", "studies/{study}/annotators/{pseudonym}/stop"),
    ("POST", "studies/{study}/annotators/{pseudonym}/restore"),
    ("POST", "studies/{study}/reports"),
    ("POST", "studies/{study}/programs/comparison"),
    ("PUT", "studies/{study}/gold-candidates/q/answer"),
    ("POST", "studies/{study}/systems"),
    ("POST", "studies/{study}/phrase-samples"),
    ("PUT", "studies/{study}/phrase-samples/1/verdicts"),
    ("POST", "studies/{study}/systems/1/score"),
    ("POST", "studies/{study}/integrity-signs"),
    ("POST", "studies/{study}/messages/m/reply"),
    ("POST", "studies/{study}/team-messages"),
    ("POST", "studies/{study}/annotators/{pseudonym}/notes"),
    ("POST", "studies/{study}/annotators/{pseudonym}/review"),
    ("POST", "studies/{study}/answers/{assignment}/1/exclude"),
    ("POST", "studies/{study}/answers/{assignment}/1/include"),
    ("GET", "studies/{study}/adjudication"),
    ("PUT", "studies/{study}/decisions/tuple-01"),
    ("DELETE", "studies/{study}/decisions/tuple-01"),
    ("POST", "studies/{study}/decisions/tuple-01/undo"),
]
MANAGE = [
    ("POST", "studies/{study}/plans"),
    ("POST", "studies/{study}/plans/1/use"),
    ("POST", "studies/{study}/judgements"),
    ("POST", "studies/{study}/gold/q/exclude"),
    ("POST", "studies/{study}/gold-candidates"),
    ("POST", "studies/{study}/gold-candidates/promotion"),
    ("POST", "studies/{study}/simulations"),
    ("POST", "studies/{study}/mturk-results"),
    ("GET", "studies/{study}/result-imports"),
    ("POST", "studies/{study}/result-imports"),
    ("GET", "studies/{study}/result-imports/i"),
    ("POST", "studies/{study}/result-imports/i"),
    ("DELETE", "studies/{study}/result-imports/i"),
    ("PATCH", "studies/{study}/systems/1"),
    ("PUT", "studies/{study}/leaderboard"),
    ("DELETE", "studies/{study}/leaderboard"),
    ("PUT", "studies/{study}/split"),
    ("DELETE", "studies/{study}/split"),
    ("POST", "studies/{study}/releases"),
    ("GET", "studies/{study}/reports/results/1/shares"),
    ("POST", "studies/{study}/reports/results/1/shares"),
    ("DELETE", "studies/{study}/reports/results/1/shares/s"),
    ("PATCH", "studies/{study}"),
    ("PUT", "studies/{study}/state"),
    ("DELETE", "studies/{study}"),
    ("POST", "studies/{study}/copies"),
    ("POST", "studies/{study}/settings-import"),
    ("POST", "studies/{study}/unarchive"),
    ("POST", "studies/{study}/uploads"),
    ("GET", "studies/{study}/uploads/u"),
    ("PUT", "studies/{study}/uploads/u"),
    ("POST", "studies/{study}/uploads/u/import"),
    ("DELETE", "studies/{study}/uploads/u/import"),
    ("POST", "studies/{study}/design"),
    ("GET", "studies/{study}/design/extension"),
    ("POST", "studies/{study}/design/extension"),
    ("DELETE", "studies/{study}/design/extension"),
    ("GET", "studies/{study}/rounds"),
    ("POST", "studies/{study}/rounds"),
    ("POST", "studies/{study}/rounds/plan"),
    ("GET", "studies/{study}/design/unopened"),
    ("POST", "studies/{study}/design/unopened"),
    ("POST", "studies/{study}/gold/g/expected-answer"),
    ("POST", "studies/{study}/payments"),
    ("POST", "studies/{study}/payments/1/undo"),
    ("POST", "studies/{study}/bonuses"),
    ("POST", "studies/{study}/pay-entries/e/correction"),
    ("GET", "studies/{study}/waiting-list"),
    ("DELETE", "studies/{study}/waiting-list/w"),
    ("GET", "studies/{study}/people-lists"),
    ("POST", "studies/{study}/people-lists/admit"),
    ("DELETE", "studies/{study}/people-lists/admit"),
    ("GET", "studies/{study}/groups"),
    ("POST", "studies/{study}/groups"),
    ("DELETE", "studies/{study}/groups/g"),
    ("GET", "studies/{study}/prolific-submissions"),
    ("GET", "studies/{study}/prolific-submissions/files/prolific-approve.txt"),
    ("POST", "studies/{study}/prolific-submissions/imports"),
    ("POST", "studies/{study}/prolific-submissions/imports/i/undo"),
    ("POST", "studies/{study}/prolific-submissions/rewards"),
    ("PUT", "studies/{study}/prolific-submissions/s/rejection"),
    ("DELETE", "studies/{study}/prolific-submissions/s/rejection"),
    ("POST", "studies/{study}/bonus-lists"),
    ("GET", "studies/{study}/bonus-lists/1.csv"),
    ("POST", "studies/{study}/bonus-lists/1/paid"),
    ("POST", "studies/{study}/bonus-lists/1/cancel"),
    ("POST", "studies/{study}/bonus-lists/1/pay"),
    ("PUT", "studies/{study}/prolific-study"),
    ("POST", "studies/{study}/prolific-draft"),
    ("POST", "studies/{study}/prolific-submissions/fetch"),
    ("POST", "studies/{study}/prolific-submissions/approve"),
    ("GET", "studies/{study}/named-annotators"),
    ("POST", "studies/{study}/named-annotators"),
    ("POST", "studies/{study}/named-annotators/mail"),
    ("DELETE", "studies/{study}/named-annotators/n"),
    ("POST", "studies/{study}/named-annotators/n/reservations"),
    ("DELETE", "studies/{study}/named-annotators/n/reservations"),
    ("POST", "studies/{study}/shares"),
    ("POST", "studies/{study}/programs"),
    ("PATCH", "studies/{study}/questionnaires/screening"),
    ("GET", "studies/{study}/questionnaires/screening/answers.csv"),
    ("GET", "studies/{study}/host-files/bonuses.csv"),
    ("POST", "studies/{study}/annotators/{pseudonym}/erase"),
    ("GET", "studies/{study}/prolific"),
    ("PATCH", "studies/{study}/prolific"),
    ("GET", "studies/{study}/webhooks"),
    ("POST", "studies/{study}/webhooks"),
    ("GET", "studies/{study}/webhooks/deliveries"),
    ("GET", "studies/{study}/webhooks/w"),
    ("PATCH", "studies/{study}/webhooks/w"),
    ("DELETE", "studies/{study}/webhooks/w"),
    ("POST", "studies/{study}/webhooks/w/secret"),
    ("POST", "studies/{study}/webhooks/w/test"),
]
OWNER = [
    ("PATCH", "studies/{study}/members/m"),
    ("DELETE", "studies/{study}/members/m"),
    ("GET", "studies/{study}/invitations"),
    ("POST", "studies/{study}/invitations"),
    ("DELETE", "studies/{study}/invitations/i"),
]
OWN = [("GET", "studies"), ("GET", "pay"), ("POST", "studies")]
ANNOTATE = [
    ("POST", "claims"),
    ("POST", "resume-code"),
    ("PUT", "guidelines-read"),
    ("GET", "assignments/{assignment}"),
    ("POST", "assignments/{assignment}/submission"),
    ("PUT", "assignments/{assignment}/answers/1"),
    ("PUT", "assignments/{assignment}/answers/1/draft"),
    ("POST", "assignments/{assignment}/answers/1/acknowledgement"),
    ("POST", "assignments/{assignment}/answers/1/remarks"),
    ("POST", "assignments/{assignment}/return"),
]
BODIES: dict[str, Any] = {
    "prolific-study": {"prolific_id": "5f8a1c2b9d3e4f6071829304"},
    "prolific-draft": {"minutes": 10, "places": 20},
    "draft": {"draft": {"best": 1, "worst": None}, "revision": 1},
    "answers/1": {"value": {"best": 1, "worst": 2}},
    "tuple-01": {"value": {"best": 1, "worst": 2}},
    "people-lists/admit": {"people": ["ada@example.org"]},
    "groups": {"name": "Class 7b"},
    "named-annotators": {"names": ["Ada"]},
    "members/m": {"role": "viewer"},
    "invitations": {"email": "ada@example.org", "role": "viewer"},
    "stop": {"reason": "why"},
    "restore": {"reason": "why"},
    "state": {"state": "paused"},
    "reply": {"text": "why"},
    "team-messages": {"text": "why"},
    "notes": {"text": "why"},
    "review": {"text": "why"},
    "exclude": {"reason": "why"},
    "include": {"reason": "why"},
    "erase": {"reason": "why"},
    "remarks": {"text": "why"},
    "guidelines-read": {"version": 1},
    "judgements": {"scope": "all"},
    "expected-answer": {"value": {"best": 1, "worst": 2}, "reason": "why"},
    "todo-mail": {"wanted": True},
    "files.zip": {"figures": {}},
    "leaderboard": {"heading": "Systems"},
    "systems/1": {"public": True},
    "q/answer": {"value": {"best": 1, "worst": 2}},
    "uploads": {"purpose": "gold", "filename": "gold.csv", "content": "id\n"},
}


def body(path: str) -> Any:
    return next((sent for end, sent in BODIES.items() if path.endswith(end)), {})


def filled(path: str, study: Study, assignment: str = "x") -> str:
    who = study.participations.first()
    return path.format(study=study.public_id, pseudonym=who.pseudonym if who else "nobody", assignment=assignment)


def test_the_lists_above_are_the_whole_api() -> None:
    named = [path for name, path in paths() if name not in (None, "schema", "docs", "swagger")]
    listed = {path for _, path in (*LOOK, *REVIEW, *MANAGE, *OWNER, *OWN, *ANNOTATE)} | {
        "studies/{study}/jobs/j",
        "studies/{study}/plans/1",
        "studies/{study}/jobs/j/again",
        "studies/{study}/systems/1/file",
        "studies/{study}/systems/comparison",
        "studies/{study}/phrase-samples/1",
    }
    assert sorted(map(_shape, named)) == sorted({_shape(path) for path in listed})


def paths() -> list[tuple[str | None, str]]:
    """Return the names and the paths of all URLs of the API."""
    from annotate.api.urls import urlpatterns

    return [
        (each.name, f"{one.pattern if one is not each else ''}{each.pattern}")
        for one in urlpatterns
        for each in getattr(one, "url_patterns", [one])
    ]


def _shape(path: str) -> str:
    literals = {part for _, path in paths() for part in path.split("/") if "<" not in part}
    parts = path.split("/")
    return "/".join(
        "*" if part not in literals or (at > 1 and parts[at - 1] == "reports") else part
        for at, part in enumerate(parts)
    )


def test_without_credentials_nothing_is_told(nobody: Api) -> None:
    study = make_study()
    for method, path in (*LOOK, *REVIEW, *MANAGE, *OWNER, *OWN, *ANNOTATE):
        refused(nobody.ask(method, filled(path, study), body(path)), 401, "not_authenticated")


@pytest.mark.parametrize("given", ["Token forged", "Participation forged", "Basic dTpw", "Token", "Token a b", "\xe9"])
def test_with_wrong_credentials_nothing_is_told(given: str) -> None:
    study, api = make_study(), Api(given)
    for method, path in (*LOOK, *REVIEW, *MANAGE, *OWNER, *OWN, *ANNOTATE):
        response = api.ask(method, filled(path, study), body(path))
        told = refused(response, 401, response.json()["code"])["code"]
        assert told in ("authentication_failed", "not_authenticated"), f"{method} {path}"


def test_anothers_study_does_not_exist(owner: Api) -> None:
    study = make_study()
    make_annotator(study)
    for method, path in (*LOOK, *REVIEW, *MANAGE, *OWNER):
        refused(owner.ask(method, filled(path, study), body(path)), 404, "not_found")


@pytest.mark.parametrize("role", ["owner", "manager", "reviewer", "viewer"])
def test_every_member_may_look(member: Callable[[Study, str], Api], role: str) -> None:
    study = make_study()
    make_annotator(study)
    Payment.objects.create(study=study, number=1, reference="Transfer 1", paid_on=date(2026, 11, 20))
    study.reports.create(kind="results", number=1, seed=1, result={"judgements": 0})
    api = member(study, role)
    answers = {path: api.ask(method, filled(path, study), body(path) or None).status_code for method, path in LOOK}
    assert {path: status for path, status in answers.items() if status != 200} == {}


@pytest.mark.parametrize(
    ("role", "operations"),
    [("viewer", (*REVIEW, *MANAGE, *OWNER)), ("reviewer", (*MANAGE, *OWNER)), ("manager", OWNER)],
    ids=["viewer", "reviewer", "manager"],
)
def test_what_a_role_does_not_allow_is_refused_and_not_done(
    member: Callable[[Study, str], Api], role: str, operations: Iterable[tuple[str, str]]
) -> None:
    study = make_study()
    who = make_annotator(study)
    before = study.events.count()
    api = member(study, role)
    for method, path in operations:
        refused(api.ask(method, filled(path, study), body(path)), 404, "not_found")
        assert study.events.count() == before, f"{method} {path}"
        who.refresh_from_db()
        assert who.standing == Participation.Standing.ACTIVE, f"{method} {path}"


def test_a_researchers_token_does_not_annotate(owner: Api) -> None:
    study = make_study()
    for method, path in ANNOTATE:
        refused(owner.ask(method, filled(path, study), body(path)), 401, "not_authenticated")


def test_a_participation_sees_nothing_of_researchers(page: Callable[[Participation], Api]) -> None:
    study = make_study()
    api = page(make_annotator(study))
    for method, path in (*LOOK, *REVIEW, *MANAGE, *OWNER, *OWN):
        refused(api.ask(method, filled(path, study), body(path)), 401, "not_authenticated")


def test_anothers_assignment_does_not_exist(page: Callable[[Participation], Api]) -> None:
    study = make_study()
    mine, other, elsewhere = make_annotator(study), make_annotator(study), make_annotator(make_study())
    assignment = take(other).public_id
    take(mine)
    for method, path in ANNOTATE[3:]:
        for stranger in (mine, elsewhere):
            refused(page(stranger).ask(method, filled(path, study, assignment), body(path)), 404, "unknown")
