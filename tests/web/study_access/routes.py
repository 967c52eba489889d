"""The URLs in a study, the objects that their parameters name, and the bodies that their requests need."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import URLResolver, get_resolver, reverse

from annotate.core.permissions import Action
from tests.core.test_permissions import API, CONSOLE
from tests.rooms import entries, rows

# The kind of object that a parameter names on these URLs. Elsewhere, the parameter names the kind of the same name.
KINDS = {
    "number": {
        "payment": "payment",
        "undo-payment": "payment",
        "pay-bonuses": "bonus list",
        "bonus-file": "bonus list",
        "confirm-bonuses": "bonus list",
        "cancel-bonuses": "bonus list",
        "pay-bonus-list": "bonus list",
        "cancel-bonus-list": "bonus list",
        "submissions-preview": "import",
        "submissions-import": "import",
        "submissions-undo": "import",
        "undo-submissions": "import",
        "report": "report",
        "report-page": "report",
        "report-zip": "report",
        "report-file": "report",
        "report-files": "report",
        "report-shares": "report",
        "report-share": "report",
        "revoke-report-share": "report",
        "restore-report-share": "report",
        "compare-reports": "report",
        "system": "system",
        "system-file": "system",
        "score-again": "system",
        "score-system": "system",
        "show-system": "system",
        "phrase-sample": "phrase sample",
        "phrase-verdicts": "phrase sample",
        "add-round": "round",
        **entries("NUMBERS"),
        "guidelines": "guidelines",
    },
    "question": {
        "set-aside": "gold",
        "restore-gold": "gold",
        "dispute": "gold",
        "keep-expected-answer": "gold",
        "reopen-disputes": "gold",
        "keep-answer": "gold",
        "exclude-gold": "gold",
        "expected-answer": "gold",
        "candidate": "candidate",
        "candidate-answer": "candidate",
        "decide": "question",
        "undo-decision": "question",
        "withdraw-decision": "question",
        "question": "question",
    },
}
# Parameters that choose among a page's own names, which are the same in every study.
CHOICES = {
    "purpose": "items",
    "questionnaire": "screening",
    "scope": "all",
    "step": "pay",
    "action": "pause",
    "audience": "crowd",
    "kind": "exclude",
    "panel": "systems",
    "slug": "systems",
    "page": "items",
    "filename": "report.json",
    "name": "age",
    "table": "gold",
    "position": 1,
    "document": "heds",
}
CHOICES_ON_PAGE = {
    ("report", "kind"): "results",
    ("submissions-file", "filename"): "prolific-submissions.csv",
    ("download", "filename"): "scores.csv",
    ("payments-file", "filename"): "payments.csv",
    ("preregistration-file", "filename"): "preregistration-1.md",
    ("export", "filename"): "scores.csv",
    **entries("CHOICES_ON_PAGE"),
}
# What these pages need in the query.
QUERIES = {
    ("console", "new-person-question"): "?kind=number",
    ("console", "compare-systems"): "?one={system}&other={system}",
    ("api", "compare-systems"): "?first={system}&second={system}",
}
# Pages that the owner of this study cannot open yet, with their status. The rest of the request is the same.
NOT_YET = {
    ("api", "unopened"): 409,  # no setting has changed since the questions were built
    ("api", "extension"): 409,  # all items are in the design
    ("console", "submissions-preview"): 302,  # the import was confirmed
    ("console", "dispute"): 302,  # the disputes about the question are settled
    ("console", "compare-systems"): 422,  # there is no second system
    ("api", "compare-systems"): 400,
    ("console", "preregistration-file"): 404,  # no plan is frozen
    ("console", "repeat"): 404,  # the study repeats no released study
    ("api", "repeat"): 404,
    ("api", "comparison"): 404,  # the study has not been compared with a repeat
    ("console", "assisted-file"): 404,  # people answer all questions
    ("console", "label-errors"): 404,  # the answers to this study are no labels
    ("api", "error-sample"): 404,
    **entries("NOT_YET"),
}
UNKNOWN = {
    "study": "A" * 22,
    **dict.fromkeys(["report", "other", "round", "system", "guidelines", *rows("NUMBERED")], 999),
} | dict.fromkeys(("payment", "bonus list", "phrase sample"), 999)
# Bodies without which a form or an operation is rejected before its object is looked for.
FORMS = {
    "correct-entry": {"amount": "2", "reason": "why"},
    "correction": {"amount": "2", "reason": "why"},
    "give-bonus": {"amount": "2", "reason": "why", "seen": "1"},
    "undo-payment": {"reason": "why"},
    "reply": {"text": "Thank you."},
    "reject-submission": {"category": "OTHER", "message": "The answers to the gold questions were wrong. " * 3},
}
METHODS = ("get", "post", "put", "patch", "delete")


class Route(NamedTuple):
    namespace: str
    name: str
    parts: frozenset[str]
    methods: tuple[str, ...]

    @property
    def nested(self) -> list[str]:
        return sorted(self.parts - CHOICES.keys() - {"study"})

    def kind(self, part: str) -> str:
        return KINDS.get(part, {}).get(self.name, part)

    def path(self, ids: dict[str, Any], **choices: str) -> str:
        values = {
            part: choices.get(part) or CHOICES_ON_PAGE.get((self.name, part), CHOICES[part])
            if part in CHOICES
            else ids[self.kind(part)]
            for part in self.parts
        }
        return reverse(f"{self.namespace}:{self.name}", kwargs=values)

    def action(self, method: str) -> Action:
        if self.namespace == "console":
            return CONSOLE[self.name]
        return (
            Action.CALCULATE_REPORTS if self.name == "job-again" else API[method, self.name][0]
        )  # its job is a report


def routes(patterns: Any, namespace: str = "", above: frozenset[str] = frozenset()) -> Iterator[Route]:
    """Yield every URL in a study."""
    for pattern in patterns:
        parts = above | set(pattern.pattern.converters) | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, pattern.namespace or namespace, parts)
        elif namespace in ("console", "api") and "study" in parts:
            view = getattr(pattern.callback, "cls", None)
            methods = tuple(method for method in METHODS if hasattr(view, method)) if view else ("get", "post")
            yield Route(namespace, pattern.name, parts, methods)


ROUTES = list(routes(get_resolver().url_patterns))
NESTED = [route for route in ROUTES if route.nested]
# One page and one operation for each action. test_permissions.py compares the action of every page.
SAMPLE = set({CONSOLE[route.name]: route for route in ROUTES if route.namespace == "console"}.values())
API_SAMPLE = set({(action, method): (method, name) for (method, name), (action, _) in API.items()}.values())
