"""Reader and writer for CoNLL-U files: tokenised sentences with lemmas, tags, features and dependencies.

Each token is a line with ten columns that are separated by tabs: ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS
and MISC. A blank line ends a sentence, and lines that begin with # are comments. An underscore is an empty value.
Format: https://universaldependencies.org/format.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault, raise_faults

COLUMNS = 10
UPOS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())

_RANGE_OR_EMPTY = re.compile(r"[0-9]+[-.][0-9]+")


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """A token with its tags. Missing values are empty strings, an empty mapping or, for the head, None.

    `head` is the position of the head in the sentence, starting at 0, or −1 for the root.
    """

    form: str
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    features: Mapping[str, str] | None = None
    head: int | None = None
    relation: str = ""

    def feature(self, name: str) -> str:
        """Return a feature's value, such as `Past` for `Tense`, or an empty string."""
        return (self.features or {}).get(name, "")


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The tokens of a sentence, the line number of the first token, and the comments as a mapping, such as
    `sent_id`.
    """

    tokens: tuple[TaggedToken, ...]
    line: int
    comments: Mapping[str, str]

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(token.form for token in self.tokens)


def read_conllu(data: bytes, *, name: str) -> list[TaggedSentence]:
    """Return the sentences of a CoNLL-U file. Lines for multiword tokens and empty nodes are skipped.

    Raises TableError with every error and its line: a wrong number of columns, IDs that do not count from 1, an empty
    form, an unknown universal tag, a head outside the sentence, or a file without sentences.
    """
    faults: list[Fault] = []
    sentences: list[TaggedSentence] = []
    block: list[tuple[int, list[str]]] = []
    comments: dict[str, str] = {}
    for number, line in enumerate([*open_text(data, name=name).read().splitlines(), ""], start=1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments[key.strip()] = value.strip()
        elif line.strip():
            block.append((number, line.split("\t")))
        elif block:
            sentences.append(TaggedSentence(_tokens(block, faults), block[0][0], comments))
            block, comments = [], {}
    if not sentences and not faults:
        faults.append(Fault(None, None, "the file has no sentences"))
    raise_faults(name, faults)
    return sentences


def write_conllu(sentences: Iterable[TaggedSentence]) -> Iterator[str]:
    """Yield the text of a CoNLL-U file, one sentence at a time. Whitespace inside a value becomes a space."""
    for sentence in sentences:
        comments = [f"# {key} = {' '.join(value.split())}" for key, value in sentence.comments.items()]
        tokens = ["\t".join(_cells(number, token)) for number, token in enumerate(sentence.tokens, start=1)]
        yield "\n".join([*comments, *tokens, "", ""])


def _cells(number: int, token: TaggedToken) -> list[str]:
    features = "|".join(f"{name}={value}" for name, value in (token.features or {}).items())
    head = "" if token.head is None else str(token.head + 1)
    values = [token.form, token.lemma, token.upos, token.xpos, features, head, token.relation, "", ""]
    return [str(number), *(" ".join(value.split()) or "_" for value in values)]


def _tokens(block: list[tuple[int, list[str]]], faults: list[Fault]) -> tuple[TaggedToken, ...]:
    words = [(number, cells) for number, cells in block if not _RANGE_OR_EMPTY.fullmatch(cells[0])]
    tokens = []
    for position, (number, cells) in enumerate(words):
        if len(cells) != COLUMNS:
            message = f"the line has {len(cells)} columns instead of {COLUMNS}. Separate the columns by tabs"
            faults.append(Fault(number, None, message))
            continue
        if cells[0] != str(position + 1):
            message = f"“{cells[0][:20]}” is not the number of the token, which is {position + 1}"
            faults.append(Fault(number, "ID", message))
        tokens.append(_token(number, cells, len(words), faults))
    return tuple(tokens)


def _token(number: int, cells: list[str], size: int, faults: list[Fault]) -> TaggedToken:
    form, upos, head = cells[1].strip(), _value(cells[3]), _value(cells[6])
    if not form:
        faults.append(Fault(number, "FORM", "the column is empty"))
    if upos and upos not in UPOS:
        faults.append(Fault(number, "UPOS", f"“{upos[:20]}” is not a universal tag, such as NOUN or VERB"))
    if head and not (head.isdecimal() and int(head) <= size):
        faults.append(Fault(number, "HEAD", f"“{head[:20]}” is not the number of a token in the sentence, or 0"))
        head = ""
    features = dict(part.split("=", 1) for part in _value(cells[5]).split("|") if "=" in part)
    return TaggedToken(
        form, _value(cells[2]), upos, _value(cells[4]), features, int(head) - 1 if head else None, _value(cells[7])
    )


def _value(cell: str) -> str:
    return "" if cell.strip() == "_" else cell.strip()
