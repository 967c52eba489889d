"""What a job is called where people read of it."""

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
    """A job's kind in words: `import-items` as “Import of items”; a kind without a name of its own as its words."""
    if kind.startswith("preview-"):
        return "Preview of a file"
    return NAMES.get(kind) or kind.replace("-", " ").replace("_", " ").strip().capitalize() or "Job"
