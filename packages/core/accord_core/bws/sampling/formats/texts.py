"""Readers for files of multi-sentence texts, which contain plain text with paragraphs, or a table with one text per
row.
"""

from __future__ import annotations

from collections.abc import Iterator

from accord_core.bws.sampling.formats.sentences import Sentences, is_sentence_table, read_sentences
from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Limits


def read_texts(
    data: bytes, *, name: str, limits: Limits, text_column: str | None = None, per_line: bool = False
) -> Sentences:
    """Return the texts in a file. Each row of the result is one text, which can contain several sentences.

    A table has the column `text` or `sentence`, or the column `text_column`. In plain text, a blank line separates two
    texts, and the lines between blank lines belong to one text. With `per_line`, each line of a plain text is a text.
    Raises TableError with every error, and for a file of pairs.
    """
    data = as_utf8(data, name=name)
    if not (per_line or text_column is not None or is_sentence_table(data, name)):
        return _paragraphs(data, name, limits)
    texts = read_sentences(data, name=name, limits=limits, text_column=text_column)
    if texts.are_pairs:
        raise TableError.of_file(
            name, "the file contains pairs of sentences. Sample pairs directly with accord sample pairs"
        )
    return texts


def _paragraphs(data: bytes, name: str, limits: Limits) -> Sentences:
    paragraphs = list(_blocks(data, name))
    if limits.rows is not None and len(paragraphs) > limits.rows:
        message = f"the file has more than {limits.rows:,} paragraphs. Split the file or raise the limit"
        raise TableError(name, [Fault(paragraphs[limits.rows][0], None, message)])
    lines = [line for line, _ in paragraphs]
    return Sentences(name, lines, [f"line-{line}" for line in lines], ([text for _, text in paragraphs],), {})


def _blocks(data: bytes, name: str) -> Iterator[tuple[int, str]]:
    """Yield the first line and the text of each paragraph."""
    start, block = 0, list[str]()
    for number, line in enumerate(open_text(data, name=name), start=1):
        if line.strip():
            start = start if block else number
            block.append(line.strip())
        elif block:
            yield start, " ".join(block)
            block = []
    if block:
        yield start, " ".join(block)
