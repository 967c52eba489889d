"""The order of the slots of a draft, which follows the study's order of assignments and its pilot."""

from __future__ import annotations

from django.db import connection

from annotate.models import Study

# The slots of a HIT keep their order, which is the round of each slot.
_REORDER = """
UPDATE annotate_slot SET place = ordered.place FROM (
    SELECT id, ROW_NUMBER() OVER (ORDER BY later, {by}) AS place FROM (
        SELECT slot.id AS id, hit.number AS number,
               CASE WHEN hit.number > %s THEN 1 ELSE 0 END AS later,
               ROW_NUMBER() OVER (PARTITION BY slot.hit_id ORDER BY slot.place) AS round
        FROM annotate_slot slot JOIN annotate_hit hit ON hit.id = slot.hit_id WHERE slot.study_id = %s
    ) AS numbered
) AS ordered WHERE annotate_slot.id = ordered.id
"""


def reorder_slots(study: Study) -> None:
    """Give the slots of a draft the places that `places` in design.py gives to a new design."""
    by = "round, number" if study.order == Study.Order.ROUNDS else "number, round"
    with connection.cursor() as cursor:
        cursor.execute(_REORDER.format(by=by), [study.pilot_hits, study.pk])
