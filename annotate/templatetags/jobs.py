"""The template filter `job_name`, which returns a readable name for a kind of job, and the tag `may_run_again`."""

from __future__ import annotations

from typing import Any

from django import template

from annotate.models import Job
from annotate.services.jobs import action_of

register = template.Library()

NAMES = {
    "import-items": "Import of items",
    "import-gold": "Import of gold questions",
    "import-practice": "Import of practice questions",
    "copy": "Copy of a study",
    "design": "Design",
    "figures": "Agreement per question",
    "integrity": "Integrity indicators",
    "report-results": "Results",
    "report-progress": "Progress figures",
}


@register.simple_tag(takes_context=True)
def may_run_again(context: dict[str, Any], job: Job) -> bool:
    """Return whether the user's role allows restarting a failed job."""
    may: dict[str, bool] = context["request"].console.may
    action = action_of(job)
    return job.state == Job.State.FAILED and action is not None and may[action]


@register.filter
def job_name(kind: str) -> str:
    """Return the name of a kind of job, such as “Import of items” for `import-items`."""
    if kind.startswith("preview-"):
        return "Preview of a file"
    return NAMES.get(kind) or kind.replace("-", " ").replace("_", " ").strip().capitalize() or "Job"
