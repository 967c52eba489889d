"""The time of one claim on PostgreSQL at 1,000, 100,000 and 1,000,000 slots, with 0% and 99% of the slots finished.

    script/bench claim                      claims of a new annotator, and of one with fifty finished HITs
    script/bench claim --sets 30            the same with gold questions in 30 sets. The annotator with fifty finished
                                            HITs has had all of them
    script/bench claim --sets 200           the same annotator has had a quarter of them
    python -m bench.claim --explain         also print the query plan of the slot search

Claims follow each other in one process and are rolled back, so that only the size of the study differs. Other load on
the machine can only add time, so the benchmark compares the 10th percentiles. SQL inserts the rows.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from annotate.models import Participation

SIZES = (1_000, 100_000, 1_000_000)
CLOSED = 0.99
REGULAR_HITS = 50
WARM, ROUNDS = 20, 200
FLAT = 1.5

FILL = """
WITH q AS (
    INSERT INTO annotate_question (public_id, study_id, ref, kind, payload, explanation, gold_version)
    SELECT 'q' || %(study)s || '-' || n, %(study)s, 't' || n, 'regular', '{"items": ["a", "b", "c", "d"]}', '', 1
    FROM generate_series(1, %(hits)s) n RETURNING id, ref),
h AS (
    INSERT INTO annotate_hit (study_id, number, for_skipped)
    SELECT %(study)s, n, false FROM generate_series(1, %(hits)s) n
    RETURNING id, number),
hq AS (
    INSERT INTO annotate_hitquestion (hit_id, question_id, position)
    SELECT h.id, q.id, 1 FROM h JOIN q ON q.ref = 't' || h.number)
INSERT INTO annotate_slot (study_id, hit_id, place, open)
SELECT %(study)s, h.id, h.number + round * %(hits)s,
       1
FROM h CROSS JOIN generate_series(0, 1) round
"""
DEAL = """
WITH q AS (
    INSERT INTO annotate_question (public_id, study_id, ref, kind, payload, gold, explanation, gold_version)
    SELECT 'g' || %(study)s || '-' || n, %(study)s, 'g' || n, 'gold', '{"items": ["a", "b", "c", "d"]}',
        '{"best": "a", "worst": "b"}', '', 1 FROM generate_series(0, %(sets)s - 1) n RETURNING id, ref),
g AS (
    INSERT INTO annotate_goldset (study_id, number) SELECT %(study)s, n FROM generate_series(0, %(sets)s - 1) n
    RETURNING id, number),
gq AS (
    INSERT INTO annotate_goldsetquestion (gold_set_id, question_id, position)
    SELECT g.id, q.id, 1 FROM g JOIN q ON q.ref = 'g' || g.number),
h AS (
    UPDATE annotate_hit h SET gold_set_id = g.id FROM g
    WHERE h.study_id = %(study)s AND h.number %% %(sets)s = g.number RETURNING h.id, h.gold_set_id)
UPDATE annotate_slot s SET gold_set_id = h.gold_set_id FROM h WHERE h.id = s.hit_id
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=0, metavar="N", help="gold sets of the study")
    parser.add_argument("--explain", action="store_true", help="print the query plan of the slot search")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        os.environ["DATABASE_URL"] = stack.enter_context(servers.postgres())
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        import django

        django.setup()
        measure(arguments.explain, arguments.sets)


def measure(explain: bool, sets: int) -> None:
    """Print a line for each size and finished share, and the greatest ratio of times."""
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    print(f"{'':>22}{'newcomer ms':^22}{'regular ms':^22}")
    print(f"{'slots':>10}{'closed':>12}" + f"{'fastest tenth':>14}{'median':>8}" * 2, flush=True)
    fastest: dict[str, list[float]] = {"newcomer": [], "regular": []}
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE annotate_slot SET (autovacuum_enabled = off)")
        for slots in SIZES:
            study = make_study(slots, sets)
            for closed, statement in (
                ("0 %", "VACUUM ANALYZE"),
                ("99 % *", "UPDATE annotate_slot SET open = 0 WHERE study_id = %s AND place <= %s"),
                ("99 %", "ANALYZE annotate_slot"),
            ):
                cursor.execute(statement, (study, int(slots * CLOSED)) if "%s" in statement else None)
                cursor.execute("VACUUM annotate_slot")  # as autovacuum does whenever a fifth has changed
                cursor.execute("CHECKPOINT")  # or writing out what was just laid down is measured, too
                line = f"{slots:>10,}{closed:>12}"
                for who, done in (("newcomer", 0), ("regular", REGULAR_HITS)):
                    times = claim_times(study, done)
                    fastest[who].append(times[0])
                    line += f"{times[0]:>14.2f}{times[1]:>8.2f}"
                print(line, flush=True)
                if explain:
                    print(explained(study))
    print("* with planner statistics from before the slots were finished")
    for who, figures in fastest.items():
        ratio = max(figures) / min(figures)
        print(f"{who}: slowest / fastest = {ratio:.2f} ({'flat' if ratio <= FLAT else 'NOT flat'}: at most {FLAT})")


