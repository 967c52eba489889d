"""Reader and writer for the sentence files of interpretable STS. Each line contains a tokenised sentence, either plain
or divided into chunks, such as `[ A cat ] [ sleeps ]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from accord_core.chunks.formats.blanks import BLANKS, is_token, tokens_of
from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.numerics.printed import with_noun

OPEN, CLOSE = "[", "]"

Chunk = tuple[int, ...]
"""Token numbers of a chunk, starting at 0."""


class ChunkedSentence(NamedTuple):
    """The tokens and chunks of a line, in order. The chunks are None if the file does not contain brackets."""

    tokens: tuple[str, ...]
    chunks: tuple[Chunk, ...] | None
    line: int


def read_sentences(data: bytes, *, name: str) -> list[ChunkedSentence]:
    """Return the sentences of a file that contains one sentence per line. If the first sentence has brackets, all
    sentences must have brackets.

    Blank lines at the end of a file are ignored. Any other blank line is an error, because the sentences of the two
    files are matched by line. Raises TableError with every error and its line.
    """
    lines = [line.strip(BLANKS) for line in open_text(data, name=name)]
    while not lines[-1]:
        lines.pop()
    bracketed = lines[0].startswith(f"{OPEN} ")
    sentences: list[ChunkedSentence] = []
    faults: list[Fault] = []
    for number, line in enumerate(lines, start=1):
        try:
            if not line:
                raise ValueError("the line contains no sentence")
            tokens, chunks = parse_chunks(line) if bracketed else (tokens_of(line), None)
            sentences.append(ChunkedSentence(tokens, chunks, number))
        except ValueError as error:
            faults.append(Fault(number, None, str(error)))
    raise_faults(name, faults)
    return sentences


def read_sentence_pairs(
    first: bytes, second: bytes, *, names: tuple[str, str]
) -> list[tuple[ChunkedSentence, ChunkedSentence]]:
    """Return the sentence pairs of two files. Line n of one file corresponds to line n of the other file.

    Raises TableError if either file contains errors, or if one file has more sentences than the other.
    """
    source, target = read_sentences(first, name=names[0]), read_sentences(second, name=names[1])
    if len(source) != len(target):
        message = (
            f"the file has {with_noun(len(target), 'sentence')}, but {names[0]} has {len(source):,}. "
            "Each line needs a line in the other file"
        )
        raise TableError(names[1], [Fault(min(len(source), len(target)) + 1, None, message)])
    return list(zip(source, target, strict=True))


def read_same_sentences(
    gold: bytes, system: bytes, *, names: tuple[str, str]
) -> list[tuple[tuple[str, ...], tuple[Chunk, ...], tuple[Chunk, ...]]]:
    """Return the tokens, the gold chunks and the system's chunks of each sentence.

    Raises TableError if a file contains errors or no brackets, or if the two files have different sentences.
    """
    pairs = read_sentence_pairs(gold, system, names=names)
    for name, place in zip(names, (0, 1), strict=True):
        if pairs[0][place].chunks is None:
            raise TableError(name, [Fault(1, None, "the sentences have no chunks. Put each chunk into brackets")])
    faults = [
        Fault(other.line, None, f"the tokens differ from the tokens on the same line of {names[0]}")
        for one, other in pairs
        if one.tokens != other.tokens
    ]
    raise_faults(names[1], faults)
    return [(one.tokens, one.chunks or (), other.chunks or ()) for one, other in pairs]


def parse_chunks(line: str) -> tuple[tuple[str, ...], tuple[Chunk, ...]]:
    """Return the tokens and chunks of a line such as `[ A cat ] [ sleeps ]`.

    Raises ValueError with the position of a missing or extra bracket, an empty chunk, or a token outside all chunks.
    """
    tokens: list[str] = []
    chunks: list[Chunk] = []
    start: int | None = None
    for place, part in enumerate(tokens_of(line), start=1):
        if part == OPEN:
            if start is not None:
                raise ValueError(f"the bracket at position {place} opens a chunk inside another chunk")
            start = len(tokens)
        elif part == CLOSE:
            if start is None:
                raise ValueError(f"the bracket at position {place} closes a chunk that was not opened")
            if start == len(tokens):
                raise ValueError(f"the bracket at position {place} closes an empty chunk")
            chunks.append(tuple(range(start, len(tokens))))
            start = None
        elif start is None:
            raise ValueError(
                f"“{part}” at position {place} is not in a chunk. Put brackets around it, with a space on both sides "
                "of each bracket"
            )
        else:
            tokens.append(part)
    if start is not None:
        raise ValueError("the last chunk is not closed")
    return tuple(tokens), tuple(chunks)


def write_chunks(tokens: Sequence[str], chunks: Iterable[Sequence[int]]) -> str:
    """Return a line of bracketed chunks, without a line ending. `parse_chunks` reads this line.

    Raises ValueError if brackets cannot represent the chunks: the tokens of a chunk are not adjacent, a token is in two
    chunks or in no chunk, or a token is a bracket or contains whitespace.
    """
    ordered = sorted(tuple(chunk) for chunk in chunks)
    for token in tokens:
        if token in (OPEN, CLOSE) or not is_token(token):
            raise ValueError(f"the token “{token}” cannot be written between brackets")
    if () in ordered or sorted(token for chunk in ordered for token in chunk) != list(range(len(tokens))):
        raise ValueError("every token must be in exactly one chunk, and chunks must not be empty")
    for chunk in ordered:
        if chunk != tuple(range(chunk[0], chunk[0] + len(chunk))):
            words = " … ".join(tokens[token] for token in chunk)
            raise ValueError(
                f"the tokens of the chunk “{words}” are not adjacent, so the chunk cannot be written in brackets"
            )
    return " ".join(f"{OPEN} {' '.join(tokens[token] for token in chunk)} {CLOSE}" for chunk in ordered)


def write_chunk_file(sentences: Iterable[tuple[Sequence[str], Iterable[Sequence[int]]]]) -> Iterator[str]:
    """Yield each sentence as a line of bracketed chunks. Each line of the file ends with a space."""
    for tokens, chunks in sentences:
        yield f"{write_chunks(tokens, chunks)} \n"
