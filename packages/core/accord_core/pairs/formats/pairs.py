"""Sentence pairs for annotation, which come from a table, two files, or an alignment file. An alignment file's links
become the pre-alignment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from accord_core.exchange.cells import IdChecks, is_empty, yes_or_no
from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.exchange.json_numbers import finite_number, refuse_constant
from accord_core.exchange.spellings import LookAlikes
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Links, SentencePair, Tokens, sizes
from accord_core.pairs.formats.pair_tables import (
    SIDES,
    PairColumns,
    find_pair_columns,
    is_json,
    is_parallel,
    limited,
    no_columns,
    pair_table,
    refuse_bytes,
    too_many,
)
from accord_core.pairs.formats.registry import FORMATS, holds_sentences, links_alone, read_alignments
from accord_core.pairs.formats.tabs import lines_or_blanks
from accord_core.pairs.formats.tokens import LONGEST_SENTENCE, are_untokenised, split_tokens, token_fault, tokenise
from accord_core.pairs.numerics.links import Alignment

SAME_SENTENCES = "the two sentences are the same as on line {}, or look the same"
BEGINNING = 1 << 16  # bytes
FIRST_ROWS = 1_000  # rows that show whether a file is tokenised
_NO_LIMITS = Limits()
# Match the letters at the start of an ID such as news-common:723 or mtc:12.
_SUBCORPUS = re.compile(r"([^\W\d_]+)[^\s:]*:")


class PairRow(NamedTuple):
    """A sentence pair. `metadata` contains all other columns. Held-out pairs are not in the design and can become gold
    questions.

    `numbered` is true if the pair has no ID in the file. In this case, `key` contains its position. `texts` contains
    the original sentences of an untokenised file, and is None for tokenised sentences.
    """

    key: str
    source: Tokens
    target: Tokens
    prealignment: Alignment | None
    metadata: dict[str, str]
    line: int | None
    held_out: bool = False
    numbered: bool = False
    texts: tuple[str, str] | None = None


class PairsRead(NamedTuple):
    """The valid rows, all errors and warnings in file order, and the file's columns."""

    rows: list[PairRow]
    faults: list[Fault]
    warnings: list[Fault]
    columns: list[str]


def read_pairs(
    data: bytes,
    name: str,
    *,
    limits: Limits = _NO_LIMITS,
    tokenise: bool = False,
    longest: int | None = LONGEST_SENTENCE,
) -> PairsRead:
    """Return the sentence pairs in a file. The beginning of the file determines its format:

    - CSV, tab-separated text, JSON Lines or a JSON list with the columns `source` and `target` (or `sentence1` and
      `sentence2`), and optionally `id`, `prealignment` (`0-0 1?2`), `gold_only` and metadata. In JSON, a sentence can
      be a list of tokens, and a pre-alignment can have the form {"sure": [[0, 0]], "possible": []}.
    - Tab-separated text with two columns and without a header, or one line `source ||| target` per pair.
    - jacana JSON, GoldAlign with ten columns, or GIZA++ A3, whose links become the pre-alignment.

    Pairs without IDs are named pair-1, pair-2, … by position. Sentences are split at spaces. With `tokenise`, the
    built-in tokeniser splits the sentences of an untokenised file. Lists of tokens, and sentences whose words are
    numbered in a pre-alignment, count as tokenised. `longest` is the maximum number of tokens in a sentence.
    """
    reading = _Reading(tokenise, longest)
    try:
        refuse_bytes(data, name, limits)
        data = as_utf8(data, name=name)
        if known := holds_sentences(data, name=name):
            corpus = read_alignments(data, name=name, format_name=known)
            reading.corpus(corpus.pairs, limits)
            reading.warnings += [Fault(None, None, note) for note in corpus.notes]
            return reading.result(["id", *SIDES, "prealignment"])
        if links := links_alone(data, name=name):
            raise TableError(name, [_without_sentences(links)])
        table = pair_table(data, name, limits, reading.warnings)
        reading.in_json = is_json(data)
    except TableError as error:
        return PairsRead([], error.faults, [], [])
    reading.table(table)
    return reading.result(table.columns)


def is_pair_table(text: bytes, name: str) -> bool:
    """Return whether text in UTF-8 is a table of sentence pairs, and not one of the alignment formats. The beginning of
    the text determines the format.
    """
    start = text[:BEGINNING].decode("utf-8", "ignore").encode()
    has_links = holds_sentences(start, name=name) or links_alone(start, name=name)
    return not has_links and not is_parallel(start, name)


