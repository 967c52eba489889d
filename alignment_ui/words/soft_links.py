"""The download of soft links: the share of annotators who drew each link, and the link's probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.exchange.csvtext import write_csv
from alignment_ui.words import row_fields
from alignment_ui.words.columns import collected, columns
from annotate.tasktypes import Export, StudyData

HEADER = (
    "pair", "subcorpus", "source", "target", "source_word", "target_word", "drawn", "sure", "annotators", "share",
    "model_possible", "model_sure",
)  # fmt: skip


def soft_links(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one row for each link that at least one annotator drew. Token numbers start at 0."""
    inputs = collected(columns(data))
    probabilities = inputs.modelled.probabilities()

    def rows() -> Iterator[list[str]]:
        for place in inputs.order:
            pair, answers = inputs.pairs[place], inputs.answers.get(place, ())
            drawn = Counter(link for answer in answers for link in answer.alignment.links)
            sure = Counter(link for answer in answers for link in answer.alignment.sure)
            for link in sorted(drawn):
                i, j = link
                counts = [drawn[link], sure[link], len(answers)]
                words = [pair.source[i], pair.target[j]]
                share = f"{drawn[link] / len(answers):.6f}"
                model = [f"{probability:.6f}" for probability in probabilities[place][link]]
                yield [pair.ref, pair.subcorpus, str(i), str(j), *words, *map(str, counts), share, *model]

    return (chunk.encode() for chunk in write_csv(rows(), HEADER))


SOFT_LINKS = Export(
    "soft-links.csv",
    "text/csv; charset=utf-8",
    "links, each with the share of annotators who drew it and its probability",
    soft_links,
    note="Links that no annotator drew have a share of 0 and are not in the file. Researchers' decisions do not change "
    "the shares. model_possible and model_sure are the probabilities of a possible and a sure link under a model of "
    "the annotators’ errors. In decided pairs, the probabilities are 0 or 1.",
    item_column="pair",
    rows=row_fields.SOFT_LINKS,
)
