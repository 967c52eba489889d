"""The time of a cycle, one request that submits a HIT of six answers and claims the next HIT, in empty views.

An empty view is a `GET /healthz` request to the same server, which runs all middleware but no database query.
`cycle_in_empty_views` is empty views per second divided by cycles per second, for the same server, clients and run. The
web server is configured as in the documentation: two processes on PostgreSQL, one on SQLite. Clients, servers and
databases share the cores of this machine, so the rates are lower bounds.

    script/bench cycles
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles
from typing import Any

from bench.load import Client, run
from bench.serving import POSTGRESQL, analyze, printed, serving
from tests import servers

SLICES, SLICE = 6, 2.0  # seconds
WARM = 1.5
PAUSE = 5.0
ITEMS = 20_000
MAKE = """
import sys, json, django
django.setup()
from annotate.models import User, Item, Upload, Study
from annotate.data.services import design, imports
from annotate.studies.services import study as study_services
from annotate.recruiting.services.join import join
from annotate.core.services.credentials import participation_token
user = User.objects.create_user("bench@example.org")
study = study_services.create_study(user=user, title="bench", task_type="bws", instructions="x", gold_block="5",
                             rule_threshold="0", reward="0.5", privacy_notice="x")
rows = "id,sentence1,sentence2\\n" + "".join(
    f"i{n},The harbour was quiet at dawn {n}.,Nobody was on the quay so early {n}.\\n" for n in range(int(sys.argv[1])))
def bring(purpose, text):
    imports.import_file(study, purpose=purpose, filename=purpose, data=text.encode(), user=user)
bring("items", rows)
bring("gold", "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\\n" + "".join(
    f"i{4*n},i{4*n+1},i{4*n+2},i{4*n+3},i{4*n},i{4*n+3},because\\n" for n in range(60)))
design.build_design(study.pk, user=user)
study = study_services.open_study(study.pk, user=user)
people = [join(study, platform="web") for _ in range(int(sys.argv[2]))]
print(json.dumps([participation_token(person) for person in people]))
"""


# Counts the statements of one cycle that the database receives, including BEGIN and COMMIT.
COUNT = """
import json, sys, django
django.setup()
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
client = Client(headers={"Authorization": f"Participation {sys.argv[1]}"})
def post(path, body):
    request = {"data": json.dumps(body), "content_type": "application/json", "headers": {"Host": "localhost"}}
    return client.post(f"/api/v1/{path}", **request).json()
mine = post("claims", {})["assignment"]
for _ in range(3):
    answers = [{"position": q["position"], "value": {"best": 1, "worst": 2}} for q in mine["questions"]]
    with CaptureQueriesContext(connection) as queries:
        reply = post(f"assignments/{mine['id']}/submission", {"answers": answers, "next": True})
    mine = reply["next"]["assignment"]
    if not reply["receipt"]["feedback"]:
        break
print(json.dumps(len(queries)))
"""
Rates = dict[int, tuple[float, float, float]]


def main() -> None:
    """Print a line for each database and number of clients, then check the requirements between them."""
    with servers.postgres() as url:
        rates = _database("PostgreSQL", POSTGRESQL | {"DATABASE_URL": url}, (1, 8, 32, 64), workers=2, pausing=True)
    _holds("64 clients: cycles/s at least 90 % of those of 8", rates[64][0] >= 0.9 * rates[8][0])
    _holds("64 clients: p95 under twice the median", rates[64][2] < 2 * rates[64][1])
    _holds(f"64 clients that pause {PAUSE:g} s: p95 under 8 times one client's median", rates[-64][2] < 8 * rates[1][1])
    rates = _database("SQLite", {}, (1, 8), workers=1)
    _holds("SQLite, 8 clients: cycles/s at least those of 1", rates[8][0] >= rates[1][0])


def _database(
    name: str, environment: dict[str, str], counts: Sequence[int], *, workers: int, pausing: bool = False
) -> Rates:
    rates: Rates = {}
    with serving(environment, MAKE, ITEMS, max(counts) + 1, workers=workers) as (port, tokens, env):
        print(f"{name}: {printed(env, COUNT, tokens[-1])} statements per cycle, including BEGIN and COMMIT")
        for count in counts:
            run(port, cycling(tokens[:count]), WARM)
            if "DATABASE_URL" in environment:
                analyze(environment["DATABASE_URL"])
            views, submissions = [], []
            for _ in range(SLICES):  # alternate, so that other load on this machine affects both equally
                views += run(port, [Client(lambda _: ("GET", "/healthz", None)) for _ in range(count)], SLICE)
                submissions += run(port, cycling(tokens[:count]), SLICE)
            empty, cycles = _rates(views), _rates(submissions)
            rates[count] = cycles
            print(
                f"{name} {count}: {empty[0]:.0f} empty views/s, {cycles[0]:.1f} cycles/s, "
                f"median {cycles[1]:.1f} ms, p95 {cycles[2]:.1f} ms"
            )
            print(f"{name} {count} cycle_in_empty_views: {empty[0] / cycles[0]:.1f}", flush=True)
        if pausing:
            count = max(counts)
            rates[-count] = paused = _rates(run(port, cycling(tokens[:count]), 4 * PAUSE, pause=PAUSE), 4 * PAUSE)
            print(f"{name} {count}, pausing {PAUSE:g} s: median {paused[1]:.1f} ms, p95 {paused[2]:.1f} ms")
    return rates


def cycling(tokens: Sequence[str]) -> list[Client]:
    return [Client(_Cycle(), token) for token in tokens]


class _Cycle:
    """Claim once, then submit and claim in each request. Continue with a HIT that is already claimed."""

    def __call__(self, reply: Any) -> tuple[str, str, Any]:
        if reply is None:
            return "POST", "/api/v1/claims", {}
        mine = reply.get("next", reply)["assignment"]
        assert mine, "the study has no more HITs: increase its size"
        answers = [
            {"position": question["position"], "value": {"best": 1, "worst": 2}, "seconds": 5.0}
            for question in mine["questions"]
        ]
        return "POST", f"/api/v1/assignments/{mine['id']}/submission", {"answers": answers, "next": True}


def _rates(times: list[float], seconds: float = SLICES * SLICE) -> tuple[float, float, float]:
    """Return requests per second, and the median and the 95th percentile in milliseconds."""
    cuts = quantiles((1000 * seconds_taken for seconds_taken in times), n=20)
    return len(times) / seconds, cuts[9], cuts[18]


def _holds(claim: str, holds: bool) -> None:
    print(f"{'holds' if holds else 'DOES NOT HOLD'}: {claim}", flush=True)


if __name__ == "__main__":
    main()
