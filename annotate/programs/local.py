"""The HITs of a program in a study of this installation, through the same services as the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.answer import give_answer
from annotate.core.services.claim import Claimed, claim
from annotate.core.services.submit import submit_and_claim
from annotate.models import Study
from annotate.programs.services.joining import add_program
from annotate.server.refusals import Refused

from .hits import Hit, HitError, with_places
from .lines import ProgramAnswer

Result = TypeVar("Result")


class LocalHits:
    """The HITs of the program with this name. Raises `HitError` if the program cannot join the study."""

    def __init__(self, study: Study, *, name: str) -> None:
        self._key = _accepted(lambda: add_program(study.pk, platform="system", name=name, user=SYSTEM)).public_id

    def claim(self) -> Hit:
        return _hit(_accepted(lambda: claim(self._key)))

    def answer(self, hit: Hit, position: int, answer: ProgramAnswer, seconds: float) -> None:
        _accepted(
            lambda: give_answer(self._key, hit.id, position, answer.value, seconds=seconds, skipped=answer.skipped)
        )

    def submit(self, hit: Hit) -> Hit:
        _receipt, claimed = _accepted(lambda: submit_and_claim(self._key, hit.id, []))
        return _hit(claimed) if claimed else self.claim()


def _hit(claimed: Claimed) -> Hit:
    shown = present(claimed.assignment, claimed.answers) if claimed.assignment else None
    return Hit.of({"assignment": shown, "why": claimed.why})


def _accepted(action: Callable[[], Result]) -> Result:
    try:
        return action()
    except Refused as refusal:
        raise HitError(with_places(refusal.message, refusal.fields)) from refusal
