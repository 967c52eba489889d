"""A million items, imported by the services that a job runs, in batches that become visible with the last one.

script/bench million [ITEMS]
"""

from __future__ import annotations

import resource
import sys
import time

from bench._own_process import INSIDE, on_empty_database

ITEMS = 1_000_000


def main() -> None:
    """Run the benchmark in a separate process, on SQLite in a temporary folder."""
    if INSIDE in sys.argv:
        run(int(sys.argv[-1]))
        return
    items = sys.argv[1] if len(sys.argv) > 1 else str(ITEMS)
    on_empty_database("bench.million", [INSIDE, items])


def run(items: int) -> None:
    """Print the time of each step, and the peak memory after it."""
    import django

    django.setup()
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_upload
    from annotate.data.services.uploads import receive
    from annotate.models import User
    from annotate.studies.services.study import create_study

    user = User.objects.create_user("bench@example.org")
    study = create_study(user=user, title="large", task_type="bws", options={"factor": 1})
    rows = "".join(f"i{n},The {n}th boat left the harbour.,Boat {n} was out at sea.,s{n % 7}\n" for n in range(items))
    data = ("id,sentence1,sentence2,source\n" + rows).encode()
    del rows
    started = time.perf_counter()
    upload = receive(study, purpose="items", filename="items.csv", data=data, user=user)
    received = time.perf_counter()
    _say(f"received {len(data) / 2**20:.0f} MiB", received - started)
    import_upload(upload.pk, user=user)
    imported = time.perf_counter()
    _say(f"checked and imported {items:,} items", imported - received)
    build_design(study.pk, user=user)
    _say("design, questions, HITs and slots written", time.perf_counter() - imported)


def _say(what: str, seconds: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{what:<50}{seconds:8.1f} s   peak {peak:.1f} GiB", flush=True)


if __name__ == "__main__":
    main()
