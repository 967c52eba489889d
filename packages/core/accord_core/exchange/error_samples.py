"""Samples of a system's errors for human judgement: a file of questions, and an answer key from the gold standard.

The file of questions contains neither the systems nor the gold standard, so that the judgements are blind. The key is a
separate JSON file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import TableError
from accord_core.exchange.json_numbers import finite_number, refuse_constant
from accord_core.numerics.draws import sample

FORMAT = "accord-error-sample"
VERSION = 1
COLUMNS = ("id", "source", "target", "source_phrase", "target_phrase")


class Positive(NamedTuple):
    """A system's positive: two phrases in a sentence pair, as sets of zero-based token numbers."""

    pair: int
    source: tuple[int, ...]
    target: tuple[int, ...]


@dataclass(frozen=True)
class ErrorSample:
    """The questions in judging order, and the checked positives of each system.

    `counts` contains the true positives and all positives of each sentence pair, by system. `checked` contains the
    number of the question and whether the gold standard contains the positive, by system.
    """

    questions: list[Positive]
    counts: dict[str, list[tuple[int, int]]]
    checked: dict[str, list[tuple[int, bool]]]


def sample_errors(
    systems: Mapping[str, Sequence[Mapping[Positive, bool]]], *, errors: int, controls: int, seed: int
) -> ErrorSample:
    """Draw false positives from each system, and true positives as controls.

    `systems` contains the positives of each sentence pair, and whether the gold standard contains them. For each
    system, `errors` false positives and `controls` true positives are drawn without replacement, or all of them if
    there are fewer. A positive that is drawn for several systems is one question. The questions are in random order.
    """
    drawn: dict[str, list[tuple[Positive, bool]]] = {}
    for name, pairs in systems.items():
        drawn[name] = []
        for correct, count in ((False, errors), (True, controls)):
            pool = sorted(positive for pair in pairs for positive, right in pair.items() if right == correct)
            chosen = sample(len(pool), min(count, len(pool)), seed, "errors", name, str(correct))
            drawn[name] += [(pool[number], correct) for number in chosen]
    different = sorted({positive for positives in drawn.values() for positive, _ in positives})
    questions = [different[number] for number in sample(len(different), len(different), seed, "order of questions")]
    number_of = {positive: number for number, positive in enumerate(questions)}
    return ErrorSample(
        questions,
        {name: [(sum(pair.values()), len(pair)) for pair in pairs] for name, pairs in systems.items()},
        {
            name: sorted((number_of[positive], correct) for positive, correct in positives)
            for name, positives in drawn.items()
        },
    )


def write_questions(
    questions: Sequence[Positive], sentences: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> Iterator[str]:
    """Yield a CSV file with one question per row. Square brackets mark the phrases in their sentences."""
    rows = []
    for number, question in enumerate(questions):
        source, target = sentences[question.pair]
        rows.append(
            (
                question_id(number, len(questions)),
                _marked(source, question.source),
                _marked(target, question.target),
                " ".join(source[token] for token in question.source),
                " ".join(target[token] for token in question.target),
            )
        )
    yield from write_csv(rows, COLUMNS)


def write_key(drawn: ErrorSample, ids: Sequence[str]) -> Iterator[str]:
    """Yield the answer key as JSON. `ids` contains the IDs of the sentence pairs."""
    count = len(drawn.questions)
    yield json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "questions": [
                {
                    "id": question_id(number, count),
                    "pair": ids[question.pair],
                    "source": question.source,
                    "target": question.target,
                }
                for number, question in enumerate(drawn.questions)
            ],
            "systems": {
                name: {
                    "counts": drawn.counts[name],
                    "checked": [
                        {"id": question_id(number, count), "correct": correct}
                        for number, correct in drawn.checked[name]
                    ],
                }
                for name in drawn.counts
            },
        },
        indent=1,
        ensure_ascii=False,
    )
    yield "\n"


@dataclass(frozen=True)
class SystemKey:
    """A system's counts (true positives and all positives in each sentence pair), and the gold standard's answer to
    each of its questions.
    """

    counts: list[tuple[int, int]]
    correct: dict[str, bool]


def read_key(data: bytes, *, name: str) -> dict[str, SystemKey]:
    """Return the answer key for each system. Raises TableError if the file is not an answer key, or if another version
    of Accord wrote it.
    """
    try:
        text = open_text(data, name=name).read()
        content: Any = json.loads(text, parse_constant=refuse_constant, parse_float=finite_number)
        if content["format"] != FORMAT:
            raise KeyError(FORMAT)
        if content["version"] != VERSION:
            raise TableError.of_file(
                name, f"this version of Accord reads keys of version {VERSION}, not of version {content['version']}"
            )
        return {
            str(system): SystemKey(
                [(int(true), int(positives)) for true, positives in each["counts"]],
                {str(question["id"]): bool(question["correct"]) for question in each["checked"]},
            )
            for system, each in content["systems"].items()
        }
    except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError.of_file(
            name, "the file must be the key that sample-errors wrote together with the questions"
        ) from error


def question_id(number: int, count: int) -> str:
    """Return a question's ID, such as q-007. All IDs in a file have the same length."""
    return f"q-{number + 1:0{max(3, len(str(count)))}}"


def _marked(words: Sequence[str], phrase: Sequence[int]) -> str:
    """Return the sentence with square brackets around each run of the phrase's tokens."""
    chosen = set(phrase)
    pieces = []
    for number, word in enumerate(words):
        before = "[" if number in chosen and number - 1 not in chosen else ""
        after = "]" if number in chosen and number + 1 not in chosen else ""
        pieces.append(before + word + after)
    return " ".join(pieces)
