"""The time in which the server gives and takes a HIT, with and without repeated questions, on PostgreSQL.

    script/bench repeats [SHARE]

Two studies are equal except for the share of questions to repeat: 0% and 25%, or another share such as 0.05. In each
round, both studies give a HIT to the same number of annotators and take their answers, in turn, so that other load on
the machine affects both. The first half of the rounds is not counted, because no questions can be
repeated in the first HITs.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from annotate.models import Participation

SHARE, ROUNDS, ANNOTATORS, ITEMS, QUESTIONS = "0.25", 40, 5, 400, 10


def main() -> None:
    with servers.postgres() as url:
        os.environ["DATABASE_URL"] = url
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        measure()


def measure() -> None:
    from annotate.core.permissions import SYSTEM
    from annotate.models import Answer
    from annotate.studies.services.settings import change_settings
    from tests.factories import make_annotator, make_study

    studies = [
        make_study(
            items=ITEMS, questions_per_hit=QUESTIONS, judgements=ANNOTATORS, privacy_notice="Answers are stored."
        )
        for _ in range(2)
    ]
    share = sys.argv[1] if len(sys.argv) > 1 else SHARE
    change_settings(studies[1].pk, repeat_share=share, repeat_after_hits=2, user=SYSTEM)
    people = [[make_annotator(study) for _ in range(ANNOTATORS)] for study in studies]
    times: tuple[list[tuple[float, float]], ...] = ([], [])
    for number in range(ROUNDS):
        for both in zip(*people, strict=True):
            for kept, annotator in zip(times, both, strict=True):
                spent = one_hit(annotator)
                if number >= ROUNDS // 2:
                    kept.append(spent)
    repeated = Answer.objects.filter(participation__study=studies[1], replaces__isnull=False).count()
    print(f"{ROUNDS * ANNOTATORS:,} HITs of {QUESTIONS} questions per study, {repeated:,} repeated questions")
    print("| | without repeats, ms | with repeats, ms | ratio |")
    print("|---|---|---|---|")
    for place, name in enumerate(("HIT claimed", "HIT submitted")):
        without, with_repeats = (statistics.median(each[place] for each in kept) for kept in times)
        print(f"| {name} | {1000 * without:.1f} | {1000 * with_repeats:.1f} | {with_repeats / without:.2f} |")


def one_hit(annotator: Participation) -> tuple[float, float]:
    """Return the seconds of the claim and of the submission of one HIT."""
    from annotate.core.services.claim import claim
    from annotate.core.services.submit import submit
    from tests.factories import answers_to

    start = time.perf_counter()
    assignment = claim(annotator.pk).assignment
    claimed = time.perf_counter() - start
    if assignment is None:
        raise RuntimeError("The study has too few HITs for this benchmark.")
    answers = answers_to(assignment)
    start = time.perf_counter()
    submit(annotator.pk, assignment.public_id, answers)
    return claimed, time.perf_counter() - start


if __name__ == "__main__":
    main()
