"""The data card of a release, which contains YAML metadata that the library `datasets` uses to load the tables, the
data statement, and a list of the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from releases.contents.tables import Kind, Table

DTYPES: dict[Kind, str] = {"text": "string", "integer": "int64", "number": "float64"}
# Licences that dataset hubs identify by a lower-case name. Other licences are stated by name.
LICENCES = frozenset(
    "apache-2.0 mit cc0-1.0 cc-by-2.0 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-3.0 cc-by-nc-4.0 "
    "cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nc-nd-4.0 cc-by-nd-4.0 odbl pddl odc-by gpl-3.0 lgpl-3.0 agpl-3.0".split()
)
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
# The split that contains all rows of a table. The library reserves the name “all” for the union of all splits.
SPLIT = "full"
QUOTE_NONE = 3


def data_card(
    statement: str,
    tables: Sequence[Table],
    *,
    title: str,
    languages: Sequence[str],
    licence: str,
    items: int,
    simulated: bool,
    notes: Mapping[str, str],
) -> str:
    """Return the data card as Markdown. `notes` describes each file, and `simulated` means that no people annotated."""
    metadata = "".join(
        f"{name}: {_yaml(value)}\n" for name, value in _facts(title, languages, licence, items, simulated).items()
    )
    configs = "".join(f"- {_yaml(_config(table, first=not place))}\n" for place, table in enumerate(tables))
    header = f"---\n{metadata}{'configs:' if tables else ''}\n{configs}---\n"
    return f"{header}\n{statement}\n{_files(notes)}\n{_loading(tables)}"


def _facts(title: str, languages: Sequence[str], licence: str, items: int, simulated: bool) -> dict[str, Any]:
    known = licence.lower() in LICENCES
    facts: dict[str, Any] = {"pretty_name": title, "language": list(languages)}
    facts |= {"license": licence.lower()} if known else {"license": "other", "license_name": licence}
    if simulated:
        facts["annotations_creators"] = ["machine-generated"]
    return facts | {"size_categories": [next((name for most, name in SIZES if items < most), "n>1M")]}


def _config(table: Table, *, first: bool) -> dict[str, Any]:
    """Return the settings that `datasets` uses to read a table. Only empty cells are missing values, because words such
    as “null” and “NA” occur in texts.
    """
    config: dict[str, Any] = {
        "config_name": table.name,
        "data_files": [{"split": part, "path": path} for part, path in [*table.parts.items(), (SPLIT, table.path)]],
        "sep": table.separator,
        "keep_default_na": False,
        "na_values": [""],
        "features": [{"name": column.name, "dtype": DTYPES[column.kind]} for column in table.columns],
    }
    if table.separator == "\t":
        config["quoting"] = QUOTE_NONE
    return config | ({"default": True} if first else {})


def _files(notes: Mapping[str, str]) -> str:
    lines = [f"- `{path}`: {note}" for path, note in notes.items()]
    return "\n".join(["## Files", "", *lines, ""])


def _loading(tables: Sequence[Table]) -> str:
    if not tables:
        return ""
    names = ", ".join(f"`{table.name}`" for table in tables)
    example = f'load_dataset("path/of/this/folder", "{tables[0].name}", split="{SPLIT}")'
    parts = [table.name for table in tables if table.parts]
    divided = (
        f" The tables {', '.join(f'`{name}`' for name in parts)} also have the splits `train`, `dev` and `test`, "
        f"except for parts without rows. The split `{SPLIT}` contains all rows."
    )
    return (
        "## Loading the tables\n\n"
        f"The Python library `datasets` loads the tables without a connection to the internet: `{example}`. "
        f"The names of the tables are {names}. Empty cells are missing values.{divided if parts else ''}\n"
    )


def _yaml(value: Any) -> str:
    """Return a value as YAML in one line. JSON is valid YAML."""
    return json.dumps(value, ensure_ascii=True)