def read_two_files(
    source: bytes,
    target: bytes,
    prealignment: bytes | None = None,
    *,
    limits: Limits = _NO_LIMITS,
    tokenise: bool = False,
    longest: int | None = LONGEST_SENTENCE,
) -> PairsRead:
    """Return the pairs in two files with one sentence per line. An optional third file contains the links of each pair,
    such as `0-0 1?2`.

    The column of an error names the file that contains the error: source, target or prealignment.
    """
    reading = _Reading(tokenise, longest)
    reading.line_by_line = True
    files = {"source": source, "target": target} | ({} if prealignment is None else {"prealignment": prealignment})
    lines = {}
    for file, data in files.items():
        try:
            refuse_bytes(data, file, limits)
            lines[file] = lines_or_blanks(data, name=file)
        except TableError as error:
            reading.faults += [Fault(fault.line, file, fault.message) for fault in error.faults]
    for file, found in lines.items():
        if "source" in lines and len(found) != (wanted := len(lines["source"])):
            message = (
                f"the file has {with_noun(len(found), 'line')}, but the first file has {wanted:,}. "
                "The files must have the same number of lines"
            )
            reading.faults.append(Fault(None, file, message))
    if not reading.faults:
        cells = enumerate(zip(*lines.values(), strict=True), start=1)
        rows = (Row(number, dict(zip(lines, found, strict=True))) for number, found in cells)
        reading.table(TableStream("source", list(lines), limited(rows, "source", limits)))
    return reading.result(list(lines))


class _Reading:
    """The state of the reader: the rows, errors and warnings collected so far."""

    def __init__(self, tokenise: bool, longest: int | None) -> None:
        self.tokenise = tokenise
        self.longest = longest
        self.in_json = self.line_by_line = False
        self.untokenised: bool | None = None  # unknown before the first rows
        self.rows: list[PairRow] = []
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self._ids = IdChecks(self.faults, "pair")
        self._look_alikes = LookAlikes()

    def result(self, columns: Sequence[str]) -> PairsRead:
        if not self.rows and not self.faults:
            self.faults.append(Fault(None, None, "the file contains no pairs"))
        return PairsRead(self.rows, in_order(self.faults), in_order(self.warnings), list(columns))

    def table(self, table: TableStream) -> None:
        columns = find_pair_columns(table.columns)
        unread: list[tuple[int, Row]] = []  # a later line of a JSON Lines file can add the columns of the sentences
        for number, row in enumerate(iter_rows(table, self.faults), start=1):
            if columns is None or columns.known < len(table.columns):
                columns = find_pair_columns(table.columns)
            unread.append((number, row))
            if columns is not None and (self.untokenised is not None or len(unread) >= FIRST_ROWS):
                self._keep_rows(unread, columns)
                unread.clear()
        if columns is not None:
            self._keep_rows(unread, columns)
        if columns is None and table.columns:
            self.faults.append(no_columns(table.columns))
            key = find_column(table.columns, "id")
            for _, row in unread if key else ():
                self._ids.check(row.values.get(key or "", ""), row.line, key)

    def corpus(self, pairs: Sequence[SentencePair], limits: Limits) -> None:
        """Return the pairs in an alignment file, after additional checks that the pairs are suitable for annotation."""
        for number, pair in enumerate(pairs, start=1):
            if limits.rows is not None and number > limits.rows:
                self.faults.append(too_many(limits.rows, pair.line))
                return
            before = len(self.faults)
            self._keep(self._aligned(pair, number), before)

    def _keep_rows(self, rows: Sequence[tuple[int, Row]], columns: PairColumns) -> None:
        if self.untokenised is None:
            self.untokenised = self._are_untokenised([row for _, row in rows], columns)
        for number, row in rows:
            before = len(self.faults)
            self._keep(self._row(row, columns, number), before)

    def _are_untokenised(self, rows: Sequence[Row], columns: PairColumns) -> bool:
        """Return whether the file's sentences are untokenised. Links in the file number the words of its sentences, so
        these sentences are tokenised. Without `tokenise`, sentences with chunks in brackets also count as tokenised.
        """
        if any(_has_links(row, columns) for row in rows):
            return False
        texts = (row.values.get(column, "") for row in rows for column in (columns.source, columns.target))
        texts = (text for text in texts if self.tokenise or not text.startswith("["))
        return are_untokenised(text for text in texts if not (self.in_json and _listed(text)))

    def _keep(self, row: PairRow, faults_before: int) -> None:
        if len(self.faults) > faults_before:
            return
        if earlier := self._look_alikes.earlier(map(" ".join, (row.source, row.target)), row.line):
            self.warnings.append(Fault(row.line, None, SAME_SENTENCES.format(earlier)))
        self.rows.append(row)

    def _aligned(self, pair: SentencePair, number: int) -> PairRow:
        key = f"pair-{number}" if pair.id is None else self._ids.check(pair.id, pair.line, "id")
        found = _SUBCORPUS.match(key)
        source, target = pair.source or (), pair.target or ()
        for side, tokens in zip(SIDES, (source, target), strict=True):
            if fault := token_fault(tokens, longest=self.longest):
                self.faults.append(Fault(pair.line, side, fault))
        metadata = {"subcorpus": found[1]} if found else {}
        return PairRow(key, source, target, pair.alignment, metadata, pair.line, numbered=pair.id is None)

    def _row(self, row: Row, columns: PairColumns, number: int) -> PairRow:
        key = self._ids.check(row.values.get(columns.id, ""), row.line, columns.id) if columns.id else f"pair-{number}"
        untokenised = bool(self.untokenised) and not _has_links(row, columns)
        sides = (columns.source, columns.target)
        source, target = (self._sentence(row, column, untokenised) for column in sides)
        prealignment = self._prealignment(row, columns.prealignment, sizes(source, target))
        known = (columns.id, columns.source, columns.target, columns.prealignment, columns.gold_only)
        metadata = {column: value for column, value in row.values.items() if column not in known}
        gold_only = row.values.get(columns.gold_only, "") if columns.gold_only else ""
        held_out = yes_or_no(gold_only, row.line, columns.gold_only, self.faults)
        first, second = (row.values.get(column, "") for column in sides)
        listed = self.in_json and (_listed(first) is not None or _listed(second) is not None)
        texts = (first, second) if untokenised and not listed else None
        return PairRow(key, source, target, prealignment, metadata, row.line, held_out, not columns.id, texts)

    def _sentence(self, row: Row, column: str, untokenised: bool) -> Tokens:
        text = row.values.get(column, "")
        tokens = _listed(text) if self.in_json else None
        if tokens is None:
            tokens = tuple(tokenise(text) if self.tokenise and untokenised else split_tokens(text))
        if fault := token_fault(tokens, longest=self.longest):
            self.faults.append(Fault(row.line, column, fault))
            return ()
        return tokens

    def _prealignment(self, row: Row, column: str | None, sizes: tuple[int, int] | None) -> Alignment | None:
        """Return the links in a cell. An empty cell means that the pair has no pre-alignment. A blank line in the third
        file means that the pair has a pre-alignment without links.
        """
        if column is None:
            return None
        text = row.values.get(column, "")
        if is_empty(text.strip()) and not self.line_by_line:
            return None
        links = Links(self.faults, sizes=sizes)
        given = _json(text)
        if given is None:
            links.add_notation(text, line=row.line, column=column)
        elif (pairs := _links_of_json(given)) is None:
            message = 'a pre-alignment must have the form "0-0 1?2" or {"sure": [[0, 0]], "possible": [[1, 2]]}'
            self.faults.append(Fault(row.line, column, message))
        else:
            for source, target, possible in pairs:
                links.add(source, target, possible=possible, line=row.line, column=column)
        return links.alignment()


