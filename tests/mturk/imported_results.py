"""Results files of a host for tests, and everything that an import stores."""

from typing import Any

from django.db import connection

from accord_core.exchange.mturk_results import Result, write_results
from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Slot, Study
from annotate.models.count import GoldCount, HourCount
from annotate.models.count_triggers import count_anew
from annotate.mturk.models import ResultImport
from annotate.mturk.services.result_imports import receive_results
from tests.mturk.turk import altered, result, without_gold


def text_of(*results: Result) -> str:
    return "".join(write_results(results))


def uploaded(study: Study, *results: Result, batch: str = "") -> ResultImport:
    data = text_of(*results).encode()
    return receive_results(study, filename="Batch_1.csv", data=[data[:700], data[700:]], batch=batch, user=SYSTEM)


def mixed_results(study: Study) -> list[Result]:
    """Return results with a worker whom the quality rule stops, repeated and surplus HITs, and missing gold."""
    wrong = [result(study, hit, "W3", right=False, number=hit) for hit in (1, 2, 3)]
    return [
        result(study, 1, "W1", number=1),
        result(study, 2, "W1", number=2),
        result(study, 2, "W1", number=3),
        altered(result(study, 1, "W2", number=4), without_gold),
        *wrong,
        result(study, 1, "W4", number=5),
        result(study, 3, "W4", number=6, right=False),
        result(study, 4, "W5", number=7),
    ]


def contents(study: Study) -> dict[str, Any]:
    """Return everything that an import stores, without primary keys and random names."""
    workers = study.participations.filter(annotator__platform="mturk")
    answers = Answer.objects.filter(assignment__study=study).order_by("assignment__external_id", "position")
    fields = ("position", "question__ref", "shown", "value", "seconds", "repeat", "tally", "passed", "always_missed")
    return {
        "workers": sorted(
            workers.values_list("annotator__external_id", "standing", "standing_reason", "graded"), key=str
        ),
        "tallies": {person.annotator.external_id: person.tallies for person in workers.select_related("annotator")},
        "assignments": sorted(
            study.assignments.values_list("external_id", "state", "reason", "credited", "seconds", "submitted_at")
        ),
        "answers": list(answers.values_list("assignment__external_id", *fields)),
        "open": sorted(Slot.objects.filter(study=study, open=1).values_list("place", flat=True)),
        "counts": counts(study),
    }


def counts(study: Study) -> Any:
    figures = ("judgements", "hits", "submitted", "credit", "gold_given", "gold_right")
    hours: dict[Any, list[Any]] = {}
    rows = HourCount.objects.filter(study=study)
    for worker, *numbers in rows.values_list("participation__annotator__external_id", *figures):
        hours[worker] = [a + b for a, b in zip(hours.get(worker, [0] * 6), numbers, strict=True)]
    gold: dict[str, list[int]] = {}
    for ref, *numbers in GoldCount.objects.filter(question__study=study).values_list(
        "question__ref", "given", "missed", "disputed"
    ):
        gold[ref] = [a + b for a, b in zip(gold.get(ref, [0] * 3), numbers, strict=True)]
    return {who: own for who, own in hours.items() if any(own)}, {ref: own for ref, own in gold.items() if any(own)}


def assert_counts_are_true(study: Study) -> None:
    """Assert that the counts of the triggers and of the import are equal to a new count of all rows."""
    before = counts(study)
    count_anew(connection, study.pk)
    assert counts(study) == before
