"""Real programs that answer lines, or fail to."""

import os
import sys
import time
from pathlib import Path

import pytest

from annotate.programs import process
from annotate.programs.process import Program, ProgramError
from tests.conftest import wait_until

ECHO = "import sys\nfor line in sys.stdin: print(line.upper(), end='', flush=True)"


def python(script: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", script]


def failure(script: str, *, seconds: float = 10, line: str = "question") -> ProgramError:
    with Program(python(script), seconds) as program, pytest.raises(ProgramError) as caught:
        program.ask(line)
    return caught.value


def test_a_program_answers_every_line_and_ends() -> None:
    with Program(python(ECHO), 10) as program:
        assert [program.ask(line) for line in ("é", "b", "c" * 500_000)] == ["É", "B", "C" * 500_000]
        assert program.close() == 0


def test_a_program_that_ends_is_reported_with_its_last_error_lines() -> None:
    script = "import sys\nfor n in range(30): print('line', n, file=sys.stderr)\nsys.exit(3)"
    error = failure(script)
    assert str(error) == "The program ended with exit status 3 before it answered."
    assert error.stderr == [f"line {n}" for n in range(20, 30)]
    traceback = failure("1 / 0").stderr
    assert traceback[0].startswith("Traceback")
    assert traceback[-1] == "ZeroDivisionError: division by zero"


def test_a_program_that_a_signal_ends_is_reported_with_the_signal() -> None:
    error = failure("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert str(error) == "The program was ended by signal 9 (Killed)."


def test_a_program_that_closes_its_output_or_its_input_is_reported() -> None:
    closed = failure("import os, sys, time; os.close(1); time.sleep(60)")
    assert str(closed) == "The program closed its standard output."
    ended = failure("import os, sys; os.close(0); sys.stderr.write('no input'); sys.exit(4)", line="x" * 500_000)
    assert (str(ended), ended.stderr) == ("The program ended with exit status 4 before it answered.", ["no input"])


def late(script: str, line: str = "question") -> ProgramError:
    """Return the error of a program that answers one question and then has 0.3 s for the next. The time limit does not
    include the start of Python, which takes longer on a busy machine.
    """
    with Program(python(script), 10) as program:
        program.ask("first")
        program.seconds = 0.3
        with pytest.raises(ProgramError) as caught:
            program.ask(line)
    assert str(caught.value).startswith("The program did not answer within 0.3 seconds. Check that the program flushes")
    return caught.value


@pytest.mark.parametrize("line", ["short", "x" * 500_000])  # a long line does not fit into the pipe
def test_a_program_that_does_not_answer_is_stopped_in_time(line: str) -> None:
    started = time.monotonic()
    loading = "import sys, time; print('loading', end='', file=sys.stderr, flush=True)"
    error = late(f"{loading}; print(input(), flush=True); time.sleep(60)", line)
    assert error.stderr == ["loading"]
    assert time.monotonic() - started < 30


def test_the_processes_that_a_program_started_are_stopped_too(tmp_path: Path) -> None:
    ids = tmp_path / "ids"
    with Program(["sh", "-c", f"read line; sleep 60 & echo $$ $! > {ids}; echo ready; wait"], 10) as program:
        assert program.ask("question") == "ready"
    for number in ids.read_text().split():
        wait_until(lambda number=number: not is_running(int(number)))


def is_running(number: int) -> bool:
    """Return whether a process runs. A process that has ended can remain as a zombie."""
    try:
        return " Z " not in Path(f"/proc/{number}/stat").read_text()
    except FileNotFoundError:
        return False


def test_a_program_that_ignores_the_end_of_its_input_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CLOSING_SECONDS", 0.1)
    with Program(["sh", "-c", "trap '' TERM; read line; echo answer; while true; do sleep 0.1; done"], 10) as program:
        assert program.ask("question") == "answer"
        assert program.close() is None


def test_a_program_can_write_more_than_a_pipe_holds_before_it_ends() -> None:
    script = f"{ECHO}\nsys.stdout.write('x' * 500_000)\nsys.stderr.write('x' * 500_000)"
    with Program(python(script), 10) as program:
        assert program.ask("question") == "QUESTION"
        assert program.close() == 0


def test_a_program_does_not_get_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_TOKEN", "secret")
    monkeypatch.setenv("MODEL", "m")
    script = "import os\nfor _ in open(0): print(os.environ.get('ACCORD_TOKEN'), os.environ['MODEL'], flush=True)"
    with Program(python(script), 10, secrets=["ACCORD_TOKEN"]) as program:
        assert program.ask("question") == "None m"


def test_a_program_must_write_one_line_after_each_question() -> None:
    with Program(python("input(); print('one\\ntwo', flush=True); input()"), 10) as program:
        assert program.ask("first") == "one"
        with pytest.raises(ProgramError, match=r"wrote a line before it received this question: two\."):
            program.ask("second")


def test_an_answer_has_a_largest_length_and_must_be_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LONGEST_LINE", 1000)
    assert str(failure("input(); print('x' * 1_000_000)")) == "The answer is longer than 1,000 bytes."
    message = "Byte 3 of the answer is not valid UTF-8."
    assert str(failure("import os; os.write(1, b'ab\\xff\\n'); input(); input()")) == message


def test_error_messages_without_end_do_not_prevent_the_report() -> None:
    error = late("import sys\nprint(input(), flush=True)\nwhile True: print('again', file=sys.stderr)")
    assert error.stderr[-2] == "again"


def test_a_program_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    with pytest.raises(
        ProgramError, match=r"The program no-such-program cannot be started: no such file or directory\."
    ):
        Program(["no-such-program"], 1)
    (tmp_path / "answer.py").write_text("print()")
    with pytest.raises(ProgramError, match="permission denied"):
        Program([os.fspath(tmp_path / "answer.py")], 1)
