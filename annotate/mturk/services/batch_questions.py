"""A study's questions in the form needed for reading a results file, without database objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from accord_core.numerics.draws import generator
from annotate import tasktypes
from annotate.core.services.grading import GRADED
from annotate.models import HitQuestion, Question, Study
from annotate.questions.selectors.data import published_hits
from annotate.tasktypes import Json, TaskType

IN_HIT = (Question.Kind.GOLD, Question.Kind.RETIRED)
FIELDS = ("pk", "ref", "kind", "payload", "gold", "gold_version")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in a HIT. `parts` contains the displayed parts of the question, in a fixed order."""

    pk: int
    kind: str
    payload: Json
    gold: Json
    gold_version: int
    parts: list[str]

    @property
    def graded(self) -> bool:
        return self.kind in GRADED


class BatchQuestions:
    """A study's HITs and gold questions, in memory. The questions in HITs are read when needed."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.task = tasktypes.get(study.task_type)
        self.hits: dict[int, int] = dict(study.hits.order_by("number").values_list("number", "pk"))
        gold = study.questions.filter(kind__in=IN_HIT).values_list(*FIELDS)
        self.gold = {ref: _asked(self.task, pk, *rest) for pk, ref, *rest in gold}

    def of_hits(self, hits: Iterable[int]) -> Mapping[int, Mapping[str, Asked]]:
        """Return the regular questions in these HITs by their refs, in HIT order. One query."""
        in_hit: dict[int, dict[str, Asked]] = {hit: {} for hit in hits}
        links = HitQuestion.objects.filter(hit__in=list(in_hit)).order_by("hit", "position")
        for hit, pk, ref, *rest in links.values_list("hit", *(f"question__{name}" for name in FIELDS)):
            in_hit[hit][ref] = _asked(self.task, pk, *rest)
        return in_hit

    def drawn_gold(self) -> dict[int, set[str]]:
        """Return the gold questions that each HIT would contain in a new input file, by HIT number."""
        return {number: set(refs) & self.gold.keys() for number, refs in published_hits(self.study)}


def _asked(task: TaskType, pk: int, kind: str, payload: Json, gold: Json, gold_version: int) -> Asked:
    parts = sorted(map(repr, task.shuffle(payload, generator(0))))
    return Asked(pk, kind, payload, gold, gold_version, parts)
