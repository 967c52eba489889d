"""The pages, operations, services and tables of Mechanical Turk, for tests of the whole site (see tests/rooms.py)."""

from typing import Any

from django.db.models import Model
from django.utils import timezone

from accord_core.exchange.mturk_results import write_results
from annotate.core.permissions import Action
from annotate.models import Participation, Study, User
from annotate.mturk.api.batches import BatchResultsDraft
from annotate.mturk.api.imports import ResultFileDraft
from annotate.mturk.forms import ResultFileForm
from annotate.mturk.models import HostedAssignment
from annotate.mturk.services import result_imports
from annotate.mturk.services.batches import import_results
from tests.factories import make_study
from tests.mturk.pictures import pictures
from tests.mturk.turk import bring_in, result

NO_RESULTS = "".join(write_results([])).encode()

CONSOLE = {
    "mturk-results-file": Action.LOOK,
    "host-file": Action.SEE_PLATFORM_IDS,
    **dict.fromkeys(
        ("result-files", "result-file", "import-results", "undo-results", "discard-results"), Action.IMPORT_RESULTS
    ),
}
API = {
    ("post", "mturk-results"): (Action.IMPORT_RESULTS, {}),
    ("get", "mturk-results-file"): (Action.LOOK, None),
    ("get", "host-file"): (Action.SEE_PLATFORM_IDS, None),
    ("get", "result-imports"): (Action.IMPORT_RESULTS, None),
    ("post", "result-imports"): (Action.IMPORT_RESULTS, {}),
    ("get", "result-import"): (Action.IMPORT_RESULTS, None),
    ("post", "result-import"): (Action.IMPORT_RESULTS, {}),
    ("delete", "result-import"): (Action.IMPORT_RESULTS, None),
}
OPERATIONS: dict[str, list[tuple[str, str]] | str] = {
    "mturk-results-file": [("get", "mturk-results-file")],
    "host-file": [("get", "host-file")],
    "result-files": [("get", "result-imports"), ("post", "result-imports")],
    "result-file": [("get", "result-import")],
    "import-results": [("post", "result-import"), ("post", "mturk-results")],
    "undo-results": [("delete", "result-import")],
    "discard-results": [("delete", "result-import")],
}
LOOK = [("GET", "studies/{study}/host-files/mturk-results.csv")]
MANAGE = [
    ("POST", "studies/{study}/mturk-results"),
    ("GET", "studies/{study}/result-imports"),
    ("POST", "studies/{study}/result-imports"),
    ("GET", "studies/{study}/result-imports/i"),
    ("POST", "studies/{study}/result-imports/i"),
    ("DELETE", "studies/{study}/result-imports/i"),
    ("GET", "studies/{study}/host-files/bonuses.csv"),
]
PLACES = {"result-imports/i": "result_import"}
CHOICES_ON_PAGE = {("host-file", "filename"): "decisions.csv"}
NOT_YET = {("console", "result-file"): 400}  # the stored file is empty
SERVICES = [
    (Action.IMPORT_RESULTS, call)
    for call in (
        lambda s, user: import_results(s.study.pk, NO_RESULTS, "r.csv", user=user),
        lambda s, user: result_imports.receive_results(s.study, filename="r.csv", data=NO_RESULTS, user=user),
        lambda s, user: result_imports.store_preview(s.result.pk, user=user),
        lambda s, user: result_imports.import_stored(s.result.pk, user=user),
        lambda s, user: result_imports.discard(s.result.pk, user=user),
        lambda s, user: result_imports.undo_import(s.imported_result.pk, user=user),
    )
]
OTHERWISE = {"carry_out", "preview_file", "remove_assignments"}
# The commands that print no table of figures, with their output.
WITHOUT_TABLE = {"study import-results": "lines about the imported assignments"}
# Jobs that can run for minutes.
LONG_JOBS = ["results:r1"]
# Resources whose changes are steps of a process instead of versions.
STEPS = {"ResultImportView"}
# The operations, forms and bodies with a file in any encoding.
FILE_OPERATIONS = ["mturk-results", "result-imports"]
FILE_FORMS = [ResultFileForm]
FILE_DRAFTS = [BatchResultsDraft, ResultFileDraft]
# Files on the page Files that are not exports.
DOWNLOADS = ["host-files/mturk-results.csv"]
MIGRATIONS = {
    "annotate/mturk/migrations/0001_initial.py": "f7ed5fd8181d8f85c01b226abcbc114150a250d35da589e18001ddb1e1d196cf"
}


def objects(study: Study, user: User) -> dict[str, Any]:
    """Add an empty results file and an imported one to the study."""
    waiting = study.result_imports.create(filename=f"{study.title}.csv", size=0, content=b"")
    imported = study.result_imports.create(filename=f"{study.title}.csv", size=0, imported_at=timezone.now())
    return {"result": waiting, "result_import": waiting, "imported_result": imported}


def _rows_about(study: Study, worker: Participation) -> list[Model]:
    """Store a row about a worker in each table with personal data, and return the rows."""
    file = study.result_imports.create(filename="a.csv", size=1, content=b"A1", preview={"workers": ["A1"]})
    hosted = HostedAssignment.objects.create(
        assignment=worker.assignments.all()[0],
        study=study,
        result_import=file,
        hit=study.hits.all()[0],
        external_id="3ABC",
        status="Submitted",
        cells={"HITId": "3H"},
        digest="d",
    )
    return [file, hosted]


def _batch(user: User) -> Study:
    """Return a study with a Mechanical Turk batch, a repeated HIT and a stopped worker."""
    study = make_study(items=10, gold=4, judgements=2, user=user, rule_threshold="0.6", rule_minimum=3)
    for worker in ("A1VT07LEOL2JBC", "A2Q9CY1KQ2K2T8"):
        bring_in(study, *(result(study, hit, worker, number=hit) for hit in (1, 2)))
    bring_in(study, result(study, 1, "A1VT07LEOL2JBC", number=7))
    bring_in(study, *(result(study, hit, "A3CARELESS", right=False, number=20 + hit) for hit in (1, 2, 3, 4)))
    return study


PERSONAL, STUDIES, PICTURES = [_rows_about], [_batch], [pictures]
