"""The entries that evaluation adds to a study's navigation."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Study
from annotate.tasktypes import Panel

from .release import release
from .systems import systems


def panels(study: Study) -> list[Panel]:
    """Return the page for releases and, if the task type can score systems, the page for systems of an opened study."""
    release_page = Panel("release", "Release", release)
    if tasktypes.get(study.task_type).systems_help and not study.is_draft:
        return [Panel("systems", "Systems", systems), release_page]
    return [release_page]
