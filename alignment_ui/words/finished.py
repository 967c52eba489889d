"""A study's finished pairs. The built-in aligner learns from them when pairs are added to the study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from accord_core.numerics.draws import draw
from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words.answer import as_alignment
from alignment_ui.words.final import final_alignment
from annotate.tasktypes import StudyData

MOST = 1_000
"""The maximum number of finished pairs that the aligner learns from, because learning from more pairs takes too long.
"""


class FinishedPair(NamedTuple):
    """A sentence pair in the study, with its final alignment."""

    ref: str
    source: Sequence[str]
    target: Sequence[str]
    alignment: Alignment


def finished_pairs(data: StudyData, seed: int, most: int | None = None) -> list[FinishedPair]:
    """Return the pairs in the study that have a final alignment, or a random sample of `most` of them. By default,
    `most` is `MOST`.

    The final alignments are the same as in the study's downloads: decisions of researchers, and the links that most
    annotators drew in answers that count. The result is in the order of the study's questions.
    """
    # Questions are read before answers, so answers to questions that are added in the meantime are ignored.
    payloads = {question.ref: question.payload for question in data.questions}
    drawn: dict[str, list[Alignment]] = defaultdict(list)
    for row in data.answers:
        if row.counts:
            drawn[row.ref].append(as_alignment(row.value))
    finished = []
    for ref, payload in payloads.items():
        decided = as_alignment(data.decisions[ref]) if ref in data.decisions else None
        alignment = final_alignment(decided, drawn.get(ref, []))
        if alignment is not None:
            finished.append(FinishedPair(ref, payload["source"], payload["target"], alignment))
    sample = {
        pair.ref
        for pair in sorted(finished, key=lambda pair: draw(seed, "finished", pair.ref))[
            : MOST if most is None else most
        ]
    }
    return [pair for pair in finished if pair.ref in sample]
