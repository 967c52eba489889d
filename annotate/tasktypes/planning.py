"""How a task type plans its studies: the simulated studies, the assumptions, and the words that describe a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from accord_core.exchange.arrays import Columns
from accord_core.exchange.plans import Wording
from accord_core.numerics.planning import StudyModel
from accord_core.numerics.unfinished import Measured, PilotAnswers
from annotate.tasktypes.options import Option

from .drafts import ItemDraft

Json = Any


@dataclass(frozen=True)
class AssumptionField:
    """A parameter of the simulated studies that a researcher can state as a value or as a range.

    `label` is a noun phrase, such as “share of careless annotators”. `usual` is the value if there is no pilot, or None
    if this value depends on the design.
    """

    name: str
    label: str
    smallest: float
    largest: float
    usual: float | None
    help: str = ""


@dataclass(frozen=True)
class PlanInput:
    """The design, the annotators and the assumptions of a planned study.

    `design` contains the values of `Planning.design`, and `assumptions` contains the range of each parameter that the
    researcher states. `caught` is the share of careless annotators whom the quality rule stops. `pilot` is the part
    `pilot` of the result of `Planning.pilot`, or None for a plan without a pilot.
    """

    items: int
    design: Mapping[str, Json] = field(default_factory=dict)
    annotators: int = 20
    caught: float = 0.0
    assumptions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    pilot: Any = None
    seed: int = 1


@dataclass(frozen=True)
class Planning:
    """The plans of a task type.

    `model` returns the simulated studies, and `questions` returns the number of questions. Both raise ValueError with a
    message for researchers if the study is impossible. `figures` maps the names of the model's figures to labels.

    `levels` are the usual numbers of answers per question. A plan needs at least `fewest` answers per question. The
    search for a target begins at `search_from` and increases the number by `step`. `studies` is the usual number of
    simulated studies, and `seconds` is the usual time per question.

    `design` contains the fields that describe the design, and `alternatives` contains other values of these fields that
    the search for the cheapest design also tries. `defaults` returns the values of the design fields for a study, from
    some of its items and from its options. A field of the design that is also an option of the study can be copied to
    the study's settings.

    `pilot` returns the answers so far, of which `PilotAnswers.pilot` is the argument `PlanInput.pilot`. It raises
    TooFewAnswers with a message for researchers. `measured` returns the main figure of the answers so far, calculated
    with the seed of the study. Both functions receive the columns of `Reports.columns`.

    `for_budget` returns designs with their numbers of answers per question, each of which uses a number of answers as
    fully as possible. A plan with a budget compares them by the figures in `best`, whose values are `highest` or
    `lowest`. `best_note` states what to consider if the figures do not agree on the best design.

    The page and the API simulate studies of at most `largest_study` answers, so that the memory of a worker is
    sufficient (about 2 GB), and at most `largest_plan` answers in all studies of a plan, so that the calculation ends
    after about half an hour.
    """

    wording: Wording
    figures: Mapping[str, str]
    assumptions: Sequence[AssumptionField]
    model: Callable[[PlanInput], StudyModel]
    questions: Callable[[PlanInput], int]
    pilot: Callable[[Columns], PilotAnswers]
    measured: Callable[[Columns, int], Measured]
    levels: Sequence[int]
    fewest: int = 2
    step: int = 1
    search_from: int = 2
    studies: int = 300
    seconds: float = 20.0
    largest_study: int = 1_000_000
    largest_plan: int = 300_000_000
    design: Sequence[Option] = ()
    alternatives: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    for_budget: Callable[[PlanInput, int], Sequence[tuple[Mapping[str, Json], int]]] | None = None
    best: Mapping[str, Literal["highest", "lowest"]] = field(default_factory=dict)
    best_note: str = ""
    defaults: Callable[[Sequence[ItemDraft], Mapping[str, Json]], Mapping[str, Json]] | None = None

    @property
    def labels(self) -> Mapping[str, str]:
        """The label of each assumption."""
        return {each.name: each.label for each in self.assumptions}
