"""Tests that each visitor can send the requests that the role allows, and no others."""

import pytest

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.models.compiled import update_all
from annotate.prolific.services.settings import begin_prolific
from annotate.web.pages import access
from tests.core.test_permissions import SPECIAL
from tests.factories import member_of
from tests.web.study_access.exposed_secrets import all_secrets, shown
from tests.web.study_access.routes import NESTED, NOT_YET, ROUTES, SAMPLE, UNKNOWN, Route
from tests.web.study_access.visitors import Outcome, Two, Visitor, changes, reader, token_of, visitors

pytestmark = pytest.mark.django_db
# Operations that give the same error for the study's own object and for an unknown object, because the bonuses can be
# paid only through a linked study on Prolific, and because the import has changed nothing that could be undone.
SAME_ERROR = {("api", "pay-bonuses", "number"), ("api", "undo-submissions", "number")}
REQUESTS = [(route, method) for route in ROUTES for method in route.methods if route.name != "state"]
STATES = {"open": Action.OPEN, "paused": Action.PAUSE, "closed": Action.CLOSE, "archived": Action.ARCHIVE}


def test_every_nested_parameter_of_every_url_is_known(two: Two) -> None:
    unknown = {
        (route.namespace, route.name, part)
        for route in NESTED
        for part in route.nested
        if route.kind(part) not in two.mine.ids
    }
    assert not unknown, "add the object to tests/nested_objects.py"
    assert len(NESTED) > 100


def test_every_form_of_statement_is_noticed(two: Two) -> None:
    study = Study.objects.get(pk=two.mine.study.pk)
    with changes() as changed:
        list(Study.objects.select_for_update())
        Study.objects.filter(pk=-1).update(title="x")
        assert not changed()
        update_all([study], ["title"])
        assert changed()


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.nightly)])  # how many requests stand for one
def test_every_request_of_every_visitor(every: int, two: Two, permitted: list[bool]) -> None:
    """Each visitor sends each request once. Roles, secrets, changes and other studies' IDs are checked on one response,
    because the pages take most of the time.
    """
    everybody, secrets, reached = visitors(two), all_secrets(two.mine), set[tuple[str, str, str]]()
    faults, opened, shown_to_owner = [], 0, set[str]()
    for route, method in REQUESTS[::every]:
        action = route.action(method)
        unknown: dict[int, Outcome] = {}  # the reply about a study that does not exist, once for each kind of refusal
        for who in everybody[route.namespace]:
            allowed = who.may(action, method)
            if who.skips(route, method, allowed=allowed):
                continue
            permitted.clear()
            found = who.ask(route, method, two.path(route), conforms=True)
            wrong = []
            if bool(permitted and all(permitted)) != allowed:
                wrong.append("must be permitted" if allowed else "must not be permitted")
            if not allowed and found.status != who.refusal:
                wrong.append(f"not {who.refusal}")
            if allowed and method == "get" and found.status not in (405, opens := NOT_YET.get(route[:2], 200)):
                wrong.append(f"not {opens}")
            if found.changed and (method == "get" or not allowed):
                wrong.append("changes a table")
            if not who.role:
                if who.refusal not in unknown:
                    unknown[who.refusal] = who.ask(route, method, two.path(route, study=UNKNOWN["study"]))
                missing = unknown[who.refusal]
                own = found.text.replace(two.ids(route, two.mine)["study"], "")
                if found.status != missing.status or own.count(two.mine.mark) > missing.text.count(two.mine.mark):
                    wrong.append("differs from a study that does not exist")
            if who.name == "owner":
                wrong += faults_of_owner(two, who, route, method, found, reached)
                shown_to_owner |= {*shown(found.text, secrets)} if route.namespace == "console" else set()
            elif method == "get" and who.role and who.name != "manager":
                wrong += [f"shows {name}" for name in shown(found.text, secrets)]
            opened += found.status == 200
            faults += [f"{method} {route.namespace}:{route.name} as {who.name}: {found.status}, {it}" for it in wrong]
    assert not faults, "\n".join(faults)
    assert opened > 300 / every
    if every > 1:
        return
    assert {"annotate.Study.join_token", "personal link", "group code"} <= shown_to_owner, "secrets are not noticed"
    left = sorted({(each.namespace, each.name, part) for each in NESTED for part in each.nested} - reached - SAME_ERROR)
    assert not left, f"{left}: the test would not notice another study's object here"


