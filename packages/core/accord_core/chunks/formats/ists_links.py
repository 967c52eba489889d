"""Lines of a `.wa` file that link two chunks, such as `1 2 <==> 3 // SPE2_FACT // 4 // A cat <==> It`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from accord_core.chunks.formats.blanks import BLANKS, tokens_of
from accord_core.chunks.numerics.chunks import FLAGS, TOP_SCORE, TYPES, UNLINKED, ChunkLink
from accord_core.exchange.cells import is_empty
from accord_core.exchange.faults import Fault

ARROW = "<==>"
BETWEEN = ";;"  # separator between the lines of a .wa file in one cell
NOT_ALIGNED = "-not aligned-"
NIL = "NIL"

Refuse = Callable[[str, str], None]

_BREAKS = re.compile(rf"{BETWEEN}|[\r\n]+")
_TOKEN = re.compile("[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class BrokenRule(NamedTuple):
    """A violation of a rule, with the rule's permanent name and the position in the file. `line` counts from 1."""

    line: int | None
    rule: str
    message: str

    @property
    def fault(self) -> Fault:
        return Fault(self.line, None, self.message)


def read_link(text: str, *, line: int | None = None) -> tuple[ChunkLink | None, list[BrokenRule]]:
    """Return the link in a line. If the line breaks rules of the official checker, return None and these rules.

    The checker does not check anything else. The guidelines determine whether tokens exist, whether an unlinked chunk
    has a score, and whether a chunk is linked twice.
    """
    broken: list[BrokenRule] = []

    def refuse(rule: str, message: str) -> None:
        broken.append(BrokenRule(line, rule, message))

    parts = [part.strip(BLANKS) for part in text.split("//", 3)]
    if len(parts) < 3:
        refuse("parts", "the line must contain tokens, a type and a score, separated by //")
        return None, broken
    sides = parts[0].split(ARROW)
    if len(sides) != 2:
        refuse("tokens", f"the line must contain two lists of tokens, separated by one {ARROW}")
        sides = []
    chunks = [_read_tokens(side, name, refuse) for side, name in zip(sides, ("first", "second"), strict=False)]
    main, flags = read_types(parts[1], refuse)
    score = read_score(parts[2], main, refuse)
    if broken:
        return None, broken
    comment = parts[3] if len(parts) == 4 else None
    return ChunkLink(chunks[0], chunks[1], main, flags, score, comment, line), []


def links_of(cell: str, row: int | None = None) -> tuple[tuple[ChunkLink, ...], list[str]]:
    """Return the links and the errors in a cell such as `1 2 <==> 1 // SPE1 // 4;;3 <==> 0 // NOALI // NIL`. Links can
    also be on separate lines. `row` is the line of the cell.
    """
    lines = [] if is_empty(cell.strip()) else _BREAKS.split(cell)
    read = [read_link(line, line=row) for line in lines if line.strip()]
    return tuple(link for link, _ in read if link), [rule.message for _, broken in read for rule in broken]


def write_link(link: ChunkLink, source: Sequence[str], target: Sequence[str]) -> str:
    """Return the line for a link, without a line ending. Raises ValueError for a link that the format cannot store."""
    comment = link.comment
    if comment is None:
        comment = f"{_words(link.source, source)} {ARROW} {_words(link.target, target)}"
    types = type_and_flags(link)
    tokens = f" {ARROW} ".join(" ".join(str(token + 1) for token in side) or "0" for side in (link.source, link.target))
    line = f"{tokens} // {types} // {score_name(link.score)} // {comment} "
    _, broken = read_link(line)
    if broken or "\n" in line or "\r" in line:
        raise ValueError(f"{line!r} cannot be written to a .wa file" + "".join(f"; {each.message}" for each in broken))
    return line


def type_and_flags(link: ChunkLink) -> str:
    """Return a link's type and flags in the notation of files, such as SPE2_FACT."""
    return "_".join([link.type, *(flag for flag in FLAGS if flag in link.flags)])


def score_name(score: float | None) -> str:
    """Return a score in the notation of files: 4, 2.5 or NIL."""
    return NIL if score is None else str(score).removesuffix(".0")


def read_types(text: str, refuse: Refuse) -> tuple[str, frozenset[str]]:
    """Parse the type and the flags from a string such as SPE2_FACT. Broken rules are passed to `refuse`."""
    # Remove surrounding whitespace and trailing underscores, as the official programs do.
    names = text.rstrip("_").split("_")
    main = [name for name in names if name in TYPES]
    flags = [name for name in names if name in FLAGS]
    for name in names:
        if name not in TYPES and name not in FLAGS:
            refuse("type", f"“{name}” is not a type. The types are {_listed(TYPES)}, optionally with {_listed(FLAGS)}")
    if len(main) != 1:
        refuse("main type", f"“{text}” must contain exactly one of the types {_listed(TYPES)}, not {len(main)}")
    if len(flags) > len(FLAGS):
        refuse("flags", f"a type can have at most two flags, not {len(flags)}")
    return main[0] if main else "", frozenset(flags)


def read_score(text: str, main: str, refuse: Refuse) -> float | None:
    """Parse a score from a string. The result is None for NIL. Broken rules are passed to `refuse`."""
    if text == NIL:
        if main and main not in UNLINKED:
            refuse("NIL", f"only {' and '.join(UNLINKED)} can have the score NIL, not {main}")
        return None
    if not _NUMBER.fullmatch(text):
        refuse("score", f"the score must be a number from 0 to {TOP_SCORE}, or NIL, not “{text}”")
        return None
    score = float(text)
    if not 0 <= score <= TOP_SCORE:
        refuse("score range", f"the score must be from 0 to {TOP_SCORE}, not {text}")
    return score + 0.0


def _read_tokens(text: str, side: str, refuse: Refuse) -> tuple[int, ...]:
    """Return the token numbers, starting at 0. In a file, the token number 0 means that there is no token. If one side
    of a link contains 0, the side is empty, even if it also contains other numbers.
    """
    names = tokens_of(text)
    if not names:
        refuse("tokens", f"the {side} side is empty. Write 0 if the side has no token")
    for name in names:
        if not _TOKEN.fullmatch(name):
            refuse("token", f"“{name}” is not a token. Write the number of a token, starting at 1, or 0 for no token")
            return ()
    numbers = [int(name) for name in names]
    return () if 0 in numbers else tuple(number - 1 for number in numbers)


def _words(chunk: Sequence[int], sentence: Sequence[str]) -> str:
    if chunk and max(chunk) >= len(sentence):
        raise ValueError(f"the sentence has no token {max(chunk) + 1}, only {len(sentence)} tokens")
    return " ".join(sentence[token] for token in chunk) or NOT_ALIGNED


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]
