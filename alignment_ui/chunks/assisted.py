"""Program-assisted figures of systems, if people annotate a random part of the pairs and a program annotates all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.numerics.score_sums import ASSISTED, sums_by_pair
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.numerics.labels import Floats
from alignment_ui.chunks.exports import final_pairs
from annotate.tasktypes import StudyData, SystemFile
from evaluation.assisted_systems import even_draw, summed_result


def assisted(people: StudyData, program: StudyData, files: Sequence[SystemFile]) -> Mapping[str, Any]:
    """Return each system's four official F1 values of 2016, with ranks by F1 Typ+Sco, from people's final links."""
    annotated = {row.ref for row in people.answers if row.counts} | set(people.decisions)
    judged = [pair for pair in final_pairs(people) if pair.id in annotated]
    every = final_pairs(program)
    ids, all_ids = [pair.id for pair in judged], [pair.id for pair in every]
    drawn = even_draw(ids, all_ids)

    def counts(file: SystemFile) -> tuple[Floats, Floats]:
        links = {pair.id: pair for pair in read_wa(file.content, name=file.filename)}
        raise_faults(
            file.filename, [Fault(None, None, f"pair {key} is missing") for key in all_ids if key not in links]
        )
        return (
            sums_by_pair(ists_scores(judged, [links[key] for key in ids]), ids),
            sums_by_pair(ists_scores(every, [links[key] for key in all_ids]), all_ids),
        )

    return summed_result(files, counts, drawn, ASSISTED)