def faults_of_owner(
    two: Two, owner: Visitor, route: Route, method: str, found: Outcome, reached: set[tuple[str, str, str]]
) -> list[str]:
    """The owner of both studies opens every page, forms also with HEAD, and names objects of the other study
    in the URLs of this study.
    """
    wrong = []
    if method == "post" and route.namespace == "console" and found.status != 405:
        wrong += ["changes a table with HEAD"] if owner.ask(route, "head", two.path(route)).changed else []
    wrong += ["fails"] if found.status >= 500 else []
    for part in route.nested:
        kind = route.kind(part)
        other = two.other.ids[kind]
        mixed = owner.ask(route, method, two.path(route, **{kind: other}))
        missing = owner.ask(route, method, two.path(route, **{kind: UNKNOWN.get(kind, "A" * 22)}))
        named = two.other.mark in mixed.text and two.other.mark not in str(other)
        if mixed.status != missing.status or mixed.changed or named:
            wrong.append(f"{mixed.status} with another study's {kind}")
        if found.status != missing.status or found.changed or len(found.text) != len(missing.text):
            reached.add((route.namespace, route.name, part))
    return wrong


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_codes_of_prolific_are_for_people_who_can_invite(every: bool, two: Two) -> None:
    Study.objects.filter(pk=two.mine.study.pk).update(recruitment=Study.Recruitment.PROLIFIC)
    two.mine.study.refresh_from_db()
    begin_prolific(two.mine.study)
    secrets = all_secrets(two.mine)
    assert any(name.startswith("annotate.ProlificSettings.codes[") for name in secrets)
    user = member_of(two.mine.study, "reviewer")
    everybody = {"console": [Visitor(user=user)], "api": [Visitor(authorization=token_of(user)), reader(two)]}
    faults = []
    for route in (
        route for route in ROUTES if "get" in route.methods and (every or "prolific" in route.name or route in SAMPLE)
    ):
        for who in everybody[route.namespace]:
            text = who.ask(route, "get", two.path(route)).text
            faults += [f"{route.namespace}:{route.name} shows {name}" for name in shown(text, secrets)]
    assert not faults, "\n".join(faults)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "action"), SPECIAL)
def test_requests_that_need_more_than_their_page(name: str, action: str, two: Two) -> None:
    route = next(route for route in ROUTES if (route.namespace, route.name) == ("console", name))
    for who in visitors(two)["console"]:
        found = who.ask(route, "post", route.path(two.mine.ids, action=action), {"title": "Changed"})
        if who.may(SPECIAL[name, action], "post"):
            assert found.status in (302, 422), who.name
        else:
            assert (found.status, found.changed) == (who.refusal, False), who.name


@pytest.mark.nightly
@pytest.mark.parametrize("state", STATES)
def test_states_that_need_other_roles(state: str, two: Two, permitted: list[bool]) -> None:
    route = next(route for route in ROUTES if (route.namespace, route.name) == ("api", "state"))
    for who in visitors(two)["api"]:
        permitted.clear()
        found = who.ask(route, "put", two.path(route), {"state": state})
        allowed = who.may(STATES[state], "put")
        assert bool(permitted and all(permitted)) == allowed, who.name
        assert allowed or (found.status, found.changed) == (who.refusal, False), who.name


def test_templates_offer_what_the_role_and_the_state_allow(two: Two) -> None:
    study = Study.objects.get(pk=two.mine.study.pk)
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
