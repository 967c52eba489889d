# ruff: noqa: T201 (a program whose output is its result)
"""A program that reads the tables of a release with the libraries `datasets` and `mlcroissant`, without a connection.

The output is JSON: the rows of each table by library, and the errors and warnings of the Croissant validator. The rows
that `datasets` reads are divided into splits.
"""

import json
import os
import sys
from datetime import datetime
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"

import mlcroissant
from datasets import get_dataset_config_names, load_dataset


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.decode()
    return value.isoformat() if isinstance(value, datetime) else value


def main(folder: str) -> None:
    loaded = {
        name: {part: rows.to_list() for part, rows in load_dataset(folder, name).items()}
        for name in get_dataset_config_names(folder)
    }
    described = mlcroissant.Dataset(os.path.join(folder, "croissant.json"))
    records = {
        record_set.id: [
            {key.removeprefix(f"{record_set.id}/"): plain(value) for key, value in record.items()}
            for record in described.records(record_set.id)
        ]
        for record_set in described.metadata.record_sets
    }
    issues = described.metadata.issues
    faults = [*sorted(issues.errors), *sorted(issues.warnings)]
    print(json.dumps({"datasets": loaded, "first": next(iter(loaded)), "croissant": records, "faults": faults}))


if __name__ == "__main__":
    main(sys.argv[1])
