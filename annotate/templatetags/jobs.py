"""The template filter `job_name`, which returns a readable name for a kind of job."""

from __future__ import annotations

from django import template

register = template.Library()

NAMES = {
    "import-items": "Import of items",
    "import-gold": "Import of gold questions",
    "import-practice": "Import of practice questions",
    "design": "Design",
    "report-results": "Results",
    "report-progress": "Progress figures",
}


@register.filter
def job_name(kind: str) -> str:
    """Return the name of a kind of job, such as “Import of items” for `import-items`."""
    if kind.startswith("preview-"):
        return "Preview of a file"
    return NAMES.get(kind) or kind.replace("-", " ").replace("_", " ").strip().capitalize() or "Job"