def make_study(slots: int, sets: int) -> int:
    """Create an open study of two rounds with only open slots, and return its primary key."""
    from django.db import connection

    from annotate.models import Study

    study = Study.objects.create(
        title=f"{slots}",
        task_type="bws",
        state="open",
        gold_block=1 if sets else 0,
        rule_threshold=0,
        questions_per_hit=1,
        options={"size": 4},
    )
    with connection.cursor() as cursor:
        cursor.execute(FILL, {"study": study.pk, "hits": slots // 2})
        if sets:
            cursor.execute(DEAL, {"study": study.pk, "sets": sets})
    return study.pk


def claim_times(study_id: int, finished: int) -> tuple[float, float]:
    """Return the milliseconds of claims by annotators with `done` finished HITs: 10th percentile and median."""
    from django.db import transaction

    from annotate.core.services.claim import claim

    times = []
    for number in range(WARM + ROUNDS):
        with transaction.atomic():
            person = newcomer(study_id, finished)
            began = time.perf_counter()
            assignment = claim(person.pk).assignment
            if number >= WARM:
                times.append((time.perf_counter() - began) * 1000)
            assert assignment is not None
            transaction.set_rollback(True)
    return statistics.quantiles(times, n=10)[0], statistics.median(times)


def newcomer(study_id: int, finished: int) -> Participation:
    """Return a new annotator, or one who has finished the first `done` places of the queue."""
    from django.utils import timezone

    from annotate.models import Annotator, Answer, Assignment, Hit, HitQuestion, Participation, Slot

    annotator = Annotator.objects.create(study_id=study_id, platform="web")
    person = Participation.objects.create(study_id=study_id, annotator=annotator, pseudonym="bench", cursor=finished)
    slots = Slot.objects.filter(study_id=study_id, place__lte=finished)
    now = timezone.now()
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                study_id=study_id,
                participation=person,
                hit_id=slot.hit_id,
                slot=slot,
                state="done",
                lease_until=now,
                submitted_at=now,
            )
            for slot in slots
        ]
    )
    slots.update(open=0)
    questions = dict(HitQuestion.objects.filter(hit__in=[a.hit_id for a in assignments]).values_list("hit", "question"))
    answers = [(a, questions[a.hit_id], 1) for a in assignments]
    gold = dict(Hit.objects.filter(pk__in=questions).values_list("gold_set__questions", "pk"))
    taken = {a.hit_id: a for a in assignments}
    answers += [(taken[hit], question, 2) for question, hit in gold.items() if question]
    Answer.objects.bulk_create(
        Answer(assignment=a, participation=person, question_id=question, position=position)
        for a, question, position in answers
    )
    return person


def explained(study_id: int) -> str:
    """Return the executed query plan of a new annotator's slot search."""
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    from annotate.core.services.claim import claim

    with transaction.atomic():
        person = newcomer(study_id, REGULAR_HITS)
        with CaptureQueriesContext(connection) as queries:
            claim(person.pk)
        transaction.set_rollback(True)
    with transaction.atomic():
        newcomer(study_id, REGULAR_HITS)
        search, *_further = [q["sql"] for q in queries if "annotate_slot" in q["sql"] and "SKIP LOCKED" in q["sql"]]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, COSTS OFF) {search}")
            plan = "\n".join(f"    {line}" for (line,) in cursor.fetchall())
        transaction.set_rollback(True)
    return plan


if __name__ == "__main__":
    main()