def _has_links(row: Row, columns: PairColumns) -> bool:
    return columns.prealignment is not None and not is_empty(row.values.get(columns.prealignment, "").strip())


def _without_sentences(format_name: str) -> Fault:
    message = (
        f"the file contains links without sentences (format {FORMATS[format_name].title}). Import the sentences on the "
        "“Import two files” page, which also accepts a file with word links in a study of word alignment"
    )
    return Fault(None, None, message)


def _listed(text: str) -> Tokens | None:
    """Return the tokens if the cell contains a JSON list of strings, and None otherwise."""
    given = _json(text)
    if isinstance(given, list) and all(isinstance(token, str) for token in given):
        return tuple(given) if json.dumps(given, ensure_ascii=False) == text else None
    return None


def _json(text: str) -> object:
    """Return the list or object in a JSON Lines cell, or None if the cell contains other text."""
    if text[:1] not in ("[", "{"):
        return None
    try:
        value: object = json.loads(text, parse_constant=refuse_constant, parse_float=finite_number)
    except (ValueError, RecursionError):
        return None
    return value


def _links_of_json(value: object) -> list[tuple[int, int, bool]] | None:
    if not isinstance(value, dict) or not value.keys() <= {"sure", "possible"}:
        return None
    links = []
    for kind in ("sure", "possible"):
        given = value.get(kind, [])
        if not isinstance(given, list):
            return None
        for link in given:
            if not (isinstance(link, list) and len(link) == 2 and all(type(token) is int for token in link)):
                return None
            if min(link) < 0:
                return None
            links.append((link[0], link[1], kind == "possible"))
    return links
