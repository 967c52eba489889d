"""Sentence pairs for alignment files that contain only links. The sentences are read from any file of pairs, or from
two files with one sentence per line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.tables import find_column
from accord_core.pairs.formats.corpus import Corpus, SentencePair, Tokens
from accord_core.pairs.formats.pairs import read_pairs, read_two_files
from accord_core.pairs.formats.registry import holds_sentences, read_alignments
from accord_core.pairs.formats.tabs import lines_or_blanks
from accord_core.pairs.formats.wpt import SENTENCE, read_wpt_sentences


def read_sentences(data: bytes, *, name: str) -> Corpus:
    """Return the tokenised pairs in a file of any format that `read_pairs` reads. Sentences can have any length. Raises
    TableError.
    """
    data = as_utf8(data, name=name)
    if holds_sentences(data, name=name):
        return read_alignments(data, name=name)
    read = read_pairs(data, name, longest=None)
    raise_faults(name, read.faults)
    own = find_column(read.columns, "id") is not None
    pairs = [SentencePair(row.key if own else None, row.source, row.target, line=row.line) for row in read.rows]
    return Corpus(name, "table", "own" if own else "none", pairs)


def read_subcorpora(data: bytes, column: str, *, name: str) -> list[str]:
    """Return each pair's subcorpus from a table of sentences, in pair order. `column` is the name of the column that
    contains the subcorpora. Raises TableError if the file has no such column.
    """
    read = read_pairs(data, name, longest=None)
    found = find_column(read.columns, column)
    if read.faults or found is None:
        present = f"the file has the columns {', '.join(read.columns)}" if read.columns else "the file is not a table"
        raise TableError(name, read.faults or [Fault(1, column, f"the column is missing: {present}")])
    return [row.metadata.get(found, "").strip() for row in read.rows]


def read_sentence_files(source: bytes, target: bytes, *, names: Sequence[str]) -> Corpus:
    """Return the pairs in two files with one sentence per line, either plain or as `<s snum=1> … </s>`. Raises
    TableError with the name of the file if a file cannot be read.
    """
    name = " and ".join(names)
    numbered = [_is_numbered(data, file) for data, file in zip((source, target), names, strict=True)]
    if numbered[0] != numbered[1]:
        raise TableError.of_file(name, "only one of the files has lines such as <s snum=1> … </s>")
    if numbered[0]:
        return _numbered(source, target, names)
    read = read_two_files(source, target, longest=None)
    raise_faults(name, read.faults)
    return Corpus(
        name, "lines", "none", [SentencePair(None, row.source, row.target, line=row.line) for row in read.rows]
    )


def write_sentence_lines(pairs: Iterable[SentencePair]) -> tuple[list[str], list[str]]:
    """Return the lines of the source and target files, with one sentence per line. Every pair must include its
    sentences."""
    words = [(pair.source or (), pair.target or ()) for pair in pairs]
    return [f"{' '.join(source)}\n" for source, _ in words], [f"{' '.join(target)}\n" for _, target in words]


def _is_numbered(data: bytes, name: str) -> bool:
    first = next((line for line in lines_or_blanks(data, name=name) if line.strip()), "")
    return SENTENCE.fullmatch(first) is not None


def _numbered(source: bytes, target: bytes, names: Sequence[str]) -> Corpus:
    sides: list[dict[str, tuple[Tokens, int]]] = [
        {key: (tokens, line) for key, tokens, line in read_wpt_sentences(data, name=file)}
        for data, file in zip((source, target), names, strict=True)
    ]
    for here, there in ((0, 1), (1, 0)):
        alone = [(key, line) for key, (_, line) in sides[here].items() if key not in sides[there]]
        if alone:
            faults = [Fault(line, None, f"sentence {key} is not in {names[there]}") for key, line in alone]
            raise TableError(names[here], faults)
    pairs = [SentencePair(key, tokens, sides[1][key][0], line=line) for key, (tokens, line) in sides[0].items()]
    return Corpus(" and ".join(names), "lines", "numbers", pairs)
