"""Items made from a file of sentences and a table of paraphrases, as JSON Lines that the core then takes in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from paraphrase.formats.items import write_items
from paraphrase.formats.phrase_files import read_paraphrases, read_sentences
from paraphrase.numerics.find_phrases import find_phrases


@dataclass(frozen=True)
class MadeItems:
    """Items as (id, content, domain), how many sentences and phrases there were, and which phrases were found."""

    items: list[tuple[str, dict[str, Any], str]]
    sentences: int
    phrases: int
    found: Counter[str]

    @property
    def domains(self) -> Counter[str]:
        return Counter(domain for _, _, domain in self.items)

    @property
    def candidates(self) -> int:
        return sum(len(content["paraphrases"]) for _, content, _ in self.items)

    @property
    def json_lines(self) -> bytes:
        return "".join(write_items(self.items)).encode()


def make_items(
    sentences: bytes, paraphrases: bytes, *, names: tuple[str, str], per: int | None, seed: int
) -> MadeItems:
    """Every phrase with its whole list of paraphrases, in sentences chosen as `find_phrases` says.

    `names` are what faults call the two files. Raises TableError for either.
    """
    rows = read_sentences(sentences, name=names[0])
    table = read_paraphrases(paraphrases, name=names[1])
    found = find_phrases([(row.sentence, row.domain) for row in rows], table, per=per, seed=seed)
    items = [
        (
            rows[each.sentence].key,
            {
                "sentence": rows[each.sentence].sentence,
                "phrase": rows[each.sentence].sentence[each.start : each.end],
                "start": each.start,
                "paraphrases": table[each.phrase],
            },
            rows[each.sentence].domain,
        )
        for each in found
    ]
    return MadeItems(items, len(rows), len(table), Counter(each.phrase for each in found))
