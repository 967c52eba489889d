"""The jacana JSON format: a list of {id, name, source, target, sureAlign, possibleAlign}, with 0-based links `i-j`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.json_lists import objects
from accord_core.pairs.formats.corpus import Corpus, Ids, Links, SentencePair, sizes
from accord_core.pairs.formats.tokens import split_tokens, token_fault

NAME = "jacana"


def read_jacana(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in a file. Some released files contain the possible links in `sureAlign`. Accord reads all links
    in `sureAlign` as sure links.

    Each error contains the line on which the pair's object begins, and the key. Raises TableError.
    """
    faults: list[Fault] = []
    pairs = [_pair(line, found, faults) for line, found in objects(data, name, faults)]
    ids = Ids(faults)
    for pair in pairs:
        if pair.id is not None:
            ids.add(pair.id, pair.line, "id")
    if not pairs and not faults:
        faults.append(Fault(None, None, "the list contains no pairs"))
    raise_faults(name, faults)
    return Corpus(name, NAME, "own" if all(pair.id for pair in pairs) else "none", pairs)


def has_links(data: bytes) -> bool:
    """Return whether a JSON list contains links in this format. Without links, it can be a table of sentence pairs."""
    return b'"sureAlign"' in data or b'"possibleAlign"' in data


def write_jacana(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """Yield JSON text with one object per pair. Every pair must include its sentences. A pair without an ID is numbered
    by its position, starting at 1.
    """
    yield "["
    for number, pair in enumerate(pairs, start=1):
        if pair.source is None or pair.target is None:
            raise ValueError(f"pair {number} has no sentences, which the jacana format requires")
        key = pair.id or str(number)
        value = {
            "id": key,
            "name": key,
            "source": " ".join(pair.source),
            "target": " ".join(pair.target),
            "sureAlign": " ".join(f"{i}-{j}" for i, j in sorted(pair.alignment.sure)),
            "possibleAlign": " ".join(f"{i}-{j}" for i, j in sorted(pair.alignment.possible)),
        }
        text = json.dumps(value, ensure_ascii=False, indent=4)
        yield ("," if number > 1 else "") + "\n" + text
    yield "\n]\n"


def _pair(line: int, found: dict[str, Any], faults: list[Fault]) -> SentencePair:
    def string(key: str) -> str:
        value = found.get(key, "")
        if not isinstance(value, str):
            faults.append(Fault(line, key, "the value must be text in quotation marks"))
            return ""
        if any("\ud800" <= character <= "\udfff" for character in value):
            faults.append(Fault(line, key, "the value contains half of a surrogate pair, which is not a character"))
        return value

    def sentence(key: str) -> tuple[str, ...]:
        before = len(faults)
        tokens = tuple(split_tokens(string(key)))
        if len(faults) == before and (fault := token_fault(tokens)):
            faults.append(Fault(line, key, fault))
        return tokens

    key = found.get("id", found.get("name"))
    if key is not None:
        key = str(key).strip() or None
    source, target = sentence("source"), sentence("target")
    links = Links(faults, sizes=sizes(source, target))
    for column, possible in (("sureAlign", False), ("possibleAlign", True)):
        links.add_notation(string(column), line=line, column=column, possible=possible)
    return SentencePair(key, source, target, links.alignment(), line)
