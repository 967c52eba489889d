"""The pages, operations and services of programs, for tests of the whole site (see tests/rooms.py)."""

import json
from typing import Any

from annotate.core.permissions import Action
from annotate.models import Study, User
from annotate.programs.lines import read_questions
from annotate.programs.services.joining import add_program

CONSOLE = {
    "programs": Action.LOOK,
    "compare-programs": Action.CALCULATE_REPORTS,
    "programs-table": Action.LOOK,
    "programs-report": Action.LOOK,
}
API = {
    ("post", "programs"): (Action.ADD_AUTOMATIC_ANNOTATORS, {}),
    ("get", "programs"): (Action.LOOK, None),
    ("get", "program-comparison"): (Action.LOOK, None),
    ("post", "program-comparison"): (Action.CALCULATE_REPORTS, {}),
}
OPERATIONS: dict[str, list[tuple[str, str]] | str] = {
    "programs": [("get", "programs"), ("get", "program-comparison")],
    "compare-programs": [("post", "program-comparison")],
    "programs-table": [("get", "program-comparison")],
    "programs-report": [("get", "program-comparison")],
}
LOOK = [("GET", "studies/{study}/programs"), ("GET", "studies/{study}/programs/comparison")]
REVIEW = [("POST", "studies/{study}/programs/comparison")]
MANAGE = [("POST", "studies/{study}/programs")]
NUMBERS = {"programs-table": "comparison", "programs-report": "comparison"}
SERVICES = [
    (
        Action.ADD_AUTOMATIC_ANNOTATORS,
        lambda s, user: add_program(s.study.pk, platform="system", name="baseline", user=user),
    ),
]
OTHERWISE = {"compare_programs"}
# The readers of files, each with text that contains other letters than ASCII.
READERS = {
    "questions of a program": (
        lambda data: read_questions(data, name="f"),
        json.dumps(
            {"ref": "früh", "task_type": "best-worst", "question": {"items": ["Café", "Küche"]}}, ensure_ascii=False
        ),
    ),
}
# The commands that print no table of figures, with their output.
WITHOUT_TABLE = {"annotate": "questions and answers in JSON lines"}
# The objects that URLs name by their number.
NUMBERED = ["comparison"]
# The answers of programs are not judgements, so the comparison with people selects both kinds of answers.
SPELLED = [("annotate/programs/selectors.py", "repeat=False")]


def objects(study: Study, user: User) -> dict[str, Any]:
    """Add a comparison of programs with people to the study."""
    gold = {"pseudonym": "p", "name": study.title, "gold": {"right": 1, "answers": 1}}
    result = {"programs": [gold], "figures": [], "agreement": [], "scores": [], "alt_test": []}
    return {"comparison": study.reports.create(number=1_000 + study.pk, kind="programs", seed=1, result=result)}
