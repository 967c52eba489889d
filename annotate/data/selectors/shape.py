"""The settings and items that the questions of a study depend on."""

from __future__ import annotations

from typing import Any

from annotate import tasktypes
from annotate.core.selectors.sizes import items_imported
from annotate.models import Study

# Settings that the built questions and slots depend on.
SHAPES_THE_DESIGN = frozenset(["task_type", "seed", "questions_per_hit", "judgements", "order", "pilot_hits"])


def shape(study: Study) -> dict[str, Any]:
    """Return the settings that the questions depend on. A design is outdated if these settings have changed since it
    was built.
    """
    task = tasktypes.get(study.task_type)
    locked = {option.name for option in task.options if option.locked}
    return {
        **{name: getattr(study, name) for name in sorted(SHAPES_THE_DESIGN)},
        "options": {name: study.options.get(name) for name in sorted(locked)},
        "items": items_imported(study, in_design=True),
    }
