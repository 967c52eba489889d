"""The pages, operations, services and tables of planning, for tests of the whole site (see tests/rooms.py)."""

from typing import Any

from annotate.core.permissions import Action
from annotate.models import Study, User
from annotate.planning.services.checks import check_plan
from annotate.planning.services.plans import make_plan, request_plan, use_plan

from .charts import CHARTS
from .walk import plan

__all__ = ["CHARTS"]

SMALL = {"items": 100, "answers": [2], "studies": 20}


def no_progress(share: float, text: str) -> None:
    """Ignore the progress of a job."""


CONSOLE = {
    "plan": Action.LOOK,
    "stored-plan": Action.LOOK,
    "calculate-plan": Action.MANAGE,
    "estimate": Action.MANAGE,
    "use-plan": Action.CHANGE_SETTINGS,
}
API = {
    ("get", "plans"): (Action.LOOK, None),
    ("post", "plans"): (Action.MANAGE, {}),
    ("get", "plan"): (Action.LOOK, None),
    ("get", "plan-comparison"): (Action.LOOK, None),
    ("post", "use-plan"): (Action.CHANGE_SETTINGS, {"per_question": 2, "design": {"size": 4, "factor": 2.0}}),
}
OPERATIONS: dict[str, list[tuple[str, str]] | str] = {
    "plan": [("get", "plans")],
    "stored-plan": [("get", "plan")],
    "calculate-plan": [("post", "plans")],
    "estimate": [("post", "plans")],
    "use-plan": [("post", "use-plan")],
}
LOOK = [("GET", "studies/{study}/plans"), ("GET", "studies/{study}/plans/comparison")]
MANAGE = [("POST", "studies/{study}/plans"), ("POST", "studies/{study}/plans/1/use")]
PLACES = {"plans/1": "plan"}
NUMBERS = dict.fromkeys(["plan", "stored-plan", "use-plan"], "plan")
NUMBERED = ["plan"]
NAMED = [("post", "plans", "study", lambda name: {"pilot": name})]
SERVICES = [
    (Action.MANAGE, lambda s, user: request_plan(s.study, SMALL, user=user)),
    (Action.MANAGE, lambda s, user: make_plan(s.study.pk, SMALL, user=user, progress=no_progress)),
    (
        Action.CHANGE_SETTINGS,
        lambda s, user: use_plan(s.plan.pk, per_question=2, design=s.plan.parameters["design"], user=user),
    ),
    (Action.CALCULATE_REPORTS, lambda s, user: check_plan(s.study.pk, user=user, progress=no_progress)),
]
OTHERWISE = {"checked_parameters", "with_pilot", "read_pilot"}
# The requests and jobs that `script/walks` follows.
WALKS = [plan]
# Columns whose values look like secrets, but are not.
NOT_SECRET = ["planning.Plan.key"]
# The migrations of the release, with their digests.
MIGRATIONS = {
    "annotate/planning/migrations/0001_initial.py": "8c4fbd6f39f10f9c9bc540b07064cd1ab9a37b78cf8605f56d1fc9f2e40ded1c",
}


def objects(study: Study, user: User) -> dict[str, Any]:
    """Add a plan to the study, with another number than plans of other studies."""
    plan = make_plan(study.pk, {**SMALL, "seed": 2}, user=user, progress=no_progress)
    plan.number = 1_000 + study.pk
    plan.save(update_fields=["number"])
    return {"plan": plan}
