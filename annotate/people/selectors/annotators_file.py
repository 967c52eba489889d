"""The file annotators.csv."""

from __future__ import annotations

from collections.abc import Iterable

from annotate.exchange.csvtext import write_csv
from annotate.models import Study
from annotate.people.selectors.annotators import annotator_rows, annotators_table
from annotate.results.selectors.reports import people


def annotators_csv(study: Study) -> Iterable[bytes]:
    """Return annotators.csv, which contains each annotator's standing, gold results, agreement and credit."""
    columns, rows = annotators_table(annotator_rows(study, people(study)), study.currency)
    return (chunk.encode() for chunk in write_csv(rows, columns))
