"""The evaluation application's entries in a study's navigation."""

from __future__ import annotations

from annotate import tasktypes
from annotate.toolkit import Panel, Study

from .release import release
from .systems import systems


def panels(study: Study) -> list[Panel]:
    """Return the release page. Also return the systems page if the study has been opened and its task type can score
    systems.
    """
    release_page = Panel("release", "Release", release, place="results", guide="cli#accord-release")
    if tasktypes.get(study.task_type).systems is not None and not study.is_draft:
        return [Panel("systems", "Systems", systems, post="review", place="results", guide="systems"), release_page]
    return [release_page]
