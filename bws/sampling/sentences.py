"""Functions that extract sentences of suitable length from texts, as in STR-2021, §3.1 and Appendix A: texts are split
into sentences, and sentences with 5 to 25 tokens are kept.

`make_sentences` takes the texts of one or more files, and returns the rows of a sentence file with a report. The
command and the console both call `make_sentences`.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from accord_core.bws.sampling.formats.sentences import Sentences
from accord_core.evaluation.numerics.treebank import treebank_tokens
from accord_core.exchange.extras import import_extra
from accord_core.exchange.tables import find_column

SOURCE = "source"
OWN_COLUMNS = ("id", "text", "tokens", SOURCE)
Splitter = Callable[[str], list[str]]


class SourceTexts(NamedTuple):
    """The texts in one file. `source` is the source of all texts if the file has no column `source`. `prefix` precedes
    the IDs of texts that are named after their lines.
    """

    texts: Sentences
    source: str
    prefix: str


@dataclass
class SourceCounts:
    """The counts for one source: the texts read, the sentences found in them, the sentences kept, and the exclusions by
    reason.
    """

    texts: int = 0
    sentences: int = 0
    kept: int = 0
    excluded: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class SentenceSample:
    """The columns and rows of a sentence file, and the counts by source."""

    columns: list[str]
    rows: list[list[str]]
    counts: dict[str, SourceCounts]

    def lines(self) -> Iterator[str]:
        """Return the report as text for a terminal."""
        for source, counts in self.counts.items():
            texts = "1 text" if counts.texts == 1 else f"{counts.texts:,} texts"
            yield f"{source}: {counts.kept:,} of {counts.sentences:,} sentences from {texts}"
            for reason, number in sorted(counts.excluded.items()):
                yield f"  excluded: {number:,} × {reason}"


def sentence_splitter(language: str = "en") -> Splitter:
    """Return a function that splits a text into sentences with pySBD (Sadvilkar and Neumann 2020).

    Raises MissingExtraError if pySBD is not installed, and ValueError for an unknown language.
    """
    with warnings.catch_warnings():
        # Python warns about escape sequences in pySBD's source code when it compiles the package.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", SyntaxWarning)
        pysbd = import_extra("pysbd", "Sentence splitting")
        segmenter = pysbd.Segmenter(language=language, clean=False)

    def split(text: str) -> list[str]:
        sentences: list[str] = segmenter.segment(text)
        return sentences

    return split


def whole_text(text: str) -> list[str]:
    """Return the text as its only sentence, for files that already contain one sentence per text."""
    return [text]


def make_sentences(files: Sequence[SourceTexts], split: Splitter, tokens: tuple[int, int] = (5, 25)) -> SentenceSample:
    """Split the texts into sentences, and keep the sentences whose number of tokens is in the interval `tokens`.

    Tokens are counted according to the rules of the Penn Treebank. If a sentence occurs several times in a source, only
    the first occurrence is kept. Columns of the texts are copied to their sentences.
    """
    carried = list(dict.fromkeys(_carried(column) for file in files for column in file.texts.columns))
    carried = [column for column in carried if column not in OWN_COLUMNS]
    counts: dict[str, SourceCounts] = {}
    earlier: set[tuple[str, str]] = set()
    rows: list[list[str]] = []
    for file in files:
        cells = {_carried(column): values for column, values in file.texts.columns.items()}
        sources = cells.get(SOURCE, [file.source] * len(file.texts))
        for place, (key, text) in enumerate(zip(file.texts.ids, file.texts.texts[0], strict=True)):
            source = sources[place] or file.source
            counted = counts.setdefault(source, SourceCounts())
            counted.texts += 1
            name = f"{file.prefix}-{key}" if key == f"line-{file.texts.lines[place]}" else key
            sentences = [" ".join(sentence.split()) for sentence in split(text)]
            for number, sentence in enumerate(sentences, start=1):
                counted.sentences += 1
                length = len(treebank_tokens(sentence))
                reason = _reason(length, tokens, (source, sentence) in earlier)
                if reason:
                    counted.excluded[reason] += 1
                    continue
                earlier.add((source, sentence))
                counted.kept += 1
                identity = name if len(sentences) == 1 else f"{name}-{number}"
                others = [cells[column][place] if column in cells else "" for column in carried]
                rows.append([identity, sentence, str(length), source, *others])
    return SentenceSample([*OWN_COLUMNS, *carried], rows, counts)


def _carried(column: str) -> str:
    """Return the column's name in the sentence file. The names of the file's own columns are not case-sensitive."""
    return find_column(OWN_COLUMNS, column) or column


def _reason(length: int, tokens: tuple[int, int], is_repeated: bool) -> str:
    if length < tokens[0]:
        return f"fewer than {tokens[0]} tokens"
    if length > tokens[1]:
        return f"more than {tokens[1]} tokens"
    return "the same as an earlier sentence of the source" if is_repeated else ""
