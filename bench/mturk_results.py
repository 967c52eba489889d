"""The import of a large results file on PostgreSQL: the time and the peak memory of the preview, the import and its
undo, each in a process of its own as in a job.

    script/bench mturk_results [ROWS]

Each HIT of the best–worst study has five questions and one gold question, and eight workers answer each HIT. Three in a
hundred workers answer the gold questions incorrectly, so the quality rule stops them.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
ROWS = 100_000
JUDGEMENTS = 8
QUESTIONS_IN_HIT = 5
GOLD = 200
HITS_OF_WORKER = 40
WRONG_EVERY = 33
BLOCK = 1 << 20
MORNING = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)


def main() -> None:
    """Start PostgreSQL, create a study and its results file, and measure each step."""
    if "--here" in sys.argv:
        _here(*sys.argv[2:])
        return
    rows = sys.argv[1] if len(sys.argv) > 1 else str(ROWS)
    with servers.postgres() as url, tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        os.environ |= {
            "DATABASE_URL": url,
            "ACCORD_DATA": folder,
            "DJANGO_SETTINGS_MODULE": "annotate.settings",
            "SECRET_KEY": "for the benchmark only, and long enough to be accepted",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, check=True)
        path = str(Path(folder, "Batch_1.csv"))
        for step in ("prepare", "upload", "preview", "import", "undo"):
            subprocess.run([sys.executable, "-m", "bench.mturk_results", "--here", step, path, rows], check=True)


def _here(step: str, path: str, rows: str) -> None:
    import django

    django.setup()
    from annotate.core.permissions import SYSTEM
    from annotate.models import Study
    from annotate.mturk.models import ResultImport
    from annotate.mturk.services.result_imports import import_stored, receive_results, store_preview, undo_import

    if step == "prepare":
        _prepare(Path(path), int(rows))
        return
    study, stored = Study.objects.get(), ResultImport.objects.only("pk").last()
    key = stored.pk if stored else 0
    started = time.perf_counter()
    if step == "upload":
        with Path(path).open("rb") as file:
            receive_results(study, filename=path, data=iter(lambda: file.read(BLOCK), b""), user=SYSTEM)
        outcome: Any = f"{Path(path).stat().st_size / 2**20:.0f} MiB of CSV"
    elif step == "preview":
        outcome = store_preview(key, user=SYSTEM).counts
    elif step == "import":
        outcome = import_stored(key, user=SYSTEM)
    else:
        outcome = f"{undo_import(key, user=SYSTEM):,} assignments removed"
    took = time.perf_counter() - started
    usage = resource.getrusage(resource.RUSAGE_SELF)
    peak, processor = usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime
    shown = outcome if isinstance(outcome, str) else json.dumps({k: v for k, v in asdict(outcome).items() if v})
    print(f"{step:<10}{took:7.1f} s   Python {processor:6.1f} s   peak {peak:6.0f} MiB   {shown}", flush=True)


def _prepare(path: Path, rows: int) -> None:
    """Create an open study with enough HITs, and write the results of its batch."""
    from accord_core.exchange.mturk_results import write_results
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.models import Question, Study, User
    from annotate.studies.services.study import create_study

    hits = -(-rows // JUDGEMENTS)
    items = -(-hits * QUESTIONS_IN_HIT // 2)
    settings = {"questions_per_hit": QUESTIONS_IN_HIT, "gold_block": QUESTIONS_IN_HIT, "judgements": JUDGEMENTS}
    study = create_study(user=User.objects.create_user("bench@example.org"), title="large", task_type="bws", **settings)
    lines = "".join(f"i{n},The {n}th boat left the harbour.,Boat {n} was out at sea.\n" for n in range(items))
    data = ("id,sentence1,sentence2\n" + lines).encode()
    owner = study.memberships.get().user
    import_file(study, purpose="items", filename="items.csv", data=data, user=owner)
    build_design(study.pk, user=owner)
    Question.objects.bulk_create(
        Question(
            study=study,
            kind=Question.Kind.GOLD,
            ref=f"gold-{n}",
            payload={"items": [f"i{n * 4 + place}" for place in range(4)]},
            gold={"best": f"i{n * 4}", "worst": f"i{n * 4 + 1}"},
        )
        for n in range(GOLD)
    )
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    results = _results(Study.objects.get(pk=study.pk), rows)
    with path.open("w", encoding="utf-8") as file:
        for number, chunk in enumerate(iter(lambda: list(islice(results, 1_000)), [])):
            text = "".join(write_results(chunk))
            file.write(text if number == 0 else text.partition("\n")[2])


def _results(study: Any, rows: int) -> Iterator[Any]:
    from accord_core.exchange.mturk_results import Result
    from annotate.mturk.batch import batch_rows
    from annotate.questions.selectors.data import study_data
    from tests.mturk.turk import opened

    workers = max(JUDGEMENTS, rows // HITS_OF_WORKER)
    number = 0
    for row in batch_rows(study_data(study)):
        questions = opened(row)
        for _ in range(JUDGEMENTS):
            if number >= rows:
                return
            worker, at = number % workers, MORNING + timedelta(seconds=number)
            yield Result(
                hit_id=f"H{row['hit']}",
                assignment_id=f"3A{number:012}",
                worker_id=f"A{worker:012}",
                accept_time=at - timedelta(seconds=60),
                submit_time=at,
                work_time_in_seconds=60,
                input=row,
                answers={"answers": json.dumps([_answer(each, worker, n) for n, each in enumerate(questions, 1)])},
            )
            number += 1


def _answer(question: dict[str, Any], worker: int, position: int) -> dict[str, Any]:
    right = question.get("gold", {"best": 1 + (worker + position) % 4, "worst": 1 + (worker + position + 1) % 4})
    wrong = "gold" in question and worker % WRONG_EVERY == 0
    return {
        "position": position,
        "question": question["question"],
        "items": question["items"],
        "shown": question["shown"],
        "value": {"best": right["worst"], "worst": right["best"]} if wrong else right,
        "seconds": 8.5,
        "feedback": "seen" if wrong else None,
        "note": "",
    }


if __name__ == "__main__":
    main()
