"""The JSON lines of questions and answers."""

import json

import pytest

from accord_core.exchange.faults import TableError
from annotate.programs.lines import AnswerError, ProgramAnswer, Question, read_answer, read_questions

QUESTION = Question("h1/2", "bws", "de", {"items": [{"sentences": ["Tschüß", "Hallo"]}]})


def test_a_question_line_is_read_unchanged() -> None:
    assert "\n" not in QUESTION.line()
    assert "Tschüß" in QUESTION.line()
    data = f"\ufeff{QUESTION.line()}\r\n\n{QUESTION.line()}".encode()
    assert read_questions(data, name="q.jsonl") == [QUESTION, QUESTION]


def test_faulty_question_lines_are_listed_with_their_numbers() -> None:
    lines = [
        QUESTION.line(),
        "{",
        '["ref"]',
        '{"ref": 1, "task_type": "bws", "question": {}}',
        '{"ref": "a", "question": {}}',
        "[" * 100_000,
        '{"ref": "\\ud800", "task_type": "bws", "question": {}}',
    ]
    with pytest.raises(TableError) as caught:
        read_questions("\n".join(lines).encode(), name="q.jsonl")
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4, 5, 6, 7]
    assert "q.jsonl, line 2: " in str(caught.value)


def test_an_answer_is_an_object_or_a_reason_for_skipping() -> None:
    assert read_answer('{"best": 1, "worst": 4}\r').value == {"best": 1, "worst": 4}
    assert read_answer('{"skip": "unclear"}').skipped == "unclear"
    assert read_answer('{"skip": 1, "best": 1}').value == {"skip": 1, "best": 1}  # a field of the answer
    assert json.loads(ProgramAnswer(value={"best": 1}).output_line("a/1")) == {"ref": "a/1", "answer": {"best": 1}}
    assert json.loads(ProgramAnswer(skipped="no").output_line("a/1")) == {"ref": "a/1", "skip": "no"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not valid JSON"),
        ("ready", "not valid JSON (Expecting value at character 1): ready"),
        ('{"best": NaN}', "NaN is not a JSON value"),
        ("[" * 100_000, "not valid JSON"),
        ("[1, 4]", "must be a JSON object: [1, 4]"),
        ('{"skip": " "}', "must be a text"),
        ('{"skip": true}', "must be a text"),
        ('{"skip": "a\\u0000"}', "without null characters"),
        ('{"skip": "\\ud800"}', "half of a surrogate pair"),
        ('{"best": {"\\udc00": 1}}', "half of a surrogate pair"),
        ('{"score": -1e999}', "not valid JSON (-1e999 is too large)"),
        ("x" * 1000, "x" * 200 + "…"),
    ],
)
def test_other_lines_are_errors(line: str, message: str) -> None:
    with pytest.raises(AnswerError) as caught:
        read_answer(line)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400
