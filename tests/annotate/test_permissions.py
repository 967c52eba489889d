"""Tests of every console page and every API operation with every role, compared with the table of permissions."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.http import Http404
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from annotate.api import research
from annotate.api.urls import urlpatterns as api_patterns
from annotate.models import Membership, Question, Study
from annotate.permissions import PERMISSIONS, Action
from annotate.services.credentials import new_api_token
from annotate.views.console import access
from annotate.views.console.settings import STATE_ACTIONS
from annotate.views.console.urls import urlpatterns as console_patterns
from tests.factories import UserFactory, make_annotator, make_study

pytestmark = pytest.mark.django_db

ROLES = ["anonymous", "stranger", "viewer", "reviewer", "manager", "owner", "administrator"]

# The action that each page needs. Pages in SPECIAL need another one for some of their requests.
CONSOLE = {
    "items": Action.LOOK,
    "upload": Action.IMPORT_FILES,
    "upload-preview": Action.IMPORT_FILES,
    "template": Action.LOOK,
    "upload-layout": Action.IMPORT_FILES,
    "import": Action.IMPORT_FILES,
    "remove-import": Action.REMOVE_IMPORT,
    "copy": Action.COPY,
    "import-settings": Action.CHANGE_SETTINGS,
    "delete-draft": Action.DELETE_DRAFT,
    "design": Action.LOOK,
    "build-design": Action.BUILD_DESIGN,
    "add-items": Action.ADD_ITEMS,
    "plan-items": Action.ADD_ITEMS,
    "undo-items": Action.ADD_ITEMS,
    "update-unopened": Action.UPDATE_UNOPENED,
    "open": Action.OPEN,
    "try": Action.TRY_OUT,
    "gold": Action.LOOK,
    "draw": Action.DRAW_CANDIDATES,
    "promote": Action.PROMOTE_CANDIDATES,
    "candidate": Action.ANSWER_CANDIDATES,
    "set-aside": Action.EXCLUDE_GOLD,
    "expected-answer": Action.CHANGE_EXPECTED_ANSWERS,
    "settings": Action.LOOK,
    "settings-step": Action.LOOK,
    "prolific": Action.CHANGE_SETTINGS,
    "change-state": Action.LOOK,
    "members": Action.LOOK,
    "invite-member": Action.CHANGE_MEMBERS,
    "withdraw-invitation": Action.CHANGE_MEMBERS,
    "todo-mail": Action.LOOK,
    "set-role": Action.CHANGE_MEMBERS,
    "remove-member": Action.CHANGE_MEMBERS,
    "webhooks": Action.MANAGE_WEBHOOKS,
    "webhook": Action.MANAGE_WEBHOOKS,
    "webhook-secret": Action.MANAGE_WEBHOOKS,
    "webhook-test": Action.MANAGE_WEBHOOKS,
    "webhook-delete": Action.MANAGE_WEBHOOKS,
    "history": Action.LOOK,
    "guidelines": Action.LOOK,
    "panel": Action.LOOK,
    "overview": Action.LOOK,
    "end-pilot": Action.CHANGE_SETTINGS,
    "compute-progress": Action.CALCULATE_REPORTS,
    "judgements": Action.ADD_JUDGEMENTS,
    "add-judgements": Action.ADD_JUDGEMENTS,
    "open-hits": Action.LOOK,
    "end-lease": Action.END_LEASES,
    "waiting": Action.NAME_ANNOTATORS,
    "remove-waiting": Action.NAME_ANNOTATORS,
    "people-lists": Action.NAME_ANNOTATORS,
    "add-to-list": Action.NAME_ANNOTATORS,
    "clear-list": Action.NAME_ANNOTATORS,
    "groups": Action.NAME_ANNOTATORS,
    "revoke-group": Action.NAME_ANNOTATORS,
    "named": Action.NAME_ANNOTATORS,
    "add-people": Action.NAME_ANNOTATORS,
    "links-file": Action.NAME_ANNOTATORS,
    "mail-links": Action.NAME_ANNOTATORS,
    "add-named": Action.NAME_ANNOTATORS,
    "remove-named": Action.NAME_ANNOTATORS,
    "reserve-hits": Action.NAME_ANNOTATORS,
    "end-reservations": Action.NAME_ANNOTATORS,
    "share-hits": Action.NAME_ANNOTATORS,
    "questionnaire": Action.LOOK,
    "change-questionnaire": Action.CHANGE_SETTINGS,
    "questionnaire-file": Action.SEE_PLATFORM_IDS,
    "new-person-question": Action.CHANGE_SETTINGS,
    "person-question": Action.CHANGE_SETTINGS,
    "move-person-question": Action.CHANGE_SETTINGS,
    "delete-person-question": Action.CHANGE_SETTINGS,
    "mturk-results-file": Action.LOOK,
    "host-file": Action.SEE_PLATFORM_IDS,
    "result-files": Action.IMPORT_RESULTS,
    "result-file": Action.IMPORT_RESULTS,
    "import-results": Action.IMPORT_RESULTS,
    "undo-results": Action.IMPORT_RESULTS,
    "discard-results": Action.IMPORT_RESULTS,
    "annotators": Action.LOOK,
    "annotators-file": Action.LOOK,
    "calculate-indicators": Action.CALCULATE_REPORTS,
    "annotator": Action.LOOK,
    "stop-annotator": Action.STOP_ANNOTATORS,
    "restore-annotator": Action.RESTORE_ANNOTATORS,
    "exclude-answer": Action.EXCLUDE_ANSWERS,
    "include-answer": Action.EXCLUDE_ANSWERS,
    "message-annotator": Action.REPLY,
    "message-all": Action.REPLY,
    "note-on-annotator": Action.REVIEW,
    "review-annotator": Action.REVIEW,
    "erase-annotator": Action.REMOVE_PERSONAL_DATA,
    "messages": Action.LOOK,
    "reply": Action.REPLY,
    "pay": Action.LOOK,
    "pay-file": Action.LOOK,
    "record-payment": Action.PAY,
    "pay-annotator": Action.LOOK,
    "give-bonus": Action.PAY,
    "correct-entry": Action.PAY,
    "payments": Action.LOOK,
    "payment": Action.LOOK,
    "undo-payment": Action.PAY,
    "submissions": Action.SEE_PLATFORM_IDS,
    "submissions-file": Action.SEE_PLATFORM_IDS,
    "submissions-upload": Action.PAY,
    "submissions-preview": Action.PAY,
    "submissions-import": Action.PAY,
    "submissions-undo": Action.PAY,
    "reject-submission": Action.PAY,
    "keep-submission": Action.PAY,
    "record-rewards": Action.PAY,
    "create-bonuses": Action.PAY,
    "bonus-file": Action.SEE_PLATFORM_IDS,
    "confirm-bonuses": Action.PAY,
    "cancel-bonuses": Action.PAY,
    "link-prolific": Action.PAY,
    "draft-prolific": Action.PAY,
    "fetch-submissions": Action.PAY,
    "approve-submissions": Action.PAY,
    "pay-bonuses": Action.PAY,
    "questions": Action.LOOK,
    "question": Action.LOOK,
    "adjudicate": Action.DECIDE,
    "decide": Action.DECIDE,
    "withdraw-decision": Action.DECIDE,
    "undo-decision": Action.DECIDE,
    "jobs": Action.LOOK,
    "job": Action.LOOK,
    "job-again": Action.LOOK,
    "results": Action.LOOK,
    "compute-results": Action.CALCULATE_REPORTS,
    "report": Action.LOOK,
    "report-page": Action.LOOK,
    "report-file": Action.LOOK,
    "report-zip": Action.LOOK,
    "compare-reports": Action.LOOK,
    "report-shares": Action.SHARE_REPORTS,
    "revoke-report-share": Action.REVOKE_REPORT_LINKS,
    "downloads": Action.LOOK,
    "download": Action.LOOK,
    "compare-systems": Action.LOOK,
    "choose-split": Action.MANAGE,
    "publish-systems": Action.MANAGE,
    "withdraw-systems": Action.MANAGE,
    "system": Action.LOOK,
    "system-file": Action.LOOK,
    "score-again": Action.REVIEW,
    "show-system": Action.MANAGE,
}
SPECIAL = {
    ("settings", ""): Action.CHANGE_SETTINGS,
    ("settings-step", ""): Action.CHANGE_SETTINGS,
    **{("change-state", action): action for action in STATE_ACTIONS},
}
OUTSIDE_A_STUDY = {"studies", "all-pay", "new", "tokens", "revoke-token"}

# The actions that each operation needs, with a body for operations that validate it first.
API: dict[tuple[str, str], tuple[Action, Any]] = {
    ("get", "study"): (Action.LOOK, None),
    ("patch", "study"): (Action.CHANGE_SETTINGS, {}),
    ("delete", "study"): (Action.DELETE_DRAFT, None),
    ("post", "copies"): (Action.COPY, {}),
    ("post", "settings-import"): (Action.CHANGE_SETTINGS, {}),
    ("post", "unarchive"): (Action.UNARCHIVE, {}),
    ("get", "items"): (Action.LOOK, None),
    ("get", "questions"): (Action.LOOK, None),
    ("get", "gold"): (Action.LOOK, None),
    ("post", "exclude-gold"): (Action.EXCLUDE_GOLD, {"reason": "why"}),
    ("get", "candidates"): (Action.LOOK, None),
    ("post", "candidates"): (Action.DRAW_CANDIDATES, {}),
    ("post", "promotion"): (Action.PROMOTE_CANDIDATES, {}),
    ("put", "candidate-answer"): (Action.ANSWER_CANDIDATES, {"value": {"best": 1, "worst": 2}}),
    ("get", "template"): (Action.LOOK, None),
    ("get", "uploads"): (Action.LOOK, None),
    ("post", "uploads"): (Action.IMPORT_FILES, {}),
    ("get", "upload"): (Action.IMPORT_FILES, None),
    ("put", "upload"): (Action.IMPORT_FILES, {}),
    ("post", "import"): (Action.IMPORT_FILES, {}),
    ("delete", "import"): (Action.REMOVE_IMPORT, None),
    ("get", "design"): (Action.LOOK, None),
    ("post", "design"): (Action.BUILD_DESIGN, {}),
    ("get", "extension"): (Action.ADD_ITEMS, None),
    ("post", "extension"): (Action.ADD_ITEMS, {}),
    ("delete", "extension"): (Action.ADD_ITEMS, None),
    ("get", "unopened"): (Action.UPDATE_UNOPENED, None),
    ("post", "unopened"): (Action.UPDATE_UNOPENED, {}),
    ("get", "answers"): (Action.LOOK, None),
    ("get", "answer-stream"): (Action.LOOK, None),
    ("get", "assignments"): (Action.LOOK, None),
    ("get", "progress"): (Action.LOOK, None),
    ("post", "expected-answer"): (
        Action.CHANGE_EXPECTED_ANSWERS,
        {"value": {"best": 1, "worst": 2}, "reason": "why"},
    ),
    ("post", "judgements"): (Action.ADD_JUDGEMENTS, {"scope": "all"}),
    ("get", "open-hits"): (Action.LOOK, None),
    ("get", "todo"): (Action.LOOK, None),
    ("put", "todo-mail"): (Action.LOOK, {"wanted": True}),
    ("post", "end-lease"): (Action.END_LEASES, None),
    ("get", "annotators"): (Action.LOOK, None),
    ("get", "annotators-file"): (Action.LOOK, None),
    ("get", "guidelines"): (Action.LOOK, None),
    ("post", "job-again"): (Action.LOOK, None),
    ("post", "erase-annotator"): (Action.REMOVE_PERSONAL_DATA, {"reason": "why"}),
    ("post", "try-outs"): (Action.TRY_OUT, None),
    ("post", "simulations"): (Action.SIMULATE_ANNOTATORS, {}),
    ("post", "mturk-results"): (Action.IMPORT_RESULTS, {}),
    ("get", "mturk-results-file"): (Action.LOOK, None),
    ("get", "host-file"): (Action.SEE_PLATFORM_IDS, None),
    ("get", "result-imports"): (Action.IMPORT_RESULTS, None),
    ("post", "result-imports"): (Action.IMPORT_RESULTS, {}),
    ("get", "result-import"): (Action.IMPORT_RESULTS, None),
    ("post", "result-import"): (Action.IMPORT_RESULTS, {}),
    ("delete", "result-import"): (Action.IMPORT_RESULTS, None),
    ("post", "programs"): (Action.ADD_PROGRAMS, {}),
    ("post", "stop"): (Action.STOP_ANNOTATORS, {"reason": "why"}),
    ("post", "restore"): (Action.RESTORE_ANNOTATORS, {"reason": "why"}),
    ("get", "needs-look"): (Action.LOOK, None),
    ("get", "annotator-answers"): (Action.LOOK, None),
    ("post", "notes"): (Action.REVIEW, {"text": "why"}),
    ("post", "review"): (Action.REVIEW, {"text": "why"}),
    ("post", "exclude-answer"): (Action.EXCLUDE_ANSWERS, {"reason": "why"}),
    ("post", "include-answer"): (Action.EXCLUDE_ANSWERS, {"reason": "why"}),
    ("get", "integrity-signs"): (Action.LOOK, None),
    ("post", "integrity-signs"): (Action.CALCULATE_REPORTS, None),
    ("get", "messages"): (Action.LOOK, None),
    ("get", "team-messages"): (Action.LOOK, None),
    ("post", "team-messages"): (Action.REPLY, {"text": "Thank you."}),
    ("post", "reply"): (Action.REPLY, {"text": "Thank you."}),
    ("get", "pay"): (Action.LOOK, None),
    ("get", "pay-file"): (Action.LOOK, None),
    ("get", "spend"): (Action.LOOK, None),
    ("get", "payments"): (Action.LOOK, None),
    ("post", "payments"): (Action.PAY, {}),
    ("get", "payment"): (Action.LOOK, None),
    ("post", "undo-payment"): (Action.PAY, {"reason": "why"}),
    ("get", "bonuses"): (Action.LOOK, None),
    ("post", "bonuses"): (Action.PAY, {}),
    ("post", "correction"): (Action.PAY, {}),
    ("get", "submissions"): (Action.SEE_PLATFORM_IDS, None),
    ("get", "submissions-file"): (Action.SEE_PLATFORM_IDS, None),
    ("post", "submission-imports"): (Action.PAY, {}),
    ("post", "undo-submissions"): (Action.PAY, None),
    ("post", "record-rewards"): (Action.PAY, None),
    ("put", "rejection"): (Action.PAY, {}),
    ("delete", "rejection"): (Action.PAY, None),
    ("get", "bonus-lists"): (Action.LOOK, None),
    ("post", "bonus-lists"): (Action.PAY, None),
    ("get", "bonus-file"): (Action.SEE_PLATFORM_IDS, None),
    ("post", "pay-bonus-list"): (Action.PAY, {}),
    ("post", "cancel-bonus-list"): (Action.PAY, None),
    ("put", "prolific-study"): (Action.PAY, {"prolific_id": "5f8a1c2b9d3e4f6071829304"}),
    ("post", "prolific-draft"): (Action.PAY, {"minutes": 10, "places": 20}),
    ("post", "fetch-submissions"): (Action.PAY, None),
    ("post", "approve-submissions"): (Action.PAY, None),
    ("post", "pay-bonuses"): (Action.PAY, None),
    ("get", "adjudication"): (Action.DECIDE, None),
    ("get", "decisions"): (Action.LOOK, None),
    ("put", "decision"): (Action.DECIDE, {"value": {"best": 1, "worst": 2}}),
    ("delete", "decision"): (Action.DECIDE, None),
    ("post", "undo-decision"): (Action.DECIDE, {}),
    ("get", "reports"): (Action.LOOK, None),
    ("post", "reports"): (Action.CALCULATE_REPORTS, {}),
    ("get", "report"): (Action.LOOK, None),
    ("get", "report-zip"): (Action.LOOK, None),
    ("post", "report-zip"): (Action.LOOK, {"figures": {}}),
    ("get", "report-files"): (Action.LOOK, None),
    ("get", "report-file"): (Action.LOOK, None),
    ("get", "compare-reports"): (Action.LOOK, None),
    ("get", "report-shares"): (Action.SHARE_REPORTS, None),
    ("post", "report-shares"): (Action.SHARE_REPORTS, {}),
    ("delete", "report-share"): (Action.REVOKE_REPORT_LINKS, None),
    ("get", "jobs"): (Action.LOOK, None),
    ("get", "job"): (Action.LOOK, None),
    ("get", "exports"): (Action.LOOK, None),
    ("get", "export"): (Action.LOOK, None),
    ("get", "events"): (Action.LOOK, None),
    ("get", "waiting-list"): (Action.NAME_ANNOTATORS, None),
    ("delete", "waiting-person"): (Action.NAME_ANNOTATORS, None),
    ("get", "people-lists"): (Action.NAME_ANNOTATORS, None),
    ("post", "people-list"): (Action.NAME_ANNOTATORS, {"people": ["ada@example.org"]}),
    ("delete", "people-list"): (Action.NAME_ANNOTATORS, None),
    ("get", "groups"): (Action.NAME_ANNOTATORS, None),
    ("post", "groups"): (Action.NAME_ANNOTATORS, {"name": "Class 7b"}),
    ("delete", "group"): (Action.NAME_ANNOTATORS, None),
    ("get", "named-annotators"): (Action.NAME_ANNOTATORS, None),
    ("post", "named-annotators"): (Action.NAME_ANNOTATORS, {"names": ["Ada"]}),
    ("post", "link-mail"): (Action.NAME_ANNOTATORS, None),
    ("delete", "named-annotator"): (Action.NAME_ANNOTATORS, None),
    ("post", "reservations"): (Action.NAME_ANNOTATORS, {"hits": [1]}),
    ("delete", "reservations"): (Action.NAME_ANNOTATORS, None),
    ("post", "shares"): (Action.NAME_ANNOTATORS, None),
    ("get", "questionnaire"): (Action.LOOK, None),
    ("patch", "questionnaire"): (Action.CHANGE_SETTINGS, {"revision": 0}),
    ("get", "questionnaire-file"): (Action.SEE_PLATFORM_IDS, None),
    ("get", "members"): (Action.LOOK, None),
    ("patch", "member"): (Action.CHANGE_MEMBERS, {"role": "viewer"}),
    ("delete", "member"): (Action.CHANGE_MEMBERS, None),
    ("get", "invitations"): (Action.CHANGE_MEMBERS, None),
    ("post", "invitations"): (Action.CHANGE_MEMBERS, {}),
    ("delete", "invitation"): (Action.CHANGE_MEMBERS, None),
    ("get", "prolific"): (Action.CHANGE_SETTINGS, None),
    ("patch", "prolific"): (Action.CHANGE_SETTINGS, {"secured": True}),
    ("get", "webhooks"): (Action.MANAGE_WEBHOOKS, None),
    ("post", "webhooks"): (Action.MANAGE_WEBHOOKS, {}),
    ("get", "deliveries"): (Action.MANAGE_WEBHOOKS, None),
    ("get", "webhook"): (Action.MANAGE_WEBHOOKS, None),
    ("patch", "webhook"): (Action.MANAGE_WEBHOOKS, {}),
    ("delete", "webhook"): (Action.MANAGE_WEBHOOKS, None),
    ("post", "webhook-secret"): (Action.MANAGE_WEBHOOKS, None),
    ("post", "webhook-test"): (Action.MANAGE_WEBHOOKS, None),
    ("get", "phrase-samples"): (Action.LOOK, None),
    ("post", "phrase-samples"): (Action.REVIEW, {}),
    ("get", "phrase-sample"): (Action.LOOK, None),
    ("get", "phrase-verdicts"): (Action.LOOK, None),
    ("put", "phrase-verdicts"): (Action.REVIEW, {"verdicts": {}}),
    ("get", "systems"): (Action.LOOK, None),
    ("post", "systems"): (Action.REVIEW, {}),
    ("get", "compare-systems"): (Action.LOOK, None),
    ("get", "system"): (Action.LOOK, None),
    ("patch", "system"): (Action.MANAGE, {"public": True}),
    ("get", "system-file"): (Action.LOOK, None),
    ("post", "score-system"): (Action.REVIEW, None),
    ("get", "leaderboard"): (Action.LOOK, None),
    ("put", "leaderboard"): (Action.MANAGE, {"heading": "Systems"}),
    ("delete", "leaderboard"): (Action.MANAGE, None),
    ("get", "split"): (Action.LOOK, None),
    ("put", "split"): (Action.MANAGE, {}),
    ("delete", "split"): (Action.MANAGE, None),
    ("get", "releases"): (Action.LOOK, None),
    ("post", "releases"): (Action.MANAGE, {}),
    ("put", "state"): (Action.MANAGE, {"state": "archived"}),
}
STATES = {"open": Action.OPEN, "paused": Action.PAUSE, "closed": Action.CLOSE, "archived": Action.ARCHIVE}
METHODS = ("get", "post", "put", "patch", "delete")


class Route(NamedTuple):
    name: str
    parts: frozenset[str]
    methods: tuple[str, ...]  # of an API operation


def routes(patterns: Iterable[URLPattern | URLResolver], above: frozenset[str] = frozenset()) -> Iterator[Route]:
    """Yield every URL with the names of its parameters."""
    for pattern in patterns:
        parts = above | set(pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, parts)
        else:
            view = getattr(pattern.callback, "cls", None)
            yield Route(pattern.name, parts, tuple(method for method in METHODS if hasattr(view, method)))


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(joined_study)


def joined_study() -> Study:
    study = make_study(gold=4)
    make_annotator(study)
    return study


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def user_with(role: str, study: Study) -> Any:
    """Return a user with this role, or None for a visitor who has not signed in."""
    if role == "anonymous":
        return None
    user = UserFactory(is_staff=role == "administrator", is_superuser=role == "administrator")
    if role in Membership.Role.values:
        Membership.objects.create(study=study, user=user, role=role)
    return user


@cache
def ids_of(study_id: int) -> dict[str, str]:
    """Return what the paths of a study need. Hundreds of paths of the same study do not ask the database again."""
    study = Study.objects.get(pk=study_id)
    gold = study.questions.filter(kind=Question.Kind.GOLD).first()
    return {"pseudonym": study.participations.get().pseudonym, "question": gold.public_id}


def path_of(namespace: str, route: Route, study: Study, **fixed: str) -> str:
    values = {
        "study": study.public_id,
        "other": 1,
        "number": 1,
        "position": 1,
        "purpose": "items",
        "step": "pay",
        "questionnaire": "screening",
        "ref": "tuple-01",
        **ids_of(study.pk),
        **fixed,
    }
    return reverse(f"{namespace}:{route.name}", kwargs={name: values.get(name, "any") for name in route.parts})


def test_every_page_of_the_console_has_an_entry() -> None:
    named = {route.name for route in routes(console_patterns)}
    assert named == CONSOLE.keys() | OUTSIDE_A_STUDY
    assert {route.name for route in routes(console_patterns) if "study" not in route.parts} == OUTSIDE_A_STUDY


def test_every_operation_of_the_api_has_an_entry() -> None:
    operations = {
        (method, route.name) for route in routes(api_patterns) if "study" in route.parts for method in route.methods
    }
    assert operations == API.keys()


@pytest.mark.parametrize("role", ROLES)
def test_each_page_is_for_the_roles_of_its_action(role: str, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    permitted: list[Study] = []
    frame = access.StudyConsole

    def spy(study: Study, path: str) -> access.StudyConsole:
        permitted.append(study)
        return frame(study, path)

    monkeypatch.setattr(access, "StudyConsole", spy)
    client, user = Client(), user_with(role, study)
    if user:
        client.force_login(user)
    for route in routes(console_patterns):
        if route.name in OUTSIDE_A_STUDY:
            continue
        path, allowed = path_of("console", route, study), role in PERMISSIONS[CONSOLE[route.name]].roles
        for method in ("get", "post"):
            permitted.clear()
            with transaction.atomic():
                response = getattr(client, method)(path)
                transaction.set_rollback(True)
            assert bool(permitted) == allowed, f"{method} {route.name} as {role}"
            if not allowed:
                assert response.status_code == (404 if user else 302), f"{method} {route.name} as {role}"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("name", "action"), SPECIAL)
def test_requests_that_need_more_than_their_page(role: str, name: str, action: str, study: Study) -> None:
    client, user = Client(), user_with(role, study)
    if user:
        client.force_login(user)
    route = next(route for route in routes(console_patterns) if route.name == name)
    before = study.events.count()
    status = client.post(path_of("console", route, study, action=action), {"title": "Changed"}).status_code
    if role in PERMISSIONS[SPECIAL[name, action]].roles:
        assert status in (302, 422)
    else:
        assert status == (404 if user else 302)
        assert study.events.count() == before


@pytest.mark.parametrize("role", ROLES)
def test_each_operation_is_for_the_roles_of_its_action(
    role: str, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[bool] = []
    real = research.study_for

    def spy(*arguments: Any, **named: Any) -> Study:
        try:
            found = real(*arguments, **named)
        except Http404:
            answers.append(False)
            raise
        answers.append(True)
        return found

    monkeypatch.setattr(research, "study_for", spy)
    monkeypatch.setattr(research.ResearchThrottle, "allow_request", lambda *arguments: True)
    user = user_with(role, study)
    headers = {"Authorization": f"Token {new_api_token(user, 'script')[1]}"} if user else {}
    client = Client(headers=headers)
    names = {route.name: route for route in routes(api_patterns)}
    operations = [(method, name, action, body) for (method, name), (action, body) in API.items() if name != "state"]
    operations += [("put", "state", action, {"state": state}) for state, action in STATES.items()]
    for method, name, action, body in operations:
        answers.clear()
        with transaction.atomic():
            response = client.generic(
                method.upper(),
                path_of("api", names[name], study, kind="results"),
                b"" if body is None else json.dumps(body),
                content_type="application/json",
            )
            transaction.set_rollback(True)
        allowed = role in PERMISSIONS[action].roles
        assert bool(answers and all(answers)) == allowed, f"{method} {name} {body} as {role}"
        if not allowed:
            assert response.status_code == (404 if user else 401), f"{method} {name} as {role}"


def test_templates_offer_what_the_role_and_the_state_allow(study: Study) -> None:
    expected = {
        "owner": {"draft": {"archive", "open"}, "open": {"pause", "close"}, "closed": {"open", "archive"}},
        "manager": {"draft": {"open"}, "open": {"pause", "close"}, "closed": {"open"}},
        "reviewer": {"draft": set(), "open": set(), "closed": set()},
    }
    for role, states in expected.items():
        for state, actions in states.items():
            study.role, study.state = role, state
            may = access.StudyConsole(study, "/").may
            assert {name for name in ("open", "pause", "close", "archive") if may[name]} == actions, (role, state)
