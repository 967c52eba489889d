"""A test that compares the console with the API: each page of the console, including the pages of task types, has API
operations with the same effect, or a reason why there is none.
"""

from annotate import tasktypes
from annotate.api.urls import urlpatterns as api_patterns
from annotate.console.urls import urlpatterns as console_patterns
from annotate.core.permissions import PERMISSIONS
from annotate.models import Study
from annotate.tasktypes import extensions
from tests.core.test_permissions import API, CONSOLE, routes
from tests.rooms import entries

UNDO = "Undo is for a slip of the hand. A script acts on purpose."
FILES = "The page creates a file of items, which a script can upload. The accord command creates the same file."
# The API operations for each page and each action of the console, or the reason why the API has no operation.
OPERATIONS: dict[str, list[tuple[str, str]] | str] = {
    "studies": [("get", "studies")],
    "new": [("post", "studies")],
    "recognise": "Scripts know what their files contain.",
    "find": "Scripts know the addresses of what they need.",
    "find-in-study": "Scripts know the addresses of what they need.",
    "all-pay": [("get", "all-pay")],
    "tokens": "A token must not be able to create other tokens.",
    "revoke-token": "A token must not be able to change other tokens.",
    "items": [("get", "items"), ("get", "uploads")],
    "add-data": [("post", "uploads")],
    "upload": [("post", "uploads")],
    "upload-preview": [("get", "upload")],
    "template": [("get", "template")],
    "upload-layout": [("put", "upload")],
    "import": [("post", "import")],
    "remove-import": [("delete", "import")],
    "restore-import": UNDO,
    "copy": [("post", "copies")],
    "import-settings": [("post", "settings-import")],
    "delete-draft": [("delete", "study")],
    "design": [("get", "design")],
    "build-design": [("post", "design")],
    "add-items": [("post", "extension")],
    "plan-items": [("get", "extension")],
    "undo-items": [("delete", "extension")],
    "update-unopened": [("post", "unopened")],
    "open": [("put", "state")],
    "who-answers": [("patch", "study")],
    "try": [("post", "try-outs")],
    "gold": [("get", "gold"), ("get", "candidates")],
    "disputes": [("get", "gold"), ("get", "messages")],
    "dispute": [("get", "gold"), ("get", "messages")],
    "keep-expected-answer": [("post", "keep-answer")],
    "reopen-disputes": [("delete", "keep-answer")],
    "draw": [("post", "candidates")],
    "promote": [("post", "promotion")],
    "undo-promotion": UNDO,
    "candidate": [("put", "candidate-answer")],
    "set-aside": [("post", "exclude-gold")],
    "restore-gold": UNDO,
    "expected-answer": [("post", "expected-answer")],
    "settings": [("get", "study"), ("patch", "study")],
    "states": [("get", "study")],
    "settings-step": [("patch", "study"), ("get", "gold-rule")],
    "prolific": [("get", "prolific"), ("patch", "prolific")],
    "other-panel": "Its settings belong to the study. A person enters the URL and the key on the panel.",
    "change-state": [("put", "state"), ("post", "unarchive")],
    "members": [("get", "members"), ("get", "invitations")],
    "invite-member": [("post", "invitations")],
    "withdraw-invitation": [("delete", "invitation")],
    "todo-mail": [("put", "todo-mail")],
    "set-role": [("patch", "member")],
    "remove-member": [("delete", "member")],
    "history": [("get", "events")],
    "guidelines": [("get", "guidelines")],
    "overview": [("get", "progress"), ("get", "todo"), ("get", "spend")],
    "end-pilot": [("patch", "study")],
    "compute-progress": [("post", "reports")],
    "judgements": [("post", "judgements")],
    "add-judgements": [("post", "judgements")],
    "rounds": [("get", "rounds"), ("post", "round-plan")],
    "add-round": [("post", "rounds")],
    "open-hits": [("get", "open-hits")],
    "end-lease": [("post", "end-lease")],
    "restore-lease": UNDO,
    "recruit": [("get", "study"), ("get", "groups"), ("get", "named-annotators")],
    "groups": [("get", "groups"), ("post", "groups")],
    "set-quota": [("patch", "group")],
    "set-population": [("patch", "group")],
    "revoke-group": [("delete", "group")],
    "restore-group": UNDO,
    "people-lists": [("get", "people-lists")],
    "add-to-list": [("post", "people-list")],
    "clear-list": [("delete", "people-list")],
    "waiting": [("get", "waiting-list")],
    "remove-waiting": [("delete", "waiting-person")],
    "add-people": [("post", "named-annotators")],
    "links-file": [("get", "named-annotators")],
    "mail-links": [("post", "link-mail")],
    "named": [("get", "named-annotators")],
    "add-named": [("post", "named-annotators")],
    "remove-named": [("delete", "named-annotator")],
    "reserve-hits": [("post", "reservations")],
    "end-reservations": [("delete", "reservations")],
    "share-hits": [("post", "shares")],
    "questionnaire": [("get", "questionnaire")],
    "change-questionnaire": [("patch", "questionnaire")],
    "questionnaire-file": [("get", "questionnaire-file")],
    "new-person-question": [("patch", "questionnaire")],
    "person-question": [("patch", "questionnaire")],
    "move-person-question": [("patch", "questionnaire")],
    "delete-person-question": [("patch", "questionnaire")],
    "annotators": [("get", "annotators"), ("get", "needs-look"), ("get", "integrity-signs")],
    "annotators-file": [("get", "annotators-file")],
    "calculate-indicators": [("post", "integrity-signs")],
    "annotator": [("get", "annotator-answers")],
    "stop-annotator": [("post", "stop")],
    "restore-annotator": [("post", "restore")],
    "exclude-answer": [("post", "exclude-answer")],
    "include-answer": [("post", "include-answer")],
    "message-annotator": [("post", "team-messages")],
    "message-all": [("post", "team-messages")],
    "note-on-annotator": [("post", "notes")],
    "review-annotator": [("post", "review")],
    "erase-annotator": [("post", "erase-annotator")],
    "problem-reports": [("get", "messages"), ("post", "reply")],
    "messages": [("get", "messages"), ("get", "team-messages")],
    "reply": [("post", "reply")],
    "pay": [("get", "pay")],
    "pay-file": [("get", "pay-file")],
    "payments-file": [("get", "payments-file"), ("get", "payments-workbook")],
    "record-payment": [("post", "payments")],
    "pay-annotator": [("get", "bonuses"), ("get", "payments")],
    "give-bonus": [("post", "bonuses")],
    "correct-entry": [("post", "correction")],
    "payments": [("get", "payments")],
    "payment": [("get", "payment")],
    "undo-payment": [("post", "undo-payment")],
    "submissions": [("get", "submissions"), ("get", "bonus-lists")],
    "submissions-file": [("get", "submissions-file")],
    "submissions-upload": [("post", "submission-imports")],
    "submissions-preview": [("post", "submission-imports")],
    "submissions-import": [("post", "submission-imports")],
    "submissions-undo": [("post", "undo-submissions")],
    "reject-submission": [("put", "rejection")],
    "keep-submission": [("delete", "rejection")],
    "record-rewards": [("post", "record-rewards")],
    "create-bonuses": [("post", "bonus-lists")],
    "bonus-file": [("get", "bonus-file")],
    "confirm-bonuses": [("post", "pay-bonus-list")],
    "cancel-bonuses": [("post", "cancel-bonus-list")],
    "link-prolific": [("put", "prolific-study")],
    "draft-prolific": [("post", "prolific-draft")],
    "fetch-submissions": [("post", "fetch-submissions")],
    "approve-submissions": [("post", "approve-submissions")],
    "pay-bonuses": [("post", "pay-bonuses")],
    "questions": [("get", "questions")],
    "question": [("get", "questions"), ("get", "answers")],
    "adjudicate": [("get", "adjudication"), ("get", "decisions")],
    "label-errors": [("get", "error-sample"), ("post", "error-sample")],
    "decide": [("put", "decision")],
    "withdraw-decision": [("delete", "decision")],
    "undo-decision": [("post", "undo-decision")],
    "jobs": [("get", "jobs")],
    "job": [("get", "job")],
    "job-again": [("post", "job-again")],
    "results": [("get", "reports")],
    "reports": [("get", "reports")],
    "compute-results": [("post", "reports")],
    "report": [("get", "report")],
    "report-page": [("get", "report")],
    "report-file": [("get", "report-files"), ("get", "report-file")],
    "report-zip": [("get", "report-zip"), ("post", "report-zip")],
    "compare-reports": [("get", "compare-reports")],
    "report-shares": [("get", "report-shares"), ("post", "report-shares")],
    "revoke-report-share": [("delete", "report-share")],
    "restore-report-share": UNDO,
    "downloads": [("get", "exports")],
    "download": [("get", "export")],
    "compare-systems": [("get", "compare-systems")],
    "repeat": [("get", "repeat")],
    "report-methods": [("get", "methods")],
    "report-documents": [("get", "report-documents")],
    "report-document": [("get", "report-documents")],
    "preregistration": [("get", "preregistrations")],
    "preregistration-file": [("get", "preregistrations")],
    "freeze-plan": [("post", "preregistrations")],
    "choose-split": [("put", "split"), ("get", "split"), ("delete", "split")],
    "publish-systems": [("put", "leaderboard"), ("get", "leaderboard")],
    "withdraw-systems": [("delete", "leaderboard")],
    "system": [("get", "system")],
    "system-file": [("get", "system-file")],
    "score-again": [("post", "score-system")],
    "show-system": [("patch", "system")],
    "assisted-file": [("get", "assisted")],
    "extension:assisted": [("get", "assisted"), ("post", "assisted")],
    "extension:systems": [("get", "systems"), ("post", "systems")],
    "extension:reporting": [("get", "report-form"), ("patch", "report-form")],
    "extension:release": [("get", "releases"), ("post", "releases")],
    "bws:pairs": FILES,
    "chunks:two-files": FILES,
    "chunks:chunk": FILES,
    "chunks:against": "The page stores nothing. The operation that adds a system calculates the same scores.",
    "words:two-files": FILES,
    "words:phrases": [
        ("get", "phrase-samples"),
        ("post", "phrase-samples"),
        ("get", "phrase-sample"),
        ("get", "phrase-verdicts"),
        ("put", "phrase-verdicts"),
    ],
    "paraphrase:quality-control": FILES,
    "paraphrase:phrases": FILES,
    "layout:layout": [("patch", "study")],
    **entries("OPERATIONS"),
}
# The console opens these pages for all members and checks the role for each action.
ROLE_DEPENDS_ON_REQUEST = {"settings", "settings-step", "change-state", "open", "end-pilot"}


