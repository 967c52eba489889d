"""The answer to a word-alignment question: sure and possible links, and a log of how the annotator drew them.

{"sure": [[0, 0], [1, 2]], "possible": [[3, 3]], "log": [[1840, "sure", "drag", [[1, 2]]], …]}

Token numbers start at 0, and lists of links are sorted. A log entry contains the milliseconds since the question was
shown, the operation, the input method, and the links concerned. `confirm` means that the annotator confirmed the links
without a change.

Messages that annotators can cause are translated. Messages about malformed JSON are for API clients and are always in
English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.pairs.numerics.links import Alignment, Link, identical_links
from annotate.tasktypes import InvalidAnswer

OPERATIONS = ("sure", "possible", "remove", "move", "undo", "redo", "reset", "confirm")
MEANS = ("drag", "tap", "key", "matrix", "button", "offer")
LONGEST_LOG = 5_000
SHOWN = 8


def clean_answer(payload: Mapping[str, Any], raw: Any) -> dict[str, Any]:
    """Return an answer in its stored form. Raises `InvalidAnswer`, with the path to the invalid link or log entry.

    The log can be missing if there are links, as in imported alignments. The log of an answer without links must end
    with `confirm`, because annotators must confirm that no words correspond.
    """
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("value", "The answer must be an object with `sure`, `possible` and `log`.")
    sizes = (len(payload["source"]), len(payload["target"]))
    sure = {link for _, link in _links(raw, "sure", sizes)}
    possible = set()
    for place, link in _links(raw, "possible", sizes):
        if link in sure:
            message = _("The link %(link)s is both sure and possible. Choose one kind.") % {"link": _pair(link)}
            raise InvalidAnswer(place, message)
        possible.add(link)
    log = _log(raw.get("log", []), sizes)
    if not (sure or possible or (log and log[-1][1] == "confirm")):
        raise InvalidAnswer(
            "sure", _("There are no links. Draw at least one link, or confirm that no words correspond.")
        )
    return {**as_value(Alignment.of(sure, possible)), "log": log}


def as_value(alignment: Alignment) -> dict[str, Any]:
    """Return an alignment as JSON with sorted links."""
    return {
        "sure": [list(link) for link in sorted(alignment.sure)],
        "possible": [list(link) for link in sorted(alignment.possible)],
    }


def as_alignment(value: Mapping[str, Any]) -> Alignment:
    """Return the alignment contained in a stored answer, an expected answer or a pre-alignment."""
    return Alignment.of(*([(i, j) for i, j in value[kind]] for kind in ("sure", "possible")))


def in_words(payload: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """Describe an answer in words, for example “12 sure, 1 possible: car–auto, fast–quickly (possible); 9 between
    identical words”.
    """
    alignment = as_alignment(value)
    if not alignment.links:
        return "no links"
    identical = alignment.links & identical_links(payload["source"], payload["target"])
    telling = sorted(alignment.links - identical)
    shown = [
        f"{payload['source'][i]}–{payload['target'][j]}{' (possible)' if (i, j) in alignment.possible else ''}"
        for i, j in telling[:SHOWN]
    ]
    if more := len(telling) - SHOWN if len(telling) > SHOWN else 0:
        shown.append(f"{more} more")
    words = f"{len(alignment.sure)} sure, {len(alignment.possible)} possible"
    if shown:
        words += f": {', '.join(shown)}"
    return f"{words}; {len(identical)} between identical words" if identical else words


def _links(raw: Mapping[str, Any], kind: str, sizes: tuple[int, int]) -> Iterator[tuple[str, Link]]:
    """Yield the links of one kind, with each link's path in the answer."""
    links = raw.get(kind, [])
    if not isinstance(links, Sequence) or isinstance(links, str):
        raise InvalidAnswer(kind, f"`{kind}` must be a list of links such as [0, 2].")
    for number, link in enumerate(links):
        yield f"{kind}.{number}", _link(link, f"{kind}.{number}", sizes)


def _link(link: Any, path: str, sizes: tuple[int, int]) -> Link:
    if not isinstance(link, Sequence) or len(link) != 2 or not all(type(token) is int for token in link):
        raise InvalidAnswer(path, f"A link must be two token numbers, such as [0, 2]. Received: {link!r}.")
    for token, size, sentence in zip(link, sizes, ("first", "second"), strict=True):
        if not 0 <= token < size:
            raise InvalidAnswer(
                path, f"Token {token} does not exist: the {sentence} sentence has tokens 0 to {size - 1}."
            )
    return link[0], link[1]


def _log(log: Any, sizes: tuple[int, int]) -> list[list[Any]]:
    if not isinstance(log, Sequence) or isinstance(log, str):
        raise InvalidAnswer("log", "`log` must be a list of entries.")
    if len(log) > LONGEST_LOG:
        raise InvalidAnswer("log", f"The log has {len(log):,} entries. The limit is {LONGEST_LOG:,}.")
    return [_entry(entry, f"log.{number}", sizes) for number, entry in enumerate(log)]


def _entry(entry: Any, path: str, sizes: tuple[int, int]) -> list[Any]:
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 4:
        raise InvalidAnswer(
            path, "Each log entry must contain the time in milliseconds, the operation, the input method and the links."
        )
    milliseconds, operation, means, links = entry
    if type(milliseconds) is not int or milliseconds < 0:
        raise InvalidAnswer(
            path, f"The number of milliseconds must be a whole number of at least 0, not {milliseconds!r}."
        )
    if operation not in OPERATIONS:
        raise InvalidAnswer(path, f"The operation {operation!r} is unknown. Use one of {', '.join(OPERATIONS)}.")
    if means not in MEANS:
        raise InvalidAnswer(path, f"The input method {means!r} is unknown. Use one of {', '.join(MEANS)}.")
    if not isinstance(links, Sequence) or isinstance(links, str):
        raise InvalidAnswer(path, "The links of a log entry must be a list of links such as [0, 2].")
    return [milliseconds, operation, means, [list(_link(link, path, sizes)) for link in links]]


def _pair(link: Link) -> str:
    return f"{link[0]}-{link[1]}"
