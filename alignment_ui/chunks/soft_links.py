"""The download of soft links: the share of the annotators who drew each link between two chunks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any

from alignment_ui.chunks.columns import Judgement, collected, columns
from alignment_ui.chunks.numerics.chunks import ChunkLink
from annotate.exchange.csvtext import write_csv
from annotate.tasktypes import Export, StudyData

HEADER = ("pair", "dataset", "source", "target", "drawn", "annotators", "share", "types", "mean_score")
Chunks = tuple[tuple[int, ...], tuple[int, ...]]


def soft_links(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one row for each chunk link that at least one annotator drew, with the types and the mean score.

    An unlinked chunk has an empty side. Token numbers start at 1, as in `.wa` files.
    """
    inputs = collected(columns(data))

    def rows() -> Iterator[list[str]]:
        for place, answers in inputs.answers.items():
            asked = inputs.asked[place]
            for (source, target), links in sorted(_by_chunks(answers).items()):
                types = Counter(link.type for link in links)
                scores = [link.score for link in links if link.score is not None]
                yield [
                    asked.ref,
                    asked.dataset,
                    _tokens(source),
                    _tokens(target),
                    str(len(links)),
                    str(len(answers)),
                    f"{len(links) / len(answers):.6f}",
                    " ".join(f"{name}:{number}" for name, number in sorted(types.items())),
                    f"{fmean(scores):.6f}" if scores else "",
                ]

    return (chunk.encode() for chunk in write_csv(rows(), HEADER))


def _by_chunks(answers: Iterable[Judgement]) -> dict[Chunks, list[ChunkLink]]:
    links: dict[Chunks, list[ChunkLink]] = defaultdict(list)
    for answer in answers:
        for link in answer.pair.links:
            links[link.source, link.target].append(link)
    return links


def _tokens(chunk: Iterable[int]) -> str:
    return " ".join(str(token + 1) for token in chunk)


SOFT_LINKS = Export(
    "soft-links.csv",
    "text/csv; charset=utf-8",
    "each link between two chunks with the share of the annotators who drew the link",
    soft_links,
    note="The column types contains the number of annotators who chose each type. Researchers' decisions do not change "
    "the shares.",
    item_column="pair",
)
