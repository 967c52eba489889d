"""Mechanical Turk batches of best–worst studies for tests: the contents of rows, and the results of workers."""

import base64
import json
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any

from accord_core.exchange.mturk_results import Result, write_results
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.mturk.batch import batch_rows
from annotate.mturk.services.batches import ImportedResults, import_results
from annotate.questions.selectors.data import study_data

MORNING = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)


def unsealed(row: dict[str, str]) -> list[dict[str, Any]]:
    """Return the questions of a row. All questions have the same fields."""
    text = row["questions"].removeprefix("s.")
    sealed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    deflated = bytes(byte ^ key for byte, key in zip(sealed[16:], cycle(sealed[:16]), strict=False))
    questions: list[dict[str, Any]] = json.loads(zlib.decompress(deflated))
    return questions


def opened(row: dict[str, str]) -> list[dict[str, Any]]:
    """Return the questions of a row without empty fields. Only gold questions have the fields `gold` and `why`."""
    return [{name: part for name, part in question.items() if part is not None} for question in unsealed(row)]


def sentences(row: dict[str, str]) -> list[str]:
    return [item["sentences"][0] for question in opened(row) for item in question["content"]["items"]]


def result(study: Study, hit: int, worker: str, *, right: bool = True, number: int = 1, **fields: Any) -> Result:
    """Return the result that Mechanical Turk would report for a worker who did this HIT, with correct or incorrect gold
    answers.
    """
    row = list(batch_rows(study_data(study)))[hit - 1]
    answers = []
    for position, question in enumerate(opened(row), start=1):
        gold = question.get("gold", {"best": 1, "worst": 2})
        value = gold if right or "gold" not in question else {"best": gold["worst"], "worst": gold["best"]}
        seen = "seen" if not right and "gold" in question else None
        answers.append(
            {
                "position": position,
                "question": question["question"],
                "items": question["items"],
                "shown": question["shown"],
                "value": value,
                "seconds": 4.5,
                "feedback": seen,
                "note": "",
            }
        )
    given = {
        "hit_id": f"H{hit}",
        "assignment_id": f"A-{hit}-{worker}-{number}",
        "worker_id": worker,
        "submit_time": MORNING + timedelta(minutes=number),
        "input": row,
        "answers": {"answers": json.dumps(answers)},
    }
    return Result(**given | fields)


def bring_in(study: Study, *results: Result) -> ImportedResults:
    return import_results(study.pk, "".join(write_results(results)).encode(), "Batch_1.csv", user=SYSTEM)


def altered(one: Result, change: Any) -> Result:
    answers = json.loads(one.answers["answers"])
    changed = change(answers)
    return replace(one, answers={"answers": json.dumps(answers if changed is None else changed)})


def without_gold(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [answer for answer in answers if not answer["question"].startswith("gold")]
