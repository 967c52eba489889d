"""Readers for per-domain labels and for a system's paraphrase tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows, iter_table
from accord_core.paraphrase.formats.phrase_tables import iter_phrase_table

GOOD, BAD, UNDECIDED = "good", "bad", "undecided"
_WORDS = {
    **dict.fromkeys(("good", "yes", "true", "1"), GOOD),
    **dict.fromkeys(("bad", "no", "false", "0"), BAD),
    **dict.fromkeys(("undecided", "-1", ""), UNDECIDED),
}

Pair = tuple[str, str]


def read_domain_labels(data: bytes, *, name: str) -> dict[str, dict[Pair, str]]:
    """Return the label (good, bad or undecided) of each (phrase, paraphrase) in each domain, from the columns phrase,
    paraphrase, domain and label.

    The file has the format of `labels-by-domain.csv`, which can be exported from a study. If the file has no column
    domain, all rows belong to one domain with the name “all”. Pairs are compared without regard to case and repeated
    spaces. Raises TableError with every error: a missing column or cell, a label other than good, bad and undecided (or
    yes, no, 1 and 0), or a pair with two labels in a domain.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    labels: dict[str, dict[Pair, str]] = {}
    first: dict[tuple[str, Pair], int] = {}
    label_column = None
    for row, domain, pair in pair_rows(stream, faults, also="label"):
        label_column = label_column or find_column(stream.columns, "label") or "label"
        cell = row.values.get(label_column, "").strip()
        label = _WORDS.get(cell.casefold())
        key = domain or "all", pair
        if label is None:
            faults.append(
                Fault(row.line, label_column, f"“{cell[:40]}” is not a label. The labels are good, bad and undecided")
            )
        elif first.setdefault(key, row.line) != row.line:
            where = f" in {domain}" if domain else ""
            message = f"the pair already has a label{where} on line {first[key]}. Each pair has one label per domain"
            faults.append(Fault(row.line, "paraphrase", message))
        else:
            labels.setdefault(key[0], {})[pair] = label
    raise_faults(name, faults)
    return labels


def read_table_pairs(data: bytes, domains: Sequence[str], *, name: str) -> tuple[dict[str, set[Pair]], int]:
    """Return the pairs that a system lists for each domain, and the number of repeated pairs. The pairs are read from
    the columns phrase and paraphrase.

    If the file has a column domain, each row applies to its domain, or to all domains if the cell is empty. Otherwise,
    every row applies to all domains. Raises TableError with every error: a missing column or cell, or a domain without
    labels.
    """
    stream = iter_phrase_table(data, name=name)
    faults: list[Fault] = []
    listed: dict[str, set[Pair]] = {domain: set() for domain in domains}
    twice = 0
    for row, domain, pair in pair_rows(stream, faults):
        if domain and domain not in listed:
            known_domains = ", ".join(domains)
            faults.append(
                Fault(row.line, "domain", f"the domain “{domain}” has no labels. The domains are {known_domains}")
            )
            continue
        places = [listed[domain]] if domain else list(listed.values())
        twice += all(pair in place for place in places)
        for place in places:
            place.add(pair)
    raise_faults(name, faults)
    return listed, twice


def pair_rows(stream: TableStream, faults: list[Fault], also: str | None = None) -> Iterator[tuple[Row, str, Pair]]:
    """Yield each row with its domain and its lower-case pair. Errors are added to `faults`. `also` names an additional
    required column.
    """
    required = ["phrase", "paraphrase", *([also] if also else [])]
    rows = list(iter_rows(stream, faults))
    missing = [column for column in required if find_column(stream.columns, column) is None]
    if missing and stream.columns:
        columns_present = ", ".join(stream.columns)
        faults += [Fault(1, column, f"the column is missing. The columns are {columns_present}") for column in missing]
        return
    phrase, paraphrase, domain = (find_column(stream.columns, each) for each in ("phrase", "paraphrase", "domain"))
    for row in rows:
        cells = [" ".join(row.values.get(column or "", "").split()) for column in (phrase, paraphrase)]
        empty = [column for column, cell in zip(("phrase", "paraphrase"), cells, strict=True) if not cell]
        if empty:
            faults += [Fault(row.line, column, "the cell is empty") for column in empty]
        else:
            yield row, row.values.get(domain or "", "").strip(), (cells[0].casefold(), cells[1].casefold())
