"""Test whether response times reveal gold questions, with 1,000 interleaved answers of each kind over HTTP.

Annotators give the two answers of a HIT, one of which is a correct gold answer, in the order of the HIT. The rank AUC
is the probability that a response to a gold answer took longer than a response to another answer. With an AUC of .5,
the time reveals nothing. The benchmark fails if the AUC is below .45 or above .55.

    script/bench gold_timing
"""

from __future__ import annotations

import json
import sys
import time
from http.client import HTTPConnection
from typing import Any

from scipy.stats import mannwhitneyu

from bench.serving import POSTGRESQL, printed, serving
from tests import servers

EACH = 1_000
ROUNDS = 10  # HITs per annotator, so that no annotator sees a gold question twice
LOWEST, HIGHEST = 0.45, 0.55
MAKE = """
import sys, json, django
django.setup()
from annotate.models import User
from annotate.services import design, study as study_services, uploads
from annotate.services.join import join
from annotate.services.credentials import participation_token
user = User.objects.create_user("bench@example.org")
study = study_services.create_study(user=user, title="bench", task_type="bws", instructions="x", questions_per_hit=1,
                             gold_block=1, rule_threshold="0.5", judgements=2, privacy_notice="x")
def bring(purpose, text):
    upload = uploads.receive(study, purpose=purpose, filename=purpose, data=text.encode(), user=user)
    uploads.import_upload(upload.pk, user=user)
people, rounds = int(sys.argv[1]), int(sys.argv[2])
bring("items", "id,text,gold_only\\n" + "".join(
    f"i{n},Text number {n}.,{'yes' if n < 4 * rounds else ''}\\n" for n in range(people * rounds + 4 * rounds)))
bring("gold", "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\\n" + "".join(
    f"i{4*n},i{4*n+1},i{4*n+2},i{4*n+3},i{4*n},i{4*n+3},x\\n" for n in range(rounds)))
design.build_design(study.pk, user=user)
study = study_services.open_study(study.pk, user=user)
print(json.dumps([participation_token(join(study, platform="web")) for _ in range(people)]))
"""
# Returns the expected answers of the claimed gold questions, by assignment and position.
KEYS = """
import json, django
django.setup()
from annotate import tasktypes
from annotate.models import Answer
task = tasktypes.get("bws")
gold = Answer.objects.filter(question__kind="gold", given_at=None).select_related("question", "assignment")
print(json.dumps({f"{a.assignment.public_id}/{a.position}": task.reveal(a.question.payload, a.shown, a.question.gold)
                  for a in gold}))
"""


def main() -> None:
    """Print the AUC on PostgreSQL and on SQLite. Exit with status 1 if one is outside the limits."""
    with servers.postgres() as url:
        aucs = [measure("PostgreSQL", POSTGRESQL | {"DATABASE_URL": url})]
    aucs.append(measure("SQLite", {}))
    if not all(LOWEST <= auc <= HIGHEST for auc in aucs):
        sys.exit(f"Response times reveal gold questions: {aucs}")


def measure(name: str, environment: dict[str, str], each: int = EACH) -> float:
    """Return the rank AUC of `each` responses to gold answers against the same number of other responses."""
    times: dict[bool, list[float]] = {True: [], False: []}
    with serving(environment, MAKE, each // ROUNDS, ROUNDS, workers=1) as (port, tokens, env):
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(ROUNDS):
            claimed = [(token, _send(connection, token, "POST", "claims", {})["assignment"]) for token in tokens]
            keys = printed(env, KEYS)
            for token, mine in claimed:
                for question in mine["questions"]:
                    place = f"{mine['id']}/{question['position']}"
                    value = keys.get(place, {"best": 1, "worst": 2})
                    began = time.perf_counter()
                    path = f"assignments/{mine['id']}/answers/{question['position']}"
                    _send(connection, token, "PUT", path, {"value": value, "seconds": 3})
                    times[place in keys].append(time.perf_counter() - began)
                _send(connection, token, "POST", f"assignments/{mine['id']}/submission", {})
    auc = float(mannwhitneyu(times[True], times[False]).statistic) / (len(times[True]) * len(times[False]))
    print(f"{name}: {len(times[True]):,} gold, {len(times[False]):,} others, rank AUC {auc:.3f}", flush=True)
    return auc


def _send(connection: HTTPConnection, token: str, method: str, path: str, body: Any) -> Any:
    headers = {"Authorization": f"Participation {token}", "Content-Type": "application/json"}
    connection.request(method, f"/api/v1/{path}", json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    assert response.status == 200, text[:400]
    return json.loads(text)


if __name__ == "__main__":
    main()
