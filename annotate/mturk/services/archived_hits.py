"""The HITs of an old Mechanical Turk project, matched with the HITs of a study that has the same items.

The rows of Accord's own batches contain the number of their HIT. In all other results files, a HIT is recognised by its
ID, if the items were read from the results file itself, or by its input cells, if the items were read from the batch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from accord_core.exchange.mturk_results import INPUT, Result
from annotate import tasktypes
from annotate.models import HitQuestion, Study

OWN_INPUTS, OWN_ANSWERS = {"study", "hit"}, "answers"  # the columns of Accord's own batches


class UnknownHit(ValueError):
    """Error raised for a row whose HIT is not in the study. `column` is the name of the column that does not match."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def is_archived(study: Study, result: Result) -> bool:
    """Return whether the row comes from a project outside Accord and the study's task type can read such rows."""
    own = result.input.keys() >= OWN_INPUTS and OWN_ANSWERS in result.answers
    return tasktypes.get(study.task_type).reads_archives and not own


class ArchivedHits:
    """A study's HITs, by the IDs and cells of their items. Each HIT must have one question about one item."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._by_cells: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}

    def number_of(self, result: Result) -> int:
        """Return the number of the matching HIT in the study. Raises `UnknownHit`."""
        if self.study.questions_per_hit != 1:
            message = (
                f"the HITs of this study have {self.study.questions_per_hit} questions. Results of an old project "
                "need a study with one question per HIT"
            )
            raise UnknownHit("HITId", message)
        if result.hit_id not in self._hits:
            return self._number_by_cells(result.input)
        number, content = self._hits[result.hit_id]
        for column in _shared(content, result.input):
            if content[column] != result.input[column]:
                message = f"the cell differs from the item {result.hit_id}, which has the ID of this HIT"
                raise UnknownHit(INPUT + column, message)
        return number

    def _number_by_cells(self, cells: Mapping[str, str]) -> int:
        columns = tuple(_shared(self._columns, cells))
        if columns not in self._by_cells:
            self._by_cells[columns] = self._index(columns)
        numbers = self._by_cells[columns].get(tuple(cells[column] for column in columns), []) if columns else []
        if not numbers:
            raise UnknownHit("HITId", "no item of the study has the ID of this HIT or the same Input cells")
        if len(numbers) > 1:
            message = (
                f"{len(numbers):,} items in the study have the same Input cells as this HIT. Create a study whose "
                "items are imported from the results file, so that HITs are matched by their IDs"
            )
            raise UnknownHit("HITId", message)
        return numbers[0]

    def _index(self, columns: Sequence[str]) -> dict[tuple[str, ...], list[int]]:
        index: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, content in self._hits.values():
            index[tuple(content.get(column, "") for column in columns)].append(number)
        return index

    @cached_property
    def _columns(self) -> dict[str, None]:
        return {column: None for _, content in self._hits.values() for column in content}

    @cached_property
    def _hits(self) -> dict[str, tuple[int, Mapping[str, str]]]:
        """Each HIT's number and item, by item ID. Two queries."""
        task = tasktypes.get(self.study.task_type)
        contents = dict(self.study.items.values_list("key", "content"))
        links = HitQuestion.objects.filter(hit__study=self.study).order_by("hit__number", "position")
        return {
            key: (number, contents[key])
            for number, payload in links.values_list("hit__number", "question__payload")
            for key in task.item_keys(payload)
        }


def _shared(columns: Mapping[str, object], cells: Mapping[str, str]) -> list[str]:
    return [column for column in columns if column in cells]
