"""200 sentences with real votes (Swords), collected through the services by annotators who repeat the votes.

    CORPORA=… script/bench swords     a folder with swords/contexts.jsonl and swords/votes.csv

Annotator k gives each candidate its k-th vote. Pages accept only yes and no, so an UNSURE vote counts as no. The
benchmark compares the labels with the majority of the same votes without UNSURE, and with the majority of all votes.
Vote numbers do not identify people, so the benchmark reports nothing about annotators.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections import Counter
from pathlib import Path

from bench._own_process import INSIDE, on_empty_database

EACH = 5


def main() -> None:
    if INSIDE in sys.argv:
        collect(Path(os.environ["CORPORA"]) / "swords")
        return
    if "CORPORA" not in os.environ:
        raise SystemExit("bench/swords.py: set CORPORA to a folder with swords/contexts.jsonl and swords/votes.csv")
    on_empty_database("bench.swords", [INSIDE])


def collect(folder: Path) -> None:
    import django

    django.setup()
    from annotate import tasktypes
    from annotate.core.services.claim import claim
    from annotate.core.services.submit import AnswerSent, submit
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.models import Annotator, User
    from annotate.recruiting.services.join import accept_consent, join
    from annotate.results.services import make_report
    from annotate.studies.services.study import create_study, open_study

    votes = read_votes(folder / "votes.csv")
    user, task = User.objects.create_user("bench@example.org"), tasktypes.get("paraphrase")
    study = create_study(
        user=user,
        title="Swords",
        task_type="paraphrase",
        judgements=EACH,
        questions_per_hit=10,
        gold_block=0,
        rule_threshold=0,
        seed=1,
    )
    data = (folder / "contexts.jsonl").read_bytes()
    brought = import_file(study, purpose="items", filename="contexts.jsonl", data=data, user=user)
    build_design(study.pk, user=user)
    study = open_study(study.pk, user=user)
    started, hits = time.perf_counter(), 0
    for number in range(EACH):
        person = join(study, platform=Annotator.Platform.SIMULATED, external_id=f"vote-{number}")
        accept_consent(person.pk, None, eligible=True)
        while (assignment := claim(person.pk).assignment) is not None:
            sent = []
            for answer in assignment.answers.select_related("question").order_by("position"):
                payload = answer.question.payload
                labels = [replayed(votes[payload["item"], text], number) for text in payload["paraphrases"]]
                sent.append(AnswerSent(answer.position, task.reveal(payload, answer.shown, {"votes": labels})))
            submit(person.pk, assignment.public_id, sent)
            hits += 1
    seconds = time.perf_counter() - started
    print(f"{brought.items.count()} unchanged items; {hits} HITs by {EACH} annotators in {seconds:.1f} s")
    result = make_report(study.pk, kind="results", parameters={}, user=user, progress=lambda share, text: None).result
    compare(study, result, votes)
    kappa, counts = result["agreement"]["fleiss_kappa"]["value"], result["counts"]
    print(
        f"Fleiss' κ {kappa:.3f}, good {counts['good']:,} of {counts['judged']:,}; {len(result['contrasts'])} pairs "
        "good in one domain and bad in another"
    )


def replayed(votes: list[str], number: int) -> bool:
    """Return the votes by number. Two hundred candidates have only three votes, which are repeated."""
    return votes[number % len(votes)] == "TRUE"


def compare(study, result, votes) -> None:  # type: ignore[no-untyped-def]
    payloads = dict(study.questions.filter(kind="regular").values_list("ref", "payload"))
    candidates = [
        (payloads[ref]["item"], text) for ref in result["sentences"]["ref"] for text in payloads[ref]["paraphrases"]
    ]
    ours = dict(zip(candidates, result["labels"]["majority"], strict=True))
    for name, real in (
        ("the same five votes", {key: majority(labels[:EACH]) for key, labels in votes.items()}),
        ("all its votes", {key: majority(labels) for key, labels in votes.items()}),
    ):
        pairs_of_labels = Counter((ours[key], real[key]) for key in candidates)
        same = sum(count for (a, b), count in pairs_of_labels.items() if a == b)
        undecided = sum(count for (_, b), count in pairs_of_labels.items() if b == -1)
        print(f"labels equal to the majority of {name}: {same:,} of {len(candidates):,} ({undecided:,} tied there)")


def majority(votes: list[str]) -> int:
    yes, no = votes.count("TRUE"), votes.count("FALSE")
    return -1 if yes == no else int(yes > no)


def read_votes(file: Path) -> dict[tuple[str, str], list[str]]:
    votes: dict[tuple[str, str], dict[int, str]] = {}
    with file.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            votes.setdefault((row["id"], row["paraphrase"]), {})[int(row["vote"])] = row["label"]
    return {key: [labels[number] for number in sorted(labels)] for key, labels in votes.items()}


if __name__ == "__main__":
    main()
