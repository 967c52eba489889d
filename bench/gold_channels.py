"""Everything that a single annotator could tell gold questions by, in the example study of each task type, over HTTP.

An annotator sees a question before answering it: its position in the HIT, its size in bytes, and the features that the
task type names, such as numbers of candidates or initial links. Then the annotator sees the replies to a correct
answer, to the same answer again and to a skip: their times, sizes and outcomes (the status and the fields). The AUC is
the probability that a gold question has the higher value, ties counting half. At .5, a channel reveals nothing.

The researcher's gold questions can differ from the others in their texts. Therefore, when all HITs have been claimed,
half of all questions are drawn to be gold instead, so that the replies differ only by the server's work. What a
question looks like depends on the researcher's files. The intervals are 95% bootstrap intervals over HITs, or over
questions for what depends on a question alone. The benchmark fails if the interval of another channel does not overlap
.45 to .55.

    script/bench gold_channels
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from http.client import HTTPConnection
from typing import Any

import numpy as np

from accord_core.numerics.gold_appearance import auc
from bench.serving import POSTGRESQL, printed, serving
from tests import servers

LOWEST, HIGHEST = 0.45, 0.55
ASSIGNMENTS = 100  # per task type
SEEDS = 3  # studies per task type
RESAMPLES = 400
REPLIES = ("an answer", "a repetition", "a skip")
MAKE = """
import django, json, sys, tomllib
django.setup()
from decimal import Decimal
from annotate.management.commands.demo import EXAMPLES, STUDIES
from annotate.models import User
from annotate.data.services import design, imports
from annotate.studies.services import study as services
from annotate.core.services.credentials import participation_token
from annotate.recruiting.services.join import join
user = User.objects.create_user("bench@example.org")
most, seeds = int(sys.argv[1]), int(sys.argv[2])
SETTINGS = {"judgements": 4, "order": "rounds", "practice": False, "pilot_hits": 0, "skips_allowed": True,
            "gold_skips_allowed": 99, "rule_threshold": 0, "activity_summaries": False, "instructions": "x"}
