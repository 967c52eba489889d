"""The download of soft links: the share of annotators who drew each link, and the link's probability."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any

from accord_core.chunks.formats.estimate_cells import estimate_cells, tokens_cell
from accord_core.chunks.numerics.chunks import ChunkLink
from accord_core.exchange.csvtext import write_csv
from alignment_ui.chunks import row_fields
from alignment_ui.chunks.columns import Judgement, collected, columns
from annotate.tasktypes import Export, StudyData

HEADER = (
    "pair", "dataset", "source", "target", "drawn", "annotators", "share", "types", "mean_score", "model_linked",
    "model_types", "model_score",
)  # fmt: skip
Chunks = tuple[tuple[int, ...], tuple[int, ...]]


def soft_links(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one row for each chunk link that at least one annotator drew, with its types, its mean score and the
    model's estimates.

    An unlinked chunk has an empty side. Token numbers start at 1, as in `.wa` files. Rows without annotators are links
    between the common chunks of annotators who divided the sentences into different chunks.
    """
    inputs = collected(columns(data))
    estimates = inputs.modelled.estimates()

    def rows() -> Iterator[list[str]]:
        for place, answers in inputs.answers.items():
            asked, drawn = inputs.asked[place], _by_chunks(answers)
            modelled = {inputs.modelled.chunks(place, cell): each for cell, each in estimates[place].items()}
            for source, target in sorted(drawn.keys() | modelled.keys()):
                links = drawn.get((source, target), [])
                types = Counter(link.type for link in links)
                scores = [link.score for link in links if link.score is not None]
                yield [
                    asked.ref,
                    asked.dataset,
                    tokens_cell(source),
                    tokens_cell(target),
                    str(len(links)),
                    str(len(answers)),
                    f"{len(links) / len(answers):.6f}",
                    " ".join(f"{name}:{number}" for name, number in sorted(types.items())),
                    f"{fmean(scores):.6f}" if scores else "",
                    *estimate_cells(modelled.get((source, target))),
                ]

    return (chunk.encode() for chunk in write_csv(rows(), HEADER))


def _by_chunks(answers: Iterable[Judgement]) -> dict[Chunks, list[ChunkLink]]:
    links: dict[Chunks, list[ChunkLink]] = defaultdict(list)
    for answer in answers:
        for link in answer.pair.links:
            links[link.source, link.target].append(link)
    return links


SOFT_LINKS = Export(
    "soft-links.csv",
    "text/csv; charset=utf-8",
    "links between chunks, each with the share of annotators who drew it and its probability",
    soft_links,
    note="The column types contains the number of annotators who chose each type. Researchers' decisions do not "
    "change the shares. model_linked is the probability of a link under a model of the annotators’ errors. "
    "model_types and model_score are the probabilities of the types and the expected score, if the chunks are "
    "linked. These three cells are empty for unlinked chunks, and for chunks that some of the pair's annotators "
    "divided differently.",
    item_column="pair",
    rows=row_fields.SOFT_LINKS,
)
