"""Items for paraphrase studies in Label Studio's JSON format, with one task per candidate in its sentence.

The data of a task contain the sentence (`text`), the `phrase`, its `start`, the `paraphrase`, the `domain`, and the ID
of the item (`sentence_id`). `item` is the ID of the candidate, as in `votes.csv`.
"""

from __future__ import annotations

import json
from typing import Any

from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.json_lists import objects
from accord_core.exchange.tables import Limits, Row, TableStream

TEXTS = ("phrase", "paraphrase", "domain")
COLUMNS = ["id", "sentence", "phrase", "start", "paraphrases", "domain"]


def item_table(data: bytes, *, name: str, limits: Limits) -> TableStream:
    """Return a table of items from the tasks in an export. Tasks with the same `sentence_id` become one item, with the
    candidates in task order. Raises TableError with every error.

    Without a `sentence_id`, tasks with the same sentence, phrase and position become one item. The judgements in the
    tasks are not read.
    """
    faults: list[Fault] = []
    if limits.bytes is not None and len(data) > limits.bytes:
        raise TableError.of_file(name, f"the file has {len(data):,} bytes, more than the limit of {limits.bytes:,}")
    rows: dict[str, tuple[int, dict[str, Any], list[str]]] = {}
    for line, task in objects(data, name, faults, of="tasks", example='{"data": …}'):
        facts = task.get("data")
        if not isinstance(facts, dict) or not all(isinstance(facts.get(key), str) for key in ("text", *TEXTS)):
            message = f"a task must have “data” with the texts text, {', '.join(TEXTS)}"
            faults.append(Fault(line, "data", message))
            continue
        shared = {key: facts.get(key, "") for key in ("text", "phrase", "start", "domain")}
        key = str(facts.get("sentence_id") or json.dumps(list(shared.values())))
        first, known, candidates = rows.setdefault(key, (line, shared, []))
        if known != shared:
            message = f"the task has another sentence, phrase or domain than the task on line {first}"
            faults.append(Fault(line, "sentence_id", f"{message} with the same sentence_id"))
        candidates.append(facts["paraphrase"])
    if limits.rows is not None and len(rows) > limits.rows:
        faults.append(Fault(None, None, f"the file has {len(rows):,} items, more than the limit of {limits.rows:,}"))
    raise_faults(name, faults)
    named = all(not key.startswith("[") for key in rows)
    table = (
        Row(
            line,
            {
                "id": key if named else f"task-{number}",
                "sentence": known["text"],
                "phrase": known["phrase"],
                "start": str(known["start"]),
                "paraphrases": json.dumps(candidates, ensure_ascii=False),
                "domain": known["domain"],
            },
        )
        for number, (key, (line, known, candidates)) in enumerate(rows.items(), start=1)
    )
    return TableStream(name, COLUMNS, table)
