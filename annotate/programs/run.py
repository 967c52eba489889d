"""Let a program or a baseline answer the HITs of a study, one question at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .hits import HitError, Hits
from .lines import AnswerError, ProgramAnswer, Question, shown
from .process import ProgramError

Answerer = Callable[[Question], ProgramAnswer]

FINISHED = ("nothing", "finished")
INTERRUPTIONS = {
    "paused": "The study is paused.",
    "closed": "The study is closed.",
    "over": "The deadline of the study has passed.",
    "withdrawn": "The program was withdrawn from the study.",
    "excluded": "The program was excluded from the study.",
}


class QuestionError(Exception):
    """Error raised if a question gets no valid answer. `stderr` contains the program's last lines of standard error."""

    def __init__(self, question: Question, message: str, stderr: Sequence[str] = ()) -> None:
        super().__init__(f"Question {question.ref}: {message}")
        self.stderr = list(stderr)


@dataclass
class Run:
    """The progress of a run: numbers of answered and skipped questions, and of submitted HITs."""

    answered: int = 0
    skipped: int = 0
    hits: int = 0

    @property
    def questions(self) -> int:
        return self.answered + self.skipped


def answer_hits(
    hits: Hits, answer: Answerer, run: Run, *, limit: int | None = None, progress: Callable[[Run], None]
) -> None:
    """Answer and submit HITs until the study has no more HITs, or until `limit` questions have an answer.

    Every answer is stored immediately, and `run` is updated after every answer, so that it is correct after an error.
    Raises `QuestionError` or `HitError`.
    """
    hit = hits.claim()
    while hit.id:
        for position, question in hit.unanswered():
            if run.questions == limit:
                return
            started = time.monotonic()
            given = ask(answer, question)
            try:
                hits.answer(hit, position, given, time.monotonic() - started)
            except HitError as error:
                raise QuestionError(question, f"{error} The answer was: {shown(given.line)}") from error
            run.answered += not given.skipped
            run.skipped += bool(given.skipped)
            progress(run)
        hit = hits.submit(hit)
        run.hits += 1
        progress(run)
    if hit.why not in FINISHED:
        raise HitError(INTERRUPTIONS.get(hit.why, f"The study has no HIT for the program ({hit.why})."))


def answer_lines(questions: Iterable[Question], answer: Answerer, *, limit: int | None = None) -> Iterator[str]:
    """Yield one line of JSON with the answer to each question, without a study. Raises `QuestionError`."""
    for number, question in enumerate(questions):
        if number == limit:
            return
        yield f"{ask(answer, question).output_line(question.ref)}\n"


def ask(answer: Answerer, question: Question) -> ProgramAnswer:
    """Return the answer to a question. Raises `QuestionError`."""
    try:
        return answer(question)
    except ProgramError as error:
        raise QuestionError(question, str(error), error.stderr) from error
    except AnswerError as error:
        raise QuestionError(question, str(error)) from error