tokens = {}
for name in STUDIES:
    config = tomllib.loads((EXAMPLES / name / "study.toml").read_text(), parse_float=Decimal)
    options = config.get("options", {}) | {file.stem: file.read_text() for file in (EXAMPLES / name).glob("*.html")}
    kept = {key: config["settings"][key] for key in ("questions_per_hit", "gold_block")}
    for seed in range(seeds):
        study = services.create_study(user=user, title=name, task_type=config["task_type"], seed=seed,
                                      options=options, privacy_notice="x", **kept, **SETTINGS)
        for purpose in ("items", "gold"):
            for file in sorted((EXAMPLES / name).glob(f"{purpose}.*")):
                imports.import_file(study, purpose=purpose, filename=file.name, data=file.read_bytes(), user=user)
        design.build_design(study.pk, user=user)
        study = services.open_study(study.pk, user=user)
        people = min(most // seeds, study.slots.count())
        tokens.setdefault(config["task_type"], []).extend(
            participation_token(join(study, platform="web")) for _ in range(people))
print(json.dumps(tokens))
"""
# Draws new gold questions, and returns the kinds, the features and an answer of each claimed question, by assignment
# and position. `gold` is the kind in the researcher's file. `drawn` is empty for a question whose own answer does not
# pass.
QUESTIONS = """
import django, json
django.setup()
from annotate import tasktypes
from annotate.management.commands.demo import EXAMPLES, _truth
from annotate.models import Answer, Item, Question
from accord_core.numerics.draws import generator
claimed = Answer.objects.filter(given_at=None).select_related("question", "assignment__study", "assignment__hit")
contents, truths, stored, drawn, rows = {}, {}, {}, {}, {}
for a in claimed:
    study, question = a.assignment.study, a.question
    task = tasktypes.get(study.task_type)
    if study.pk not in contents:
        contents[study.pk] = dict(study.items.values_list("key", "content"))
        truths[study.pk] = _truth(EXAMPLES / study.title / "truth.csv")
    own = {key: truths[study.pk][key] for key in task.item_keys(question.payload) if key in truths[study.pk]}
    if question.pk not in stored:
        draws = generator(question.pk, "answer")
        if question.kind == "gold" and study.task_type != "layout":  # where it lacks the fields without a grade
            answer = question.gold
        else:
            value = task.simulate(question.payload, a.shown, own, study.options, False, draws)
            answer = task.clean(question.payload, a.shown, value, study.options)
        stored[question.pk] = answer
        passes = task.grade(question.payload, answer, answer, study.options).passed
        drawn[question.pk] = bool(draws.random() < 0.5) if passes else None
        kind = {"kind": "gold", "gold": answer} if drawn[question.pk] else {"kind": "regular", "gold": None}
        Question.objects.filter(pk=question.pk).update(**kind, explanation="")
    features = task.features(question.payload, a.shown, contents[study.pk], study.options)
    rows[f"{a.assignment.public_id}/{a.position}"] = {
        "gold": question.kind == "gold", "drawn": drawn[question.pk], "question": f"{study.pk}/{question.ref}",
        "value": task.reveal(question.payload, a.shown, stored[question.pk]),
        "hit": f"{study.pk}/{a.assignment.hit.number}", "features": features}
print(json.dumps(rows))
"""

Rows = list[dict[str, Any]]


def main() -> None:
    """Print one row per task type and channel. Exit with status 1 if a channel reveals gold questions."""
    print(f"{'task type':<12}{'channel':<42}{'gold':>6}{'others':>8}{'AUC':>7}   95% interval")
    with servers.postgres() as url:
        holds = [shown("PostgreSQL", measured(POSTGRESQL | {"DATABASE_URL": url}))]
    holds.append(shown("SQLite", measured({})))
    if not all(holds):
        sys.exit("A channel reveals gold questions.")


def measured(environment: dict[str, str]) -> dict[str, Rows]:
    """Let each annotator claim one HIT, and answer each of its questions twice and skip it. Return a row per question,
    by task type.
    """
    rows: dict[str, Rows] = {}
    with serving(environment, MAKE, ASSIGNMENTS, SEEDS, workers=1) as (port, tokens, env):
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        claimed = {
            task: [(token, send(connection, token, "POST", "claims", {}).body["assignment"]) for token in own]
            for task, own in tokens.items()
        }
        known = printed(env, QUESTIONS)
        for task, own in claimed.items():
            rows[task] = []
            for token, assignment in own:
                for question in assignment["questions"]:
                    place = f"{assignment['id']}/{question['position']}"
                    row = known[place] | {"position": question["position"], "bytes": len(json.dumps(question))}
                    path = f"assignments/{assignment['id']}/answers/{question['position']}"
                    bodies = {
                        "an answer": {"value": row["value"], "seconds": 3},
                        "a repetition": {"value": row["value"], "seconds": 4},
                        "a skip": {"skipped": "I do not know.", "seconds": 5},
                    }
                    row |= {name: send(connection, token, "PUT", path, body) for name, body in bodies.items()}
                    rows[task].append(row)
    return rows


class Reply:
    """A reply: its time in seconds, its size in bytes, and its outcome, which contains the status and the fields."""

    def __init__(self, seconds: float, status: int, headers: Sequence[str], text: bytes) -> None:
        self.seconds, self.size = seconds, len(text)
        self.body = json.loads(text)
        self.outcome = (status, *sorted(headers), *((name, self.body[name] is None) for name in sorted(self.body)))


def send(connection: HTTPConnection, token: str, method: str, path: str, body: Any) -> Reply:
    headers = {"Authorization": f"Participation {token}", "Content-Type": "application/json"}
    began = time.perf_counter()
    connection.request(method, f"/api/v1/{path}", json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    reply = Reply(time.perf_counter() - began, response.status, [name for name, _value in response.getheaders()], text)
    if path == "claims" and response.status != 200:
        raise RuntimeError(text[:400])
    return reply


def shown(database: str, rows: dict[str, Rows]) -> bool:
    """Print the channels of each task type, and return whether no channel of the server reveals gold questions."""
    print(f"── {database}")
    holds = True
    for task, own in rows.items():
        for channel, values in of_server(own).items():
            low, high = line(task, channel, values)
            holds = holds and low <= HIGHEST and high >= LOWEST
        if database == "PostgreSQL":  # the same on SQLite
            questions = list({row["question"]: row for row in own}.values())
            for channel in ("bytes of the question", *own[0]["features"]):
                looks = [({"bytes of the question": row["bytes"]} | row["features"])[channel] for row in questions]
                kinds = [(row["question"], row["gold"]) for row in questions]
                line(task, channel, [(*kind, look) for kind, look in zip(kinds, looks, strict=True)])
    return holds


def of_server(rows: Rows) -> dict[str, list[tuple[str, bool, float]]]:
    """Return the HITs, kinds and values of the channels that do not depend on the researcher's files."""
    channels = {"position in the HIT": [(row["hit"], row["gold"], row["position"]) for row in rows]}
    graded = [row for row in rows if row["drawn"] is not None]
    for name in REPLIES:
        replies = [row[name] for row in graded]
        usual = Counter(reply.outcome for reply in replies).most_common(1)[0][0]
        seen = {
            f"time of the reply to {name}": [reply.seconds for reply in replies],
            f"bytes of the reply to {name}": [reply.size for reply in replies],
            f"outcome of {name}": [reply.outcome != usual for reply in replies],
        }
        for channel, values in seen.items():
            channels[channel] = [(row["hit"], row["drawn"], v) for row, v in zip(graded, values, strict=True)]
    return channels


def line(task: str, channel: str, values: Sequence[tuple[str, bool, float]]) -> tuple[float, float]:
    """Print the AUC of a channel from units, kinds and values, and return its interval."""
    by_unit: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    for unit, gold, value in values:
        by_unit[unit].append((gold, float(value)))
    units = list(by_unit.values())
    generator = np.random.default_rng(1)
    drawn = [_auc([units[at] for at in generator.integers(len(units), size=len(units))]) for _ in range(RESAMPLES)]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    gold = sum(gold for _unit, gold, _value in values)
    figure = f"{_auc(units):>7.3f}   {low:.3f} to {high:.3f}"
    print(f"{task:<12}{channel:<42}{gold:>6,}{len(values) - gold:>8,}{figure}", flush=True)
    return float(low), float(high)


def _auc(units: Sequence[Sequence[tuple[bool, float]]]) -> float:
    gold = np.array([value for unit in units for is_gold, value in unit if is_gold])
    others = np.sort([value for unit in units for is_gold, value in unit if not is_gold])
    return auc(gold, others) if len(gold) and len(others) else float("nan")


if __name__ == "__main__":
    main()