def pages() -> set[str]:
    """Return the names of all pages and actions of the console, including the pages of task types and applications."""
    names = {route.name for route in routes(console_patterns)} - {"panel"}
    for task in tasktypes.installed():
        names |= {f"{task.slug}:{panel.slug}" for panel in task.panels}
        names |= {f"extension:{panel.slug}" for panel in extensions.panels(_open_study(task.slug))}
    return names


def _open_study(slug: str) -> Study:
    """Return an open study in which people answer a part of the questions, so that it has all panels."""
    return Study(task_type=slug, state="open", options={"people_share": 50})


def test_the_api_can_do_everything_that_the_console_can_do() -> None:
    assert pages() == OPERATIONS.keys()
    existing = {(method, route.name) for route in routes(api_patterns) for method in route.methods}
    named = {
        operation for operations in OPERATIONS.values() if isinstance(operations, list) for operation in operations
    }
    assert named <= existing


def test_operations_need_the_same_role_as_the_actions_of_the_console() -> None:
    for page, operations in OPERATIONS.items():
        if page in CONSOLE and isinstance(operations, list) and page not in ROLE_DEPENDS_ON_REQUEST:
            roles = {PERMISSIONS[API[operation][0]].roles for operation in operations if operation in API}
            assert PERMISSIONS[CONSOLE[page]].roles in roles, page
