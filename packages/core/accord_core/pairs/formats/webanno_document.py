"""Documents in the WebAnno TSV 3.3 format, for words and chunks: sentences, tokens and layers.

Offsets count UTF-16 code units from the beginning of the document, as in Java.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.tabs import iter_lines
from accord_core.pairs.formats.tokens import token_fault

FORMAT = "#FORMAT=WebAnno TSV 3"
SIDES = ("source", "target")
EMPTY = "_"

_PLACE = re.compile(r"(\d+)-(\d+)", re.ASCII)
_ESCAPED = re.compile(r"\\(.)")
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


@dataclass
class Sentence:
    """A sentence in the document. `rows` contains the line number and annotation cells of each token."""

    line: int
    id: str = ""
    text: list[str] = field(default_factory=list)
    start: int = 0
    tokens: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)

    @property
    def key(self) -> str | None:
        """Return the pair ID of a source sentence, if the sentence has an ID."""
        return self.id.removesuffix("/source") or None

    def cell(self, token: int, column: int) -> str:
        """Return a token's cell. Columns are counted after the column of the token."""
        cells = self.rows[token][1]
        return cells[column] if column < len(cells) else EMPTY


class Layer(NamedTuple):
    """A layer in the document's header. `kind` is T_SP for spans, T_RL for relations and T_CH for chains.

    `first` is the first column of the layer. `columns` maps the features to their columns. `ends` is the column of a
    relation layer with the addresses of the other ends.
    """

    kind: str
    name: str
    first: int
    columns: dict[str, int]
    ends: int


def read_document(data: bytes, *, name: str) -> tuple[list[Layer], list[Sentence]]:
    """Return a document's layers and sentences, in which each source sentence is followed by its target sentence.
    Raises TableError with every error, such as an odd number of sentences.
    """
    faults: list[Fault] = []
    lines = list(enumerate(iter_lines(data, name=name), start=1))
    sentences = _sentences(lines, faults)
    if not faults and (not sentences or len(sentences) % 2):
        number = with_noun(len(sentences), "sentence")
        message = f"the document has {number}, but each pair needs a source and a target sentence"
        faults.append(Fault(None, None, message))
    raise_faults(name, faults)
    return _layers([line for _, line in lines if line.startswith("#T_")]), sentences


def relation_layer(layers: Sequence[Layer], own: str, *, name: str) -> Layer:
    """Return the relation layer `own`, or the only relation layer. Raises TableError."""
    relations = [layer for layer in layers if layer.kind == "T_RL"]
    chosen = [layer for layer in relations if layer.name == own] or relations
    if len(chosen) != 1:
        message = f"the document must have the relation layer {own}, or only one relation layer"
        raise TableError(name, [Fault(1, None, message)])
    return chosen[0]


def sentence_head(key: str, side: str, tokens: Sequence[str]) -> str:
    """Return the lines that precede the rows of a sentence."""
    return f"\n#Sentence.id={escape_text(key)}/{side}\n#Text={escape_text(' '.join(tokens))}\n"


def escape_text(text: str) -> str:
    """Return a text or an ID, escaped for the lines that precede the rows of a sentence."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def unescape(text: str) -> str:
    """Return a text, an ID or a value without backslashes."""
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), text)


def units(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _layers(header: Sequence[str]) -> list[Layer]:
    place = 0
    layers = []
    for line in header:
        kind, _, rest = line.removeprefix("#").partition("=")
        name, *features = rest.strip().split("|")
        features = [feature for feature in features if feature]
        if kind == "T_RL":  # The last feature is the layer of the links' targets.
            features = features[:-1]
        width = max(1, len(features))
        ends = place + width if kind == "T_RL" else -1
        layers.append(Layer(kind, name, place, {each: place + n for n, each in enumerate(features)}, ends))
        place += width + (kind == "T_RL")
    return layers


def _sentences(lines: Iterable[tuple[int, str]], faults: list[Fault]) -> list[Sentence]:
    """Return the sentences with their tokens, which are defined by offsets into the sentence's text."""
    sentences: list[Sentence] = []
    current: Sentence | None = None
    for line, text in lines:
        if not text.strip():
            current = None
        elif text.startswith("#") and not text.startswith(("#Text=", "#Sentence.id=")):
            continue
        else:
            if current is None:
                current = Sentence(line)
                sentences.append(current)
            if text.startswith("#Text="):
                current.text.append(unescape(text.removeprefix("#Text=")))
            elif text.startswith("#Sentence.id="):
                current.id = unescape(text.removeprefix("#Sentence.id=")).strip()
            else:
                _add_token(current, line, text.split("\t"), len(sentences), faults)
    return sentences


def _add_token(sentence: Sentence, line: int, cells: list[str], number: int, faults: list[Fault]) -> None:
    """Add the token in a row. A row with an error also counts as a token, so that it does not cause errors in the next
    rows.
    """
    if "." in cells[0]:
        return  # Such a row describes only a part of a token.
    token, fault = _token(sentence, cells, f"{number}-{len(sentence.tokens) + 1}")
    if fault:
        faults.append(Fault(line, None, fault))
    sentence.tokens.append(token)
    sentence.rows.append((line, cells[3:]))


def _token(sentence: Sentence, cells: list[str], place: str) -> tuple[str, str]:
    """Return a row's token and an error message. One of them is empty."""
    span = _PLACE.fullmatch(cells[1]) if len(cells) > 1 and cells[0] == place else None
    if span is None:
        return "", f"the row must begin with {place} and two offsets such as 0-4"
    if not sentence.tokens:
        sentence.start = int(span[1])
    first, last = (int(offset) - sentence.start for offset in span.groups())
    encoded = "\n".join(sentence.text).encode("utf-16-le", "surrogatepass")
    if not 0 <= 2 * first < 2 * last <= len(encoded):
        return "", f"the offsets {cells[1]} are outside the text of the sentence"
    token = encoded[2 * first : 2 * last].decode("utf-16-le", "replace")
    if token_fault((token,)):
        return "", f"the token {shorten(token)!r} at the offsets {cells[1]} contains whitespace"
    return token, ""
