"""Program-assisted figures of systems, if people align a random part of the pairs and a program aligns all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.system_scores import ASSISTED, GoldPair, counts_by_pair
from alignment_ui.words.evaluate import final_pairs, read_system
from annotate.tasktypes import StudyData, SystemFile
from evaluation.assisted_systems import even_draw, summed_result


def assisted(people: StudyData, program: StudyData, files: Sequence[SystemFile]) -> Mapping[str, Any]:
    """Return each system's precision, recall, F1 and AER, with ranks by AER, from the final alignments of people."""
    judged, every = final_pairs(people, "The study"), final_pairs(program, "The program")
    drawn = even_draw([pair.ref for pair, *_ in judged], [pair.ref for pair, *_ in every])

    def counts(file: SystemFile) -> tuple[Floats, Floats]:
        links, _notes = read_system(file.content, program, every, file.filename)
        return (
            _against([final for _, final, _ in judged], [links[place] for place in drawn.judged.tolist()]),
            _against([final for _, final, _ in every], links),
        )

    return summed_result(files, counts, drawn, ASSISTED)


def _against(gold: Sequence[Alignment], links: Sequence[Alignment]) -> Floats:
    pairs = [GoldPair((), (), each) for each in gold]
    return counts_by_pair(pairs, links, phrases=False, ignore_identical=False)
