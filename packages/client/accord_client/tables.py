"""The rows of downloaded files, as dictionaries or as a DataFrame of pandas."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from .errors import AccordError
from .generated import operations
from .session import Flow, Session

if TYPE_CHECKING:
    import pandas as pd


def download(session: Session, study: str, filename: str) -> Flow[bytes]:
    """Return one of the study's files, such as `scores.csv` or `answers.jsonl`. `exports` lists the files."""
    return (yield from session.send(operations.studies_exports_retrieve(study, filename)))


def rows(session: Session, study: str, filename: str) -> Flow[list[dict[str, Any]]]:
    """Return the rows of a CSV or JSON Lines file as dictionaries. All cells of a CSV file are texts."""
    content = yield from download(session, study, filename)
    return parsed(content.decode(), filename)


def frame(session: Session, study: str, filename: str) -> Flow[pd.DataFrame]:
    """Return a CSV or JSON Lines file as a DataFrame. It needs the extra `pandas`."""
    import pandas as pd

    content = yield from download(session, study, filename)
    if not filename.endswith(".csv"):
        return pd.DataFrame(parsed(content.decode(), filename))
    # Only empty cells are missing values, because words such as “null” and “NA” occur in texts.
    return pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=[""])


def parsed(text: str, filename: str) -> list[dict[str, Any]]:
    """Return the rows of a CSV or JSON Lines file. Raises `AccordError` for other files."""
    if filename.endswith(".csv"):
        return list(csv.DictReader(io.StringIO(text, newline="")))
    if filename.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    raise AccordError(f"{filename} is not a table. Download it instead.", place=filename, code="not-a-table")
