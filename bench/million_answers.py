"""A study with a million answers on PostgreSQL: console pages compared with a thousand answers, reports and exports.

    script/bench million_answers [--answers N] [--database URL]

The results report, the progress report and every export run in separate processes. `--database` names an empty
PostgreSQL database, which is filled in the first run and used again later. The study's owner fetches each page three
times through Django's test client, and the fastest time counts. Processor time is that of Python without the database.
Peak memory is the largest resident size of a process, minus that of a process that has only started Django.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import servers

if TYPE_CHECKING:
    from annotate.models import Study

ROOT = Path(__file__).resolve().parent.parent
SMALL = 1_000
PAGES = {
    "list of studies": "/console/",
    "overview": "",
    "overview, refreshed": "?seen=nothing",
    "open HITs": "open-hits/",
    "add judgements": "judgements/",
    "items": "items/",
    "items, last page": "items/?page=last",
    "design": "design/",
    "annotators": "annotators/",
    "annotators, needs a look": "annotators/?show=look",
    "one annotator": "annotators/heron-1/",
    "one annotator, last page": "annotators/heron-1/?page=last",
    "questions": "questions/",
    "questions, last page": "questions/?page=last",
    "gold": "gold/",
    "adjudication": "adjudicate/",
    "adjudication, a question": "adjudicate/{question}/",
    "pay": "pay/",
    "pay, owed": "pay/?show=owed&page=2",
    "a payment": "pay/payments/10/",
    "results": "results/all/",
    "jobs": "jobs/",
    "members": "members/",
    "settings": "settings/",
    "history": "history/",
    "history, last page": "history/?page=last",
}


def path_of(page: str, study: Study) -> str:
    """Return the path of one of `PAGES`. Gold questions are never adjudicated, so it names a regular question."""
    if page.startswith("/"):
        return page
    question = study.questions.filter(kind="regular").order_by("pk").values_list("public_id", flat=True)[0]
    return f"/console/{study.public_id}/" + page.replace("=last", "=1000000").format(question=question)


def main() -> None:
    """Start PostgreSQL unless a database is named, fill it, and measure in separate processes."""
    options = argparse.ArgumentParser()
    options.add_argument("--answers", type=int, default=1_000_000)
    options.add_argument("--database")
    options.add_argument("--only", default="pages,reports,exports")
    options.add_argument("--here", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.here:
        _measure_here(*arguments.here.split(":"))
        return
    with _database(arguments.database) as url, tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        os.environ |= {
            "DATABASE_URL": url,
            "ACCORD_DATA": folder,
            "DJANGO_SETTINGS_MODULE": "annotate.settings",
            "SECRET_KEY": "for the benchmark only, and long enough to be accepted",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, check=True)
        for part in arguments.only.split(","):
            _child(f"fill:{arguments.answers}") if part == "pages" else None
            {"pages": _pages, "reports": _reports, "exports": _exports}[part]()


@contextmanager
def _database(url: str | None) -> Iterator[str]:
    if url:
        yield url
    else:
        with servers.postgres() as fresh:
            yield fresh


def _pages() -> None:
    large, small = _child("pages:large"), _child("pages:small")
    print(f"\n{'page':<24}{'ms':>7}{'processor':>11}{'queries':>9}{'KiB':>7}      of {SMALL:,} answers: ms, queries")
    for page, (ms, own, queries, size) in large.items():
        same = small[page]
        mark = "" if queries <= same[2] else "  more queries"
        figures = f"{ms:>7.0f}{own:>11.0f}{queries:>9}{size / 1024:>7.0f}{same[0]:>16.0f}{same[2]:>9}"
        print(f"{page:<24}{figures}{mark}", flush=True)


def _reports() -> None:
    idle = _child("idle:")["peak"]
    print(
        f"\n{'report':<24}{'seconds':>9}{'processor':>11}{'peak MiB':>10}     above {idle:.0f} MiB of an idle process"
    )
    for kind in ("progress", "results"):
        measured = _child(f"report:{kind}")
        print(
            f"{kind:<24}{measured['seconds']:>9.1f}{measured['own']:>11.1f}{measured['peak'] - idle:>10.0f}", flush=True
        )


def _exports() -> None:
    idle = _child("idle:")["peak"]
    print(f"\n{'export':<24}{'seconds':>9}{'processor':>11}{'first ms':>10}{'MiB':>8}{'peak MiB':>10}")
    for name in _child("names:")["names"]:
        measured = _child(f"export:{name}")
        peak = measured["peak"] - idle
        size = measured["bytes"] / 2**20
        time_taken = f"{measured['seconds']:>9.1f}{measured['own']:>11.1f}{measured['first']:>10.0f}"
        print(f"{name:<24}{time_taken}{size:>8.1f}{peak:>10.0f}", flush=True)


def _child(task: str) -> Any:
    command = [sys.executable, "-m", "bench.million_answers", "--here", task]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


# ── in a separate process ────────────────────────────────────────────────────────────────────────────────────────


def _measure_here(task: str, what: str) -> None:
    import django

    django.setup()
    started = time.process_time()
    result = {"fill": _fill, "pages": _time_pages, "report": _report, "export": _export, "names": _names}.get(
        task, lambda _: {}
    )(what)
    result.setdefault("own", time.process_time() - started)
    result.setdefault("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if task == "pages":
        del result["peak"], result["own"]
    print(json.dumps(result))


def _fill(answers: str) -> dict[str, Any]:
    from django.db import transaction

    from annotate.models import Answer, Item, Study, User
    from bench._filled_study import analyze, filled_study

    if not Study.objects.exists():
        started = time.perf_counter()
        user = User.objects.create_user("bench@example.org")
        with transaction.atomic():
            filled_study(SMALL, user, "small")
            study = filled_study(int(answers), user, "large")
        analyze()
        counts = f"{Answer.objects.filter(participation__study=study).count():,} answers"
        items = Item.objects.filter(study=study).count()
        took = time.perf_counter() - started
        print(f"filled in {took:.0f} s: {counts}, {items:,} items", file=sys.stderr)
    return {}


def _time_pages(title: str) -> dict[str, Any]:
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotate.models import User

    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    client = Client()
    client.force_login(User.objects.get(email="bench@example.org"))
    study = _study(title)
    result = {}
    for name, page in PAGES.items():
        path = path_of(page, study)
        headers = {"HX-Request": "true"} if "refreshed" in name else {}
        best, own, queries, size = float("inf"), float("inf"), 0, 0
        for _ in range(3):
            started, busy = time.perf_counter(), time.process_time()
            response = client.get(path, headers=headers)
            best, own = min(best, time.perf_counter() - started), min(own, time.process_time() - busy)
            assert response.status_code == 200, f"{path} {response.status_code}"
        with CaptureQueriesContext(connection) as captured:
            size = len(client.get(path, headers=headers).content)
        queries = len(captured)
        result[name] = (best * 1000, own * 1000, queries, size)
        if os.environ.get("SLOW") and best > 0.1:
            slow = sorted(captured.captured_queries, key=lambda query: -float(query["time"]))[:4]
            for query in slow:
                print(name, query["time"], query["sql"][:700], file=sys.stderr)
    return result


def _report(kind: str) -> dict[str, Any]:
    from annotate.core.permissions import SYSTEM
    from annotate.results.services import make_report

    started = time.perf_counter()
    parameters: dict[str, Any] = {}
    make_report(_study("large").pk, kind=kind, parameters=parameters, user=SYSTEM, progress=lambda share, message: None)
    return {"seconds": time.perf_counter() - started}


def _names(_: str) -> dict[str, Any]:
    from annotate.results.selectors.downloads import exports_of

    return {"names": [*(export.filename for export in exports_of(_study("large"))), "annotators.csv"]}


def _export(name: str) -> dict[str, Any]:
    from annotate.people.selectors.annotators_file import annotators_csv
    from annotate.results.selectors.downloads import write_export

    study = _study("large")
    started = time.perf_counter()
    first, size = 0.0, 0
    for chunk in annotators_csv(study) if name == "annotators.csv" else write_export(study, name)[1]:
        first = first or 1000 * (time.perf_counter() - started)
        size += len(chunk)
    return {"seconds": time.perf_counter() - started, "first": first, "bytes": size}


def _study(title: str) -> Any:
    from annotate.models import Study

    return Study.objects.select_related("design").get(title=title)


if __name__ == "__main__":
    main()
