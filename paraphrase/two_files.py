"""Functions that convert a sentence file and a paraphrase table to items in JSON Lines format for import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord_core.exchange.faults import Fault, TableError
from accord_core.paraphrase.formats.items import write_items
from accord_core.paraphrase.formats.phrase_files import read_paraphrases, read_sentences
from accord_core.paraphrase.numerics.find_phrases import find_phrases


@dataclass(frozen=True)
class MadeItems:
    """The items as (id, content, domain) tuples, the number of sentences, the number of phrases, and the phrases found
    in the sentences.
    """

    items: list[tuple[str, dict[str, Any], str]]
    sentences: int
    phrases: int
    sentences_by_phrase: Counter[str]

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
    sentences: bytes,
    paraphrases: bytes,
    *,
    names: tuple[str, str],
    per: int | None,
    per_domain: int | Mapping[str, int] | None = None,
    seed: int,
) -> MadeItems:
    """Return items for the phrases that `find_phrases` chooses in the sentences. Each item contains all paraphrases of
    its phrase.

    `names` contains the names of the two files for error messages. Raises TableError if either file contains errors,
    or if `per_domain` names a domain without sentences.
    """
    rows = read_sentences(sentences, name=names[0])
    table = read_paraphrases(paraphrases, name=names[1])
    domains = dict.fromkeys(row.domain for row in rows)
    if isinstance(per_domain, Mapping) and (unknown := [domain for domain in per_domain if domain not in domains]):
        message = f"no sentence has the domain “{unknown[0]}”. The domains are {', '.join(domains)}"
        raise TableError(names[0], [Fault(None, "domain", message)])
    texts = [(row.sentence, row.domain) for row in rows]
    matches = find_phrases(texts, table, per=per, per_domain=per_domain, seed=seed)
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
        for each in matches
    ]
    return MadeItems(items, len(rows), len(table), Counter(each.phrase for each in matches))
