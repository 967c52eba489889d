"""The evaluation application's entries in a study's navigation."""

from __future__ import annotations

from annotate import tasktypes
from annotate.tasktypes.options import share_for_people
from annotate.toolkit import Panel, Study

from .assisted import assisted
from .systems import systems


def panels(study: Study) -> list[Panel]:
    """Return the study's evaluation pages. There is a systems page if the study has been opened and its task type can
    score systems, and a page of program-assisted figures if people answer only a part of the questions.
    """
    if study.is_draft or tasktypes.get(study.task_type).systems is None:
        return []
    own = [Panel("systems", "Systems", systems, post="review", place="results", guide="systems")]
    return [*own, ASSISTED] if share_for_people(study.options) < 1 else own


ASSISTED = Panel(
    "assisted",
    "Program-assisted figures",
    assisted,
    post="review",
    place="results",
    under="systems",
    text="A program answers all questions, and people correct it.",
    guide="programs#program-assisted-figures",
)
