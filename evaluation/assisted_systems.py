"""Program-assisted figures of the systems of a study, from the systems' files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from accord_core.evaluation.summed_figures import SummedFigures
from accord_core.exchange.faults import TableError
from accord_core.numerics.assisted import Drawn
from accord_core.numerics.labels import Floats
from annotate.tasktypes import SystemFile
from evaluation.assisted_result import AssistedResult, system_figures

Read = TypeVar("Read")


@dataclass(frozen=True)
class LeftOut:
    """A system without program-assisted figures, and the reason."""

    system: str
    reason: str


def read_files(
    files: Sequence[SystemFile], read: Callable[[SystemFile], Read]
) -> tuple[dict[str, Read], list[LeftOut]]:
    """Return what `read` returns for each file, by the system's name, and the systems whose files cannot be read."""
    found: dict[str, Read] = {}
    left_out = []
    for file in files:
        try:
            found[file.system] = read(file)
        except TableError as error:
            left_out.append(LeftOut(file.system, str(error)))
    return found, left_out


def even_draw(judged: Sequence[str], every: Sequence[str]) -> Drawn:
    """Return the draw of the judged questions among all questions, which were drawn with equal probabilities."""
    place = {ref: number for number, ref in enumerate(every)}
    places = np.array([place[ref] for ref in judged], dtype=np.int64)
    return Drawn(places, np.ones(len(places)), len(every))


def summed_result(
    files: Sequence[SystemFile],
    counts: Callable[[SystemFile], tuple[Floats, Floats]],
    drawn: Drawn,
    of: SummedFigures,
) -> Mapping[str, Any]:
    """Return the figures of systems as JSON. `counts` returns a system's counts against people (n, K) and against the
    program (U, K).
    """
    by_system, left_out = read_files(files, counts)
    empty = AssistedResult([], {}, drawn.questions, len(drawn.judged))
    return as_json(system_figures(by_system, drawn, of) if by_system else empty, left_out)


def as_json(result: AssistedResult, left_out: Sequence[LeftOut]) -> Mapping[str, Any]:
    """Return the figures in the format of stored reports."""
    return {**result.as_json(), "left_out": [vars(each) for each in left_out]}
