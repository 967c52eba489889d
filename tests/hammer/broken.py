"""Settings of servers with a deliberate fault, for tests that `script/hammer` reports the fault.

`DJANGO_SETTINGS_MODULE` names this module, and `HAMMER_FAULT` the fault. Only the processes of the tested installation
use these settings; the product itself contains no switch.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.apps import AppConfig

from annotate import settings
from annotate.settings import *  # noqa: F403

INSTALLED_APPS = [*settings.INSTALLED_APPS, "tests.hammer.broken.Broken"]
EVERY = 1_000  # answers


class Broken(AppConfig):
    name = "tests.hammer"
    label = "broken"

    def ready(self) -> None:
        FAULTS[os.environ["HAMMER_FAULT"]]()


def lose_answers() -> None:
    """Acknowledge one in a thousand answers without storing it."""
    from django.db import transaction

    from annotate.core.services import answer
    from annotate.core.services.writing import write

    give_answer = answer.give_answer

    def lose(*arguments: Any, **options: Any) -> Any:
        with write():
            outcome = give_answer(*arguments, **options)
            if _next_number() % EVERY == EVERY // 2:
                transaction.set_rollback(True)
        return outcome

    answer.give_answer = lose


def give_slots_twice() -> None:
    """Claim slots without a lock and without the unique index, so that two claims can take the same slot."""
    from django.db import connection
    from django.db.models.signals import post_migrate

    from annotate.core.services import queue

    def drop_index(**_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DROP INDEX IF EXISTS assignment_slot_held_once")

    queue._skip_locked = lambda: ""
    post_migrate.connect(drop_index, weak=False)


def lose_credits() -> None:
    """Remove the credit of the latest submitted HIT from each annotator who is stopped."""
    from annotate.core.services import standing
    from annotate.models import Assignment

    stop = standing._stop

    def lose(participation: Any, *arguments: Any, **options: Any) -> None:
        stop(participation, *arguments, **options)
        latest = participation.assignments.filter(credited=True, submitted_at__isnull=False).order_by("-pk").first()
        if latest is not None:
            Assignment.objects.filter(pk=latest.pk).update(credited=False)

    standing._stop = lose


FAULTS = {"answer": lose_answers, "slot": give_slots_twice, "credit": lose_credits}


def _next_number() -> int:
    """Return the number of answers so far in all processes of the installation."""
    with (Path(os.environ["ACCORD_DATA"]) / "answers").open("ab") as file:
        file.write(b".")
        file.flush()
        return file.tell()
