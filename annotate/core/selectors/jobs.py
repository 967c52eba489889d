"""A study's jobs and their reports for the console's job panel, and the names of job kinds."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.models import Job, Study

LONGEST_NAME = 20  # Other kinds of jobs do not contain a file ID.
NAMES = {
    "import-items": "Import of items",
    "import-gold": "Import of gold questions",
    "import-practice": "Import of practice questions",
    "copy": "Copy of a study",
    "design": "Design",
    "extension": "Additional items in the design",
    "unopened": "Update of unopened questions",
    "extension-plan": "Cost of additional items",
    "figures": "Agreement per question",
    "links": "E-mails with personal links",
    "integrity": "Integrity indicators",
    "programs": "Comparison of programs",
    "prolific-draft": "Draft on Prolific",
    "prolific-submissions": "Submissions from Prolific",
    "prolific-approvals": "Approvals on Prolific",
    "simulate": "Simulated annotators",
    "report-results": "Results",
    "report-progress": "Progress figures",
    "report-round": "Questions of the next round",
    "check-plan": "Comparison with the plan",
}


def jobs_with_reports(study: Study) -> QuerySet[Job]:
    """Return a study's jobs, newest first, with their reports but without the reports' contents."""
    contents = ("report__input", "report__result", "report__people")
    return study.jobs.select_related("created_by", "report").defer(*contents).order_by("-pk")


def job_name(kind: str) -> str:
    """Return the name of a job kind, such as “Import of items” for `import-items`."""
    if kind.startswith("preview-"):
        return "Preview of a file"
    if kind.startswith("plan-"):
        return "Plan"
    if kind.startswith("prolific-bonuses-"):
        return f"Payment of bonus list {kind.removeprefix('prolific-bonuses-')}"
    if kind.startswith("regrade-"):
        return "Quality rule after a changed expected answer"
    if kind.startswith("results-") and len(kind) > LONGEST_NAME:
        return "Results file of another host"
    return NAMES.get(kind) or kind.replace("-", " ").replace("_", " ").strip().capitalize() or "Job"
