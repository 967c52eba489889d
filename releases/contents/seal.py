"""The seal of a release: everything that reveals gold questions or expected answers is encrypted in one file.

The readable files are calculated from rows without gold and practice questions, so that anyone can verify them without
the key. The release does not contain the key.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken

from annotate.tasktypes import AnswerRow, StudyData, TaskType
from releases.contents.archive import UnreadableRelease, read_zip
from releases.contents.recipe import Recipe, item_rows
from reporting.gold import SEALED as SEALED_FACTS
from reporting.gold import gold_figures

SEAL = "sealed.bin"
NOTE = "gold and practice questions with expected answers, encrypted with the key of the release’s authors"
OPEN, SEALED = "open", "sealed"
BLOCK = 16 * 1024  # bytes; the padding hides how long the gold questions are
DATE = (1980, 1, 1, 0, 0, 0)  # zip files cannot store earlier dates
REGULAR = "regular"


class WrongKey(UnreadableRelease):
    """Error raised if a key does not open the seal."""


def new_key() -> str:
    """Return a new key of 44 characters."""
    return Fernet.generate_key().decode()


def is_key(key: str) -> bool:
    """Return whether the text has the form of a key."""
    try:
        Fernet(key.encode())
    except ValueError:
        return False
    return True


def has_secrets(data: StudyData, recipe: Recipe) -> bool:
    """Return whether the study has gold or practice questions, or answers to questions that are no longer gold."""
    return bool(recipe["gold"] or recipe["practice"]) or any(row.kind != REGULAR for row in data.answers)


def without_gold(task: TaskType, data: StudyData, recipe: Recipe) -> tuple[StudyData, Recipe]:
    """Return the rows and the recipe without anything that depends on gold or practice questions, except for the
    aggregate figures among the facts.

    Items that occur in no other question are left out, because they would be items of gold questions. Positions count
    only the remaining questions, and all answers in a HIT have the time of its first one, so that no gap shows where
    a gold question was.
    """
    payloads = [question.payload for question in data.questions]
    payloads += [question["payload"] for question in recipe["program_questions"]]
    asked = {key for payload in payloads for key in task.item_keys(payload)}
    refs = {question.ref for question in data.questions}
    items = [item for item in data.items if item.key in asked]
    open_data = replace(
        data,
        facts={**data.facts, SEALED_FACTS: gold_figures(data)._asdict()},
        items=[replace(item, held_out=False) for item in items],
        gold=[],
        answers=without_gaps(row for row in data.answers if row.kind == REGULAR),
        decisions={ref: value for ref, value in data.decisions.items() if ref in refs},
        keep_both=frozenset(ref for ref in data.keep_both if ref in refs),
        skipped=[],
        messages=[],
        candidates=[],
        published_hits=[],
    )
    open_recipe = {
        **recipe,
        "sealed": True,
        "items": item_rows(open_data.items),
        "gold": [],
        "practice": [],
        "gold_sets": [],
        "hits": [{**hit, "gold_set": None} for hit in recipe["hits"]],
    }
    return open_data, open_recipe


def without_gaps(rows: Iterable[AnswerRow]) -> list[AnswerRow]:
    """Return the answers with consecutive positions and one time in each HIT, in the same order."""
    answers = list(rows)
    of_hits: dict[tuple[str, int | None], list[int]] = {}
    for place, row in enumerate(answers):
        of_hits.setdefault((row.pseudonym, row.hit), []).append(place)
    for places in of_hits.values():
        first = min(answers[place].given_at for place in places)
        for position, place in enumerate(sorted(places, key=lambda place: answers[place].position), start=1):
            answers[place] = _plain(answers[place], position, first)
    return answers


def _plain(row: AnswerRow, position: int, at: datetime) -> AnswerRow:
    return replace(row, position=position, given_at=at, passed=None, tally=None)


def seal(files: Mapping[str, bytes], key: str) -> bytes:
    """Return the files encrypted with the key."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(f"sealed/{path}", DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    packed = buffer.getvalue()
    framed = len(packed).to_bytes(8) + packed
    return Fernet(key.encode()).encrypt(framed + bytes(-len(framed) % BLOCK))


def unseal(data: bytes, key: str, largest: int | None = None) -> dict[str, bytes]:
    """The inverse of `seal`. `largest` is the maximum number of unpacked bytes. Raises `WrongKey` or
    `UnreadableRelease`.
    """
    try:
        framed = Fernet(key.strip().encode()).decrypt(data)
    except (InvalidToken, ValueError) as error:
        raise WrongKey(f"The key does not open {SEAL}. Check the key, or ask the authors of the release.") from error
    return read_zip(io.BytesIO(framed[8 : 8 + int.from_bytes(framed[:8])]), SEAL, largest)
