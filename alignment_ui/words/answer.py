"""What an answer to a word-alignment question is: links, sure and possible, and the log of how they were drawn.

    {"sure": [[0, 0], [1, 2]], "possible": [[3, 3]], "log": [[1840, "sure", "drag", [[1, 2]]], …]}

Tokens are counted from 0, lists of links are sorted. An entry of the log has the milliseconds since the question was
shown, what was done, by which means, and the links concerned. `confirm` is the deliberate “right as it stands” of an
annotator who changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from alignment_ui.pairs.numerics.links import Alignment, Link, identical_links
from annotate.tasktypes import InvalidAnswer

OPERATIONS = ("sure", "possible", "remove", "undo", "redo", "reset", "confirm")
MEANS = ("drag", "tap", "key", "matrix", "button")
LONGEST_LOG = 5_000
SHOWN = 8


def clean_answer(payload: Mapping[str, Any], raw: Any) -> dict[str, Any]:
    """The stored form of an answer; raises `InvalidAnswer` naming the link or the entry of the log that is wrong.

    The log may be missing where there are links, as in alignments that were not drawn here. That nothing corresponds
    has to be said: an answer without links ends with `confirm`.
    """
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("value", "An answer is an object with `sure`, `possible` and `log`.")
    sizes = (len(payload["source"]), len(payload["target"]))
    sure = {link for _, link in _links(raw, "sure", sizes)}
    possible = set()
    for place, link in _links(raw, "possible", sizes):
        if link in sure:
            raise InvalidAnswer(place, f"The link {_said(link)} is both sure and possible; it can only be one.")
        possible.add(link)
    log = _log(raw.get("log", []), sizes)
    if not (sure or possible or (log and log[-1][1] == "confirm")):
        raise InvalidAnswer("sure", "There are no links. Draw some, or confirm that nothing corresponds.")
    return {**as_value(Alignment.of(sure, possible)), "log": log}


def as_value(alignment: Alignment) -> dict[str, Any]:
    """An alignment as JSON, its links sorted."""
    return {
        "sure": [list(link) for link in sorted(alignment.sure)],
        "possible": [list(link) for link in sorted(alignment.possible)],
    }


def as_alignment(value: Mapping[str, Any]) -> Alignment:
    """The alignment of a stored answer, a gold answer or a pre-alignment."""
    return Alignment.of(*([(i, j) for i, j in value[kind]] for kind in ("sure", "possible")))


def in_words(payload: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """As in “12 sure, 2 possible: car–automobile, fast–quickly (possible); 9 of them join identical words”."""
    alignment = as_alignment(value)
    if not alignment.links:
        return "nothing corresponds"
    identical = alignment.links & identical_links(payload["source"], payload["target"])
    telling = sorted(alignment.links - identical)
    said = [
        f"{payload['source'][i]}–{payload['target'][j]}{' (possible)' if (i, j) in alignment.possible else ''}"
        for i, j in telling[:SHOWN]
    ]
    if more := len(telling) - SHOWN if len(telling) > SHOWN else 0:
        said.append(f"{more} more")
    words = f"{len(alignment.sure)} sure, {len(alignment.possible)} possible"
    if said:
        words += f": {', '.join(said)}"
    return f"{words}; {len(identical)} of them join identical words" if identical else words


def _links(raw: Mapping[str, Any], kind: str, sizes: tuple[int, int]) -> Iterator[tuple[str, Link]]:
    """The links of one kind, each with its path in the answer."""
    links = raw.get(kind, [])
    if not isinstance(links, Sequence) or isinstance(links, str):
        raise InvalidAnswer(kind, f"`{kind}` is a list of links such as [0, 2].")
    for number, link in enumerate(links):
        yield f"{kind}.{number}", _link(link, f"{kind}.{number}", sizes)


def _link(link: Any, path: str, sizes: tuple[int, int]) -> Link:
    if not isinstance(link, Sequence) or len(link) != 2 or not all(type(token) is int for token in link):
        raise InvalidAnswer(path, f"A link is two whole numbers, the places of its tokens; this is {link!r}.")
    for token, size, sentence in zip(link, sizes, ("first", "second"), strict=True):
        if not 0 <= token < size:
            raise InvalidAnswer(path, f"There is no token {token} in the {sentence} sentence; it has 0 to {size - 1}.")
    return link[0], link[1]


def _log(log: Any, sizes: tuple[int, int]) -> list[list[Any]]:
    if not isinstance(log, Sequence) or isinstance(log, str):
        raise InvalidAnswer("log", "The log is a list of edits.")
    if len(log) > LONGEST_LOG:
        raise InvalidAnswer("log", f"The log has {len(log):,} entries; at most {LONGEST_LOG:,} are taken.")
    return [_entry(entry, f"log.{number}", sizes) for number, entry in enumerate(log)]


def _entry(entry: Any, path: str, sizes: tuple[int, int]) -> list[Any]:
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 4:
        raise InvalidAnswer(path, "An entry of the log is milliseconds, what was done, by which means, and the links.")
    milliseconds, operation, means, links = entry
    if type(milliseconds) is not int or milliseconds < 0:
        raise InvalidAnswer(path, f"Milliseconds are a whole number from 0, not {milliseconds!r}.")
    if operation not in OPERATIONS:
        raise InvalidAnswer(path, f"There is no operation {operation!r}; there are {', '.join(OPERATIONS)}.")
    if means not in MEANS:
        raise InvalidAnswer(path, f"Nothing is done by {means!r}; there are {', '.join(MEANS)}.")
    if not isinstance(links, Sequence) or isinstance(links, str):
        raise InvalidAnswer(path, "The links of an entry are a list of links such as [0, 2].")
    return [milliseconds, operation, means, [list(_link(link, path, sizes)) for link in links]]


def _said(link: Link) -> str:
    return f"{link[0]}-{link[1]}"
