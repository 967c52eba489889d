"""Readers for the two files from which items can be created: sentences with domains, and a table of phrases with
paraphrases.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from accord_core.exchange.cells import is_empty, shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.numbers import decimal_hint, read_number
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows, iter_table
from accord_core.paraphrase.formats.items import LONGEST_SENTENCE, ONE_DOMAIN
from accord_core.paraphrase.formats.phrase_tables import iter_phrase_table
from accord_core.paraphrase.formats.phrases import LONGEST_PHRASE, MOST_CANDIDATES, PhraseChecks

NO_LIMITS = Limits()
# Each column's second name is the one used in files from `accord sample sentences`.
SENTENCE, DOMAIN = ("sentence", "text"), ("domain", "source")


class SentenceRow(NamedTuple):
    key: str
    sentence: str
    domain: str


def read_sentences(data: bytes, *, name: str, longest: int = LONGEST_SENTENCE) -> list[SentenceRow]:
    """Return the sentences in a CSV or JSON Lines file with the column `sentence` (or `text`) and, optionally, `domain`
    (or `source`) and `id`.

    Sentences without IDs are named sentence-1, sentence-2, … Without a column for domains, all sentences are in the
    same domain. Raises TableError with every error and its line: a missing
    column, a missing cell, or a repeated ID.
    """
    table = iter_table(data, name=name, limits=NO_LIMITS)
    faults: list[Fault] = []
    checks = PhraseChecks(faults, longest)
    sentences: dict[str, SentenceRow] = {}
    rows = list(iter_rows(table, faults))  # in a JSON Lines file, each row can add columns
    sentence_column, domain_column = (_first_of(each, table.columns) for each in (SENTENCE, DOMAIN))
    rows = rows if _has_columns(table, (sentence_column,), faults) else []
    has_domains = find_column(table.columns, domain_column) is not None
    for number, row in enumerate(rows, start=1):
        key = _cell(row, table, "id") or f"sentence-{number}"
        sentence = checks.sentence(row, sentence_column)
        domain = _cell(row, table, domain_column) if has_domains else ONE_DOMAIN
        if not domain:
            faults.append(Fault(row.line, domain_column, "the cell is empty. Name the domain of the sentence"))
        if key in sentences:
            faults.append(Fault(row.line, "id", f"the ID {shorten(key)} is repeated. Give each sentence its own ID"))
        sentences[key] = SentenceRow(key, sentence, domain)
    raise_faults(name, faults)
    return list(sentences.values())


def read_paraphrases(data: bytes, *, name: str) -> dict[str, list[str]]:
    """Return every phrase's paraphrases, from the columns `phrase` and `paraphrase` or another table that
    `iter_phrase_table` reads. If the table has the column `score`, the paraphrase with the highest score comes first.

    Phrases are compared without regard to case, and keep the spelling of the first occurrence. Raises TableError with
    every error and its line: a missing column or cell, a paraphrase that equals its phrase, a repeated paraphrase, or a
    score that is not a number.
    """
    table = iter_phrase_table(data, name=name)
    faults: list[Fault] = []
    spelling: dict[str, str] = {}
    scores: dict[str, dict[str, tuple[str, float]]] = {}
    rows = list(iter_rows(table, faults))
    for row in rows if _has_columns(table, ("phrase", "paraphrase"), faults) else ():
        phrase, paraphrase = _cell(row, table, "phrase"), _cell(row, table, "paraphrase")
        score = _score(row, table, faults)
        own = scores.setdefault(phrase.casefold(), {})
        problem = _problem(phrase, paraphrase, own)
        if problem:
            faults.append(Fault(row.line, *problem))
            continue
        spelling.setdefault(phrase.casefold(), phrase)
        own[paraphrase.casefold()] = (paraphrase, score)
    raise_faults(name, faults)
    return {
        spelling[phrase]: [text for text, _ in sorted(own.values(), key=lambda pair: -pair[1])]
        for phrase, own in scores.items()
    }


def _problem(phrase: str, paraphrase: str, own: dict[str, tuple[str, float]]) -> tuple[str, str] | None:
    for column, text in (("phrase", phrase), ("paraphrase", paraphrase)):
        if not text:
            return column, "the cell is empty"
        if len(text) > LONGEST_PHRASE:
            return column, f"the text has {len(text):,} characters, more than the limit of {LONGEST_PHRASE}"
    if paraphrase.casefold() == phrase.casefold():
        return "paraphrase", f"“{shorten(paraphrase)}” is the phrase itself"
    if paraphrase.casefold() in own:
        return "paraphrase", f"“{shorten(paraphrase)}” is already a paraphrase of “{shorten(phrase)}”"
    if len(own) == MOST_CANDIDATES:
        return (
            "paraphrase",
            f"“{shorten(phrase)}” has more than {MOST_CANDIDATES} paraphrases, which are too many for annotators",
        )
    return None


def _score(row: Row, table: TableStream, faults: list[Fault]) -> float:
    cell = _cell(row, table, "score")
    try:
        score = read_number("0" if is_empty(cell) else cell)
    except ValueError:
        score = float("nan")
    if not isfinite(score):
        faults.append(Fault(row.line, "score", f"{shorten(cell)} is not a number{decimal_hint(cell)}"))
    return score


def _has_columns(table: TableStream, required: Sequence[str], faults: list[Fault]) -> bool:
    """Return whether the table has the required columns, and add an error to `faults` for each missing one."""
    missing = [column for column in required if table.columns and find_column(table.columns, column) is None]
    columns_present = ", ".join(table.columns)
    faults += [Fault(1, column, f"the column is missing. The columns are {columns_present}") for column in missing]
    return not missing


def _first_of(names: Sequence[str], columns: Sequence[str]) -> str:
    """Return the first of the columns that exists, or the first name if none does."""
    return next((column for name in names if (column := find_column(columns, name))), names[0])


def _cell(row: Row, table: TableStream, column: str) -> str:
    return row.values.get(find_column(table.columns, column) or column, "").strip()
