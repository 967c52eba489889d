"""The parts of an HTML text that are not plain text, such as tags, attributes, comments, scripts and styles.

The positions decide how a cell is escaped. Python's HTML parser does not report positions of attributes, so this module
contains a scanner for them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

# The text in these elements cannot contain character references, so a cell cannot be escaped there.
RAW = ("xmp", "iframe", "noembed", "noframes", "noscript", "plaintext")
_TOKEN = re.compile(r"<!--.*?(?:-->|$)|<(/?)([A-Za-z][^\s/>]*)|<[!?][^>]*>?", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\s*/?\s*([^\s=>/"'][^\s=>/]*|["'])(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""")
_URLS = frozenset({"href", "src", "action", "formaction", "data", "xlink:href"})
_CROWD = re.compile(r"crowd-html-elements(?:\.min)?\.js|assets\.crowd\.aws")


@dataclass(frozen=True)
class Region:
    """A part of the HTML. `kind` is comment, tag, attribute, unquoted, name, handler, script, style or raw.

    `span` is the position of the value of an attribute or of the text of a script. `name` is the name of the element or
    attribute. `is_crowd` is true for the script that defines Amazon's crowd elements, which Accord replaces.
    """

    kind: str
    start: int
    end: int
    line: int
    name: str = ""
    span: tuple[int, int] = (0, 0)
    is_crowd: bool = False

    @property
    def is_url(self) -> bool:
        """Return whether the region is an attribute whose value is a URL."""
        return self.kind in ("attribute", "unquoted") and self.name in _URLS


class Lines:
    """The line numbers of positions in a text, starting at 1. Counting the lines before each tag would take quadratic
    time.
    """

    def __init__(self, text: str) -> None:
        self.ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, position: int) -> int:
        """Return the number of the line that contains a position."""
        return bisect_left(self.ends, position) + 1


def regions_of(html: str, lines: Lines) -> list[Region]:
    """Return the parts in HTML order. Each tag comes before its attributes."""
    return list(_regions(html, lines))


def _regions(html: str, lines: Lines) -> Iterator[Region]:
    at = 0
    while match := _TOKEN.search(html, at):
        start, at = match.span()
        line = lines.at(start)
        name = (match[2] or "").lower()
        if not name:
            yield Region("comment", start, at, line)
            continue
        attributes, at = _attributes(html, at, lines)
        if match[1]:
            yield Region("tag", start, at, line, name)
            continue
        if name in ("script", "style", *RAW):
            end = _closing(html, name, at)
            crowd = name == "script" and bool(_CROWD.search(html[start:at]))
            # A script that is not allowed is removed together with its tag, so the region includes the tag.
            if name == "script":
                yield Region("script", start, end, line, name, (at, end), crowd)
            else:
                yield Region("tag", start, at, line, name)
                yield from attributes
                yield Region("style" if name == "style" else "raw", at, _content_end(html, name, at), line, name)
            at = end
            continue
        yield Region("tag", start, at, line, name)
        yield from attributes


def _attributes(html: str, at: int, lines: Lines) -> tuple[list[Region], int]:
    """Return the attributes of a tag whose name ends at `at`, and the position after the tag."""
    found: list[Region] = []
    while at < len(html):
        if match := re.compile(r"\s*/?\s*>").match(html, at):
            return found, match.end()
        attribute = _ATTRIBUTE.match(html, at)
        if not attribute or attribute.end() == at:
            return found, min(at + 1, len(html))
        found.append(_attribute(attribute, lines))
        at = attribute.end()
    return found, at


def _attribute(match: re.Match[str], lines: Lines) -> Region:
    name = match[1].lower()
    group = next((number for number in (2, 3, 4) if match[number] is not None), 1)
    span = match.span(group)
    value = match[group].strip().lower()
    if group == 1:
        kind = "name"
    elif name.startswith("on") or value.startswith("javascript:"):
        kind = "handler"
    elif name == "srcdoc":
        kind = "raw"
    else:
        kind = "unquoted" if group == 4 else "attribute"
    return Region(kind, *match.span(), lines.at(match.start(1)), name, span)


def _content_end(html: str, name: str, at: int) -> int:
    match = re.compile(rf"</{name}[\s/>]", re.IGNORECASE).search(html, at)
    return match.start() if match else len(html)


def _closing(html: str, name: str, at: int) -> int:
    """Return the position after the closing tag of an element with raw text."""
    end = html.find(">", _content_end(html, name, at))
    return len(html) if end < 0 else end + 1
