"""Claims in a study with quotas of three groups, from several processes at once on PostgreSQL.

    script/bench quota_claims
    script/bench quota_claims --claims 20000 --processes 4

Annotators are drawn at random for each claim, so that several processes also claim for the same annotator. They submit,
return or abandon their HIT, and some are stopped. The last line contains the number of cells, which are questions in a
group, with more judgements than the quota. The benchmark fails if there are any.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Any

from tests import servers

QUOTAS = {"A": 3, "B": 2, "C": 2}
CLAIMS_PER_ITEM, PEOPLE = 10, 240  # 14 slots for each item
RETURNED, ABANDONED, STOPPED = 0.06, 0.04, 0.0005  # shares of claims
CHUNK = 500  # claims of a process between two progress reports


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--fast", action="store_const", dest="claims", const=4_000, help="4,000 claims")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        os.environ["DATABASE_URL"] = stack.enter_context(servers.postgres())
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        _set_up()
        study = _study(max(40, arguments.claims // CLAIMS_PER_ITEM))
        total: Counter[str] = Counter()
        start = time.monotonic()
        with ProcessPoolExecutor(arguments.processes, get_context("spawn"), initializer=_set_up) as pool:
            for counts in pool.map(_claims, range(-(-arguments.claims // CHUNK))):
                total += counts
                if total["claims"] % 10_000 == 0:
                    print(f"{total['claims']:,} claims in {time.monotonic() - start:,.0f} s", flush=True)
        print(", ".join(f"{number:,} {name}" for name, number in sorted(total.items())))
        wrong = _wrong_cells(study)
        print(f"{total['claims']:,} claims, {wrong} of {_cells(study):,} cells wrong")
    if wrong:
        sys.exit("A question has more judgements of a group than its quota.")


def _set_up() -> None:
    import django

    django.setup()


def _study(items: int) -> int:
    """Return the primary key of an open study with one question in each HIT."""
    from django.core.management import call_command

    from annotate.core.permissions import SYSTEM
    from annotate.data.services.design import build_design
    from annotate.recruiting.services.groups import add_group
    from annotate.studies.services.study import open_study
    from tests.factories import make_annotator, make_study

    call_command("migrate", verbosity=0)
    study = make_study(items=items, questions_per_hit=1, privacy_notice="None.", state="draft", design=False)
    groups = [add_group(study.pk, name, judgements=number, user=SYSTEM) for name, number in QUOTAS.items()]
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    for number in range(PEOPLE):
        make_annotator(study, group=groups[number % len(groups)])
    return study.pk


def _claims(seed: int) -> Counter[str]:
    """Let random annotators claim HITs, and count what they do."""
    from annotate.core.permissions import SYSTEM
    from annotate.core.services.claim import claim
    from annotate.core.services.returns import return_hit
    from annotate.core.services.standing import restore, stop
    from annotate.core.services.submit import submit
    from annotate.models import Participation
    from annotate.server.refusals import Refused
    from tests.factories import answers_to

    dice = random.Random(seed)
    people = list(Participation.objects.order_by("pk").values_list("pk", flat=True))
    counts: Counter[str] = Counter()
    while counts["claims"] < CHUNK:
        person, fate = dice.choice(people), dice.random()
        assignment: Any = claim(person).assignment
        counts["claims"] += 1
        try:
            if assignment is None:
                counts["nothing"] += 1
            elif fate < STOPPED:
                stop(person, reason="bench", user=SYSTEM)
                restore(person, reason="bench", user=SYSTEM)
                counts["stopped"] += 1
            elif fate < STOPPED + RETURNED:
                return_hit(person, assignment.public_id, put_aside=False)
                counts["returned"] += 1
            elif fate > 1 - ABANDONED:
                counts["abandoned"] += 1
            else:
                submit(person, assignment.public_id, answers_to(assignment))
                counts["submitted"] += 1
        except Refused as refused:  # another process was faster with the same HIT
            counts[f"refused: {refused.code}"] += 1
    return counts


def _cells(study: int) -> int:
    from annotate.models import Question

    return Question.objects.filter(study=study, kind=Question.Kind.REGULAR).count() * len(QUOTAS)


def _wrong_cells(study: int) -> int:
    """Return the number of questions and groups with more judgements or holders of slots than the quota."""
    from django.db.models import Count

    from annotate.models import Answer, Assignment

    held = [Assignment.State.LEASED, Assignment.State.DONE]
    answers = Answer.objects.filter(assignment__study=study, assignment__state__in=held, question__kind="regular")
    by_group = answers.values_list("question", "participation__group__name").annotate(Count("pk"))
    return sum(number > QUOTAS.get(name, 0) for _question, name, number in by_group)


if __name__ == "__main__":
    main()
