"""Reader and writer for interpretable STS files (`.wa`), which contain pairs of tokenised sentences and the typed,
scored links between their chunks.

The files look like XML, but they are not XML, because tokens can contain `<` and `&`. They are read line by line:

    <sentence id="1" status="">
    // A cat sleeps
    // It sleeps
    <source>
    1 A :
    …
    </source>
    <translation>
    …
    </translation>
    <alignment>
    1 2 <==> 1 // SIMI // 3 // A cat <==> It
    3 <==> 2 // EQUI // 5 // sleeps <==> sleeps
    </alignment>
    </sentence>

Every pair keeps its original text, which is written unchanged if the annotation is unchanged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO

from accord_core.chunks.formats.blanks import BLANKS, is_token, tokens_of
from accord_core.chunks.formats.ists_links import ARROW, BrokenRule, read_link, write_link
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.exchange.encoding import kind_of_binary, open_text
from accord_core.exchange.faults import TableError, in_order

BYTE_ORDER_MARK = "\ufeff"

_TAG = re.compile(rf"{BYTE_ORDER_MARK}?\s*<sentence\b")
# As in the official programs, the ID must be followed by whitespace.
_ID = re.compile(r'sentence id="([^"]*)" ')
_STATUS = re.compile(r'\bstatus="([^"]*)"')
_END = re.compile(r"\s*</sentence>")
_TOKEN = re.compile(r"\s*([0-9]{1,9})[ \t]+([^ \t\r\n\f\v]+)[ \t]+:")


def read_wa(data: bytes, *, name: str, tokens: bool = True) -> list[IstsPair]:
    """Return the sentence pairs in file order.

    The tokens come from the numbered lists or, if there are no lists, from the two lines that begin with `//`. Without
    `tokens`, lists and lines are ignored, as the official scorer does with the file of a system. The pairs then have
    neither tokens nor text, so they can be scored but not written. Raises TableError with every error: all errors that
    `well_formed` finds and, with `tokens`, lists that are not numbered from 1 and pairs without tokens.
    """
    parsed = parse_wa(wa_text(data, name=name))
    broken = parsed.malformed + (parsed.without_tokens if tokens else [])
    if broken:
        raise TableError(name, in_order(each.fault for each in broken))
    return parsed.pairs if tokens else [replace(pair, source=(), target=(), text=None) for pair in parsed.pairs]


def wa_text(data: bytes, *, name: str) -> str:
    """Return the text of a file, including its byte order mark, which is written back unchanged. Raises TableError."""
    if kind := kind_of_binary(data):  # its advice, such as exporting a CSV file, does not apply to .wa files
        raise TableError.of_file(name, f"{kind.partition('. ')[0]}. Choose a .wa file")
    text = open_text(data, name=name).read()
    return BYTE_ORDER_MARK + text if data.startswith(BYTE_ORDER_MARK.encode()) else text


def write_wa(pairs: Iterable[IstsPair]) -> Iterator[str]:
    """Yield the file's text, one pair at a time.

    A pair that has not changed since it was read is written byte for byte as it was. A pair counts as unchanged if it
    has the same links in any order, each with the same comment or with None. Any other pair is written in the strict
    form, with the line endings of its original text, if any. Raises ValueError for content that the format cannot
    store, such as tokens that contain whitespace.
    """
    before: IstsPair | None = None
    end = ""
    for pair in pairs:
        text = pair_text(pair)
        if before is None:
            yield text
        elif before.text is None or pair.text is None:
            # End the line, and add the two blank lines that separate pairs.
            yield "\n" * (3 - len(end[-3:]) + len(end[-3:].rstrip("\n"))) + text.removeprefix(BYTE_ORDER_MARK)
        else:
            # A pair must not start on the last line of the previous pair, which may come from another file.
            yield ("" if end.endswith(("\n", "\r")) else "\n") + text.removeprefix(BYTE_ORDER_MARK)
        before, end = pair, text


def pair_text(pair: IstsPair) -> str:
    """Return a sentence pair as written by `write_wa`, including the surrounding text from the original file."""
    if pair.text is None:
        return "".join(f"{line}\n" for line in _strict_lines(pair))
    if _unchanged(pair):
        return pair.text
    lines = _lines(pair.text)
    first = next(n for n, line in enumerate(lines) if _TAG.match(line))
    end = next((n for n, line in enumerate(lines) if _END.match(line)), len(lines) - 1)
    newline = _ending(lines[first]) or "\n"
    mark = BYTE_ORDER_MARK if lines[first].startswith(BYTE_ORDER_MARK) else ""
    return "".join([*lines[:first], mark, *(line + newline for line in _strict_lines(pair)), *lines[end + 1 :]])


@dataclass
class ParsedWa:
    """The sentence pairs in a file, and the errors in the file. `pairs` does not contain links from invalid lines."""

    pairs: list[IstsPair] = field(default_factory=list)
    malformed: list[BrokenRule] = field(default_factory=list)
    without_tokens: list[BrokenRule] = field(default_factory=list)
    sentences: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    """For each pair, the lines that begin with `//`, split into tokens."""


def parse_wa(text: str) -> ParsedWa:
    """Return all readable sentence pairs and all errors in a text."""
    parsed = ParsedWa()
    lines = _lines(text)
    tags = [n for n, line in enumerate(lines) if _TAG.match(line)]
    for n, line in enumerate(lines[: tags[0] if tags else len(lines)], start=1):
        if ARROW in line:
            parsed.malformed.append(
                BrokenRule(n, "sentence id", f"a link is before the first <sentence id=…>: {line.strip()}")
            )
    if not tags:
        parsed.malformed.append(
            BrokenRule(None, "no sentence", 'the file has no line of the form <sentence id="…" status="">')
        )
    # Text before the first tag belongs to the first pair, so the texts of all pairs together make up the whole file.
    starts = [0, *tags[1:]]
    for tag, start, end in zip(tags, starts, [*starts[1:], len(lines)], strict=False):
        _read_pair(lines, start, tag, end, parsed)
    return parsed


def _read_pair(lines: Sequence[str], start: int, tag: int, end: int, parsed: ParsedWa) -> None:
    found = _ID.search(lines[tag])
    if found is None:
        message = (
            f'{lines[tag].strip()} contains no readable ID. The tag must have the form <sentence id="1" status="">'
        )
        parsed.malformed.append(BrokenRule(tag + 1, "sentence tag", message))
    status = _STATUS.search(lines[tag])
    sentences: list[tuple[str, ...]] = []
    listed: dict[str, list[str]] = {}
    links: list[ChunkLink] = []
    section = ""
    for number, line in enumerate(lines[tag + 1 : end], start=tag + 2):
        stripped = line.strip(BLANKS)
        if ARROW in line:
            link, broken = read_link(line, line=number)
            parsed.malformed.extend(broken)
            links.extend([link] if link else [])
        elif stripped in ("<source>", "<translation>"):
            section = stripped
            listed.setdefault(section, [])
        elif stripped in ("</source>", "</translation>", "<alignment>"):
            section = ""
        elif section and stripped:
            token = _TOKEN.match(line)
            if token is None or int(token[1]) != len(listed[section]) + 1:
                message = f"this line must be token {len(listed[section]) + 1}, in the form “1 A : ”, not “{stripped}”"
                parsed.without_tokens.append(BrokenRule(number, "token list", message))
            listed[section].append(token[2] if token else stripped)
        elif not listed and stripped.startswith("//"):
            sentences.append(tokens_of(stripped.removeprefix("//")))
    named = found[1] if found else ""
    if len(sentences) < 2 and len(listed) < 2:
        message = f"sentence pair {named} has no tokens. Add two lines that begin with //"
        parsed.without_tokens.append(BrokenRule(tag + 1, "no tokens", message))
    spoken = [*sentences, (), ()]
    source = tuple(listed["<source>"]) if "<source>" in listed else spoken[0]
    target = tuple(listed["<translation>"]) if "<translation>" in listed else spoken[1]
    text = "".join(lines[start:end])
    pair = IstsPair(named, source, target, tuple(links), status[1] if status else "", text, tag + 1)
    parsed.pairs.append(pair)
    parsed.sentences.append(tuple(sentences))


def _unchanged(pair: IstsPair) -> bool:
    [before] = parse_wa(pair.text or "").pairs
    if (pair.id, pair.status, pair.source, pair.target) != (before.id, before.status, before.source, before.target):
        return False
    # Each link is matched to a line of the original file. Links with a comment are matched first. The other links are
    # then matched to the remaining lines.
    left = Counter(before.links)
    for link in sorted(pair.links, key=lambda link: link.comment is None):
        alike = [one for one in left if replace(one, comment=None) == link] if link.comment is None else [link]
        taken = next((one for one in alike if left[one]), None)
        if taken is None:
            return False
        left[taken] -= 1
    return not left.total()


def _strict_lines(pair: IstsPair) -> Iterator[str]:
    for token in (*pair.source, *pair.target):
        if not is_token(token):
            raise ValueError(
                f"“{token}” cannot be written as a token in a .wa file. A token must not be empty or contain whitespace"
            )
    if re.search(r'["\r\n]', pair.id + pair.status):
        raise ValueError(f"the ID {pair.id!r} and the status {pair.status!r} cannot be written in a tag")
    yield f'<sentence id="{pair.id}" status="{pair.status}">'
    yield f"// {' '.join(pair.source)}"
    yield f"// {' '.join(pair.target)}"
    for name, tokens in (("source", pair.source), ("translation", pair.target)):
        yield f"<{name}>"
        yield from (f"{number} {token} : " for number, token in enumerate(tokens, start=1))
        yield f"</{name}>"
    yield "<alignment>"
    yield from (write_link(link, pair.source, pair.target) for link in pair.links)
    yield "</alignment>"
    yield "</sentence>"


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line endings. Lines are numbered as in text editors. str.splitlines would
    also split at other characters.
    """
    return list(StringIO(text, newline=""))


def _ending(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
