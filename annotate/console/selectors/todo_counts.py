"""Lengths of to-do lists in the cache. Pages count again when they are opened, and opening a page does not write to the
database."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache

from annotate.models import Study

KEPT = 86_400  # seconds for which a count is stored


class Counted(NamedTuple):
    """The length of a to-do list, the time of the count (if known), and the study's latest event at that time."""

    entries: int
    at: datetime | None
    latest_event: datetime | None


def store_count(study: Study, counted: Counted) -> None:
    cache.set(_key(study.pk), counted, KEPT)


def stored_counts(studies: Iterable[Study]) -> dict[int, Counted]:
    """Return the stored counts by study. Studies without a stored count are omitted."""
    by_key = {_key(study.pk): study.pk for study in studies}
    return {by_key[key]: counted for key, counted in cache.get_many(by_key).items()}


def _key(study_id: int) -> str:
    return f"todo-count:{study_id}"
