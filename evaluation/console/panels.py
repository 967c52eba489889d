"""The entries that evaluation adds to a study's navigation."""

from __future__ import annotations

from annotate import tasktypes
from annotate.console import Panel, Study

from .release import release
from .systems import systems


def panels(study: Study) -> list[Panel]:
    """Return the page for releases and, if the task type can score systems, the page for systems of an opened study."""
    release_page = Panel("release", "Release", release)
    if tasktypes.get(study.task_type).systems is not None and not study.is_draft:
        return [Panel("systems", "Systems", systems, post="review"), release_page]
    return [release_page]
