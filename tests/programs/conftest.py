"""The command `accord annotate` in tests, and programs that it runs."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from annotate.commands.main import main
from tests.api.conftest import _forget_rates, member, owner, script, user

__all__ = ["ANSWER", "BEGINNING", "_forget_rates", "accord", "member", "owner", "program", "script", "user"]

# The first lines of a program that answers best–worst questions.
BEGINNING = "import json, os, sys, time\nfor number, line in enumerate(sys.stdin, start=1):\n"
ANSWER = "    print(json.dumps({'best': 1, 'worst': 4}), flush=True)\n"


def accord(*arguments: object) -> Result:
    """Run a command of `accord`, which must not fail with a traceback."""
    outcome = CliRunner().invoke(main, [str(each) for each in arguments])
    assert "Traceback (most recent call last)" not in outcome.output or "expected" in outcome.output
    return outcome


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Return the command of a program that runs these lines for each question before it answers."""

    def command(lines: str = "", *, answer: str = ANSWER) -> str:
        file = tmp_path / "program.py"
        file.write_text(BEGINNING + "".join(f"    {line}\n" for line in lines.splitlines()) + answer)
        return f"{sys.executable} -I -S {file}"

    return command
