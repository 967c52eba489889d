"""Functions that convert sentence files to files of contrast sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault
from accord_core.paraphrase.systems.formats.pham import (
    KINDS,
    PARAPHRASE,
    Key,
    SetSentence,
    read_paraphrase_sets,
    write_sentences,
)
from accord_core.paraphrase.systems.numerics.contrast import Adjectives, OutsidePattern, contrast_sentences

_OF_SETS = re.compile(r"\s*(?:\([IVXLCDM]+\)|[0-9]+|(?:P|S|D|SD)\s+[0-9]+.*)\s*", re.IGNORECASE)


class Contrasts(NamedTuple):
    """The output in parts, the number of input sentences, the number of variants, and the sentences that do not match
    the pattern (`outside`).
    """

    chunks: list[str]
    sentences: int
    variants: int
    outside: list[Fault]
    warnings: list[Fault]


def contrasts_of_file(data: bytes, *, name: str, adjectives: Adjectives = "both") -> Contrasts:
    """Return paraphrase sets that contain variants of their P sentences, without repeating a sentence within a set. For
    a file of plain sentences, the function returns CSV.

    A file contains paraphrase sets if its first line has the form of a line in such a file. The CSV has the columns
    `line,sentence,kind,variant`. Raises TableError.
    """
    first = next(line for line in open_text(data, name=name) if line.strip())
    return _of_sets(data, name, adjectives) if _OF_SETS.fullmatch(first) else _of_lines(data, name, adjectives)


def _of_sets(data: bytes, name: str, adjectives: Adjectives) -> Contrasts:
    sets = read_paraphrase_sets(data, name=name)
    members: dict[Key, list[SetSentence]] = {key: [] for key in sets.keys}
    for each in sets.sentences:
        members[each.set].append(each)
    paraphrases = [each for each in sets.sentences if each.kind == PARAPHRASE]
    outside: list[Fault] = []
    for each in paraphrases:
        known = {member.text for member in members[each.set]}
        for variant in _variants(each.text, each.line, adjectives, outside):
            if variant[1] not in known:
                members[each.set].append(SetSentence(each.set, variant[0], each.numbers, variant[1]))
    ordered = [each for group in members.values() for each in sorted(group, key=lambda each: KINDS.index(each.kind))]
    n_variants = len(ordered) - len(sets.sentences)
    return Contrasts(list(write_sentences(ordered)), len(paraphrases), n_variants, outside, sets.warnings)


def _of_lines(data: bytes, name: str, adjectives: Adjectives) -> Contrasts:
    lines = [(n, line.strip()) for n, line in enumerate(open_text(data, name=name), start=1) if line.strip()]
    outside: list[Fault] = []
    rows = [
        (str(number), sentence, *variant)
        for number, sentence in lines
        for variant in _variants(sentence, number, adjectives, outside)
    ]
    chunks = list(write_csv(rows, ["line", "sentence", "kind", "variant"]))
    return Contrasts(chunks, len(lines), len(rows), outside, [])


def _variants(sentence: str, line: int, adjectives: Adjectives, outside: list[Fault]) -> Iterator[tuple[str, str]]:
    try:
        yield from contrast_sentences(sentence, adjectives=adjectives)
    except OutsidePattern as reason:
        outside.append(Fault(line, None, f"“{sentence}” is not NP V NP: {reason}"))
