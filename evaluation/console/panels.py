"""What evaluation adds to a study's navigation."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Study
from annotate.tasktypes import Panel

from .release import release
from .sampling import sampling_panel
from .systems import systems


def panels(study: Study) -> list[Panel]:
    """Pairs are made before a best–worst study is open; systems are scored after, where there is a measure for them."""
    found = [Panel("release", "Release", release)]
    if tasktypes.get(study.task_type).systems_help and not study.is_draft:
        found.insert(0, Panel("systems", "Systems", systems))
    if study.task_type == "bws" and study.is_draft:
        found.insert(0, Panel("pairs", "Make pairs", sampling_panel))
    return found
