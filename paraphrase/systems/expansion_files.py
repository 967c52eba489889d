"""Templates for additional paraphrases, and paraphrase sets that include these paraphrases."""

from __future__ import annotations

from typing import NamedTuple

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.tables import Limits, find_column, iter_rows, iter_table
from accord_core.paraphrase.systems.formats.pham import (
    KINDS,
    PARAPHRASE,
    Key,
    SetSentence,
    read_paraphrase_sets,
    write_sentences,
)
from accord_core.paraphrase.systems.numerics.contrast import NEGATIVE, PLURAL, SINGULAR, OutsidePattern
from accord_core.paraphrase.systems.numerics.expansion import NounTemplate, expanded_sentences

SEPARATOR = "|"


class Expansion(NamedTuple):
    """The output in parts, the numbers of P sentences in the input and of new sentences, the sentences that do not
    match the pattern (`outside`), and the irregularities in the input.
    """

    chunks: list[str]
    sentences: int
    added: int
    outside: list[Fault]
    warnings: list[Fault]


def read_templates(data: bytes, *, name: str) -> dict[str, NounTemplate]:
    """Return the templates in a table with the columns noun, adjectives and determiners, by lower-case noun.

    Several words in a cell are separated by `|`. Raises TableError with every error: a missing column or cell, a
    repeated noun, a row without adjectives and determiners, or a determiner that negates the sentence or does not fit a
    singular noun.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    templates: dict[str, NounTemplate] = {}
    rows = list(iter_rows(stream, faults))
    noun_column = find_column(stream.columns, "noun")
    if noun_column is None and stream.columns:
        present = ", ".join(stream.columns)
        faults.append(Fault(1, "noun", f"the column is missing. The columns are {present}"))
        rows = []
    for row in rows:
        noun = row.values.get(noun_column or "", "").strip().lower()
        adjectives, determiners = (
            _words(row.values.get(find_column(stream.columns, column) or column, ""))
            for column in ("adjectives", "determiners")
        )
        unfit = next((word for word in determiners if word not in SINGULAR), None)
        if not noun:
            faults.append(Fault(row.line, "noun", "the cell is empty"))
        elif noun in templates:
            faults.append(Fault(row.line, "noun", f"“{noun}” already has a template. Each noun has one row"))
        elif unfit is not None:
            reason = "changes the meaning" if unfit in NEGATIVE else "does not fit" if unfit in PLURAL else "is unknown"
            allowed = ", ".join(SINGULAR)
            message = f"“{unfit}” {reason}. The determiners are {allowed}"
            faults.append(Fault(row.line, "determiners", message))
        elif not adjectives and not determiners:
            faults.append(Fault(row.line, None, "the row has neither adjectives nor determiners"))
        templates.setdefault(noun, NounTemplate(adjectives, determiners))
    raise_faults(name, faults)
    return templates


def expanded_sets(data: bytes, templates: bytes, *, names: tuple[str, str]) -> Expansion:
    """Return paraphrase sets with additional P sentences, which follow the other P sentences in their sets.

    A sentence that the set already contains, with *a* or *an*, is not added. Raises TableError if either file contains
    errors.
    """
    sets = read_paraphrase_sets(data, name=names[0])
    of_nouns = read_templates(templates, name=names[1])
    members: dict[Key, list[SetSentence]] = {key: [] for key in sets.keys}
    for each in sets.sentences:
        members[each.set].append(each)
    outside: list[Fault] = []
    paraphrases = [each for each in sets.sentences if each.kind == PARAPHRASE]
    for each in paraphrases:
        known = {_comparable(member.text) for member in members[each.set]}
        try:
            texts = expanded_sentences(each.text, of_nouns)
        except OutsidePattern as reason:
            outside.append(Fault(each.line, None, f"“{each.text}” is not NP V NP: {reason}"))
            continue
        members[each.set] += [
            SetSentence(each.set, PARAPHRASE, each.numbers, text) for text in texts if _comparable(text) not in known
        ]
    ordered = [each for group in members.values() for each in sorted(group, key=lambda each: KINDS.index(each.kind))]
    added = len(ordered) - len(sets.sentences)
    return Expansion(list(write_sentences(ordered)), len(paraphrases), added, outside, sets.warnings)


def _comparable(text: str) -> str:
    """Normalise a text for comparison. The difference between *a* and *an* is ignored, because published sets also use
    *a* before a vowel.
    """
    return " ".join("a" if word == "an" else word for word in text.casefold().rstrip(".! ").split())


def _words(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip().lower() for word in cell.split(SEPARATOR) if word.strip()))
