"""What annotators can tell about gold questions by comparing their screens, with HITs claimed through the services.

Several identities join a study of 160 HITs, each from a network of its own, and compare everything they see. A question
is suspicious if it is in several different HITs, or missing from somebody's version of a HIT. The AUC is the
probability that a gold question is more suspicious than another question, ties counting half. At .5, the comparison
shows nothing. The interval is the 95% t interval over studies with different seeds.

With returns only, nobody answers anything: each identity returns or puts aside HITs for thirty claims. The benchmark
fails if the upper end of that AUC's interval is above .55. In other studies, each identity submits 5, 20 and 50 HITs.

    script/bench gold_collusion [--fast]

`--fast` ends after 5 HITs.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotate.models import Assignment, Participation, Study

STUDIES = 6  # per row
CLAIMS = 30  # without an answer
IDENTITIES = (2, 3, 5)
SUBMITTED = (5, 20, 50)
MOST = 0.55
View = frozenset[int]
Step = Callable[["Participation"], View | None]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "SECRET_KEY": "bench",
            "ACCORD_DATA": folder,
        }
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        return measured()


def measured() -> int:
    """Print one row per task type, number of identities and amount of work, and return the exit code."""
    print(f"{'task type':<12}{'identities':>11}{'HITs each':>14}{'AUC':>8}   95% interval")
    highest = 0.0
    submitted_hits = SUBMITTED[:1] if "--fast" in sys.argv[1:] else SUBMITTED
    for task_type, make in (("best–worst", best_worst), ("paraphrase", paraphrase)):
        for identities in IDENTITIES:
            seeds = range(1, STUDIES + 1)
            without_answers = [aucs(make(seed), identities, returned, [CLAIMS]) for seed in seeds]
            with_answers = [aucs(make(seed), identities, submitted, submitted_hits) for seed in seeds]
            highest = max(
                highest, print_row(task_type, identities, "only returned", [each[0] for each in without_answers])
            )
            for number, hits in enumerate(submitted_hits):
                print_row(task_type, identities, str(hits), [each[number] for each in with_answers])
    holds = highest <= MOST
    print(f"returns only: at most {highest:.3f}; limit {MOST}: {'holds' if holds else 'DOES NOT HOLD'}")
    return 0 if holds else 1


def best_worst(seed: int) -> Study:
    from tests.factories import make_study

    return make_study(items=400, gold=40, gold_block=5, judgements=2, seed=seed, rule_threshold=0)


def paraphrase(seed: int) -> Study:
    from tests.paraphrasing import item_rows, paraphrase_study

    phrases = [f"phrase{number}" for number in range(240)]
    settings = {"questions_per_hit": 3, "gold_block": 3, "judgements": 5, "seed": seed, "rule_threshold": 0}
    return paraphrase_study(rows=item_rows(phrases), quality=40, **settings)


def print_row(task_type: str, identities: int, work: str, figures: list[float]) -> float:
    """Print the mean of the AUCs with its interval, and return the upper end of the interval."""
    low, high = interval(figures)
    print(f"{task_type:<12}{identities:>11}{work:>14}{mean(figures):>8.3f}   {low:.3f} to {high:.3f}", flush=True)
    return high


def aucs(study: Study, identities: int, step: Step, numbers: Sequence[int]) -> list[float]:
    """Let the identities work in turn, and return the AUC of their suspicion after each of these numbers of steps."""
    from annotate.models import Question
    from tests.factories import make_annotator

    gold = set(study.questions.filter(kind=Question.Kind.GOLD).values_list("pk", flat=True))
    people = [make_annotator(study) for _ in range(identities)]
    views: list[View] = []
    found = []
    for number in range(1, max(numbers) + 1):
        views += [view for person in people if (view := step(person)) is not None]
        if number in numbers:
            found.append(rank_auc(suspicion(views), gold))
    return found


def returned(person: Participation) -> View | None:
    """Claim a HIT and put it aside. If the annotator cannot put aside another HIT, return it."""
    from annotate.core.services.claim import claim
    from annotate.core.services.returns import return_hit
    from annotate.server.refusals import Refused

    assignment = claim(person.pk).assignment
    if assignment is None:
        return None
    try:
        return_hit(person.pk, assignment.public_id, put_aside=True)
    except Refused:
        return_hit(person.pk, assignment.public_id)
    return view_of(assignment)


def submitted(person: Participation) -> View | None:
    from annotate.core.services.claim import claim
    from annotate.core.services.submit import AnswerSent, submit

    assignment = claim(person.pk).assignment
    if assignment is None:
        return None
    submit(person.pk, assignment.public_id, [AnswerSent(a.position, value) for a, value in answers_of(assignment)])
    return view_of(assignment)


def answers_of(assignment: Assignment) -> list[tuple[Any, Any]]:
    answers = assignment.answers.select_related("question", "participation__study").order_by("position")
    if assignment.study.task_type == "bws":
        return [(answer, {"best": 1, "worst": 2}) for answer in answers]
    from tests.paraphrasing import raw_votes

    return [(answer, raw_votes(answer, {})) for answer in answers]


def view_of(assignment: Assignment) -> View:
    return frozenset(assignment.answers.values_list("question", flat=True))


def suspicion(views: list[View]) -> dict[int, int]:
    """Return, for each question, the number of different HITs in which it was seen, plus the number of versions of
    these HITs that lack it. Two views with at least half of their questions in common are versions of one HIT.
    """
    hits: list[list[View]] = []
    for view in views:
        same = next((hit for hit in hits if 2 * len(hit[0] & view) >= len(hit[0] | view)), None)
        if same is None:
            hits.append([view])
        else:
            same.append(view)
    points: dict[int, int] = {}
    for hit in hits:
        for question in frozenset().union(*hit):
            points[question] = points.get(question, 0) + 1 + sum(question not in view for view in hit)
    return points


def rank_auc(points: dict[int, int], gold: set[int]) -> float:
    suspicious = [points[question] for question in points if question in gold]
    others = [points[question] for question in points if question not in gold]
    if not suspicious or not others:
        return 0.5
    wins = sum((mine > other) + 0.5 * (mine == other) for mine in suspicious for other in others)
    return wins / (len(suspicious) * len(others))


def interval(figures: list[float]) -> tuple[float, float]:
    from scipy.stats import t

    half = float(t.ppf(0.975, len(figures) - 1)) * stdev(figures) / len(figures) ** 0.5
    return mean(figures) - half, mean(figures) + half


if __name__ == "__main__":
    sys.exit(main())
