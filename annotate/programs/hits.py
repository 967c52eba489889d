"""The interface to a program's HITs in a study. `remote` implements it for a server, and `local` for this
installation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .lines import ProgramAnswer, Question

_ANSWER_PATH = re.compile(r"^answers\.\d+\.?")


class HitError(Exception):
    """Error raised if the study rejects an answer or a HIT, or cannot be reached."""


@dataclass(frozen=True)
class Hit:
    """A HIT in the format of the API. If the study has no HIT for the program, `id` is empty, and `why` is the
    reason.
    """

    id: str
    study: Mapping[str, Any]
    questions: tuple[Mapping[str, Any], ...]
    why: str = ""

    @classmethod
    def of(cls, claimed: Mapping[str, Any]) -> Hit:
        """Return the HIT in the response to a claim."""
        shown = claimed["assignment"]
        if shown is None:
            return cls("", {}, (), claimed["why"])
        return cls(shown["id"], shown["study"], tuple(shown["questions"]))

    def unanswered(self) -> Iterator[tuple[int, Question]]:
        """Yield the position and the question of each question without an answer."""
        for shown in self.questions:
            if shown["value"] is None and not shown["skipped"]:
                ref = f"{self.id}/{shown['position']}"
                yield (
                    shown["position"],
                    Question(ref, self.study["task_type"], self.study["language"], shown["content"]),
                )


class Hits(Protocol):
    """The HITs that one program answers. All methods can be repeated, and raise `HitError`."""

    def claim(self) -> Hit:
        """Return the HIT in progress or the next HIT."""

    def answer(self, hit: Hit, position: int, answer: ProgramAnswer, seconds: float) -> None:
        """Store an answer, and the time that the program needed for it."""

    def submit(self, hit: Hit) -> Hit:
        """Submit a HIT whose questions all have answers, and return the next HIT."""


def with_places(message: str, fields: Iterable[str]) -> str:
    """Return an error message with the parts of the answer that it concerns, such as `links.2.score`."""
    parts = [_ANSWER_PATH.sub("", name) for name in fields]
    places = [part for part in parts if part and part not in message]
    return f"{message} (Part of the answer: {', '.join(places)}.)" if places else message
