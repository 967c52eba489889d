"""The programs in `examples/programs/` and the baseline, which answer the example studies of this installation."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accord_core.exchange.files import STANDARD
from annotate.models import Answer, Participation, Study
from tests.local_site import Handler, local_site
from tests.programs.conftest import accord

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "examples" / "programs"
KINDS = {"relatedness": "best_worst", "paraphrase": "paraphrase", "alignment": "words", "chunks": "chunks"}
QUESTIONS = 12

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def studies(share: Callable[[Callable[[], Any]], Any]) -> dict[str, str]:
    """Create the example studies without annotators, and return their IDs by folder."""
    return share(lambda: {name: example_study(ROOT / "examples" / name) for name in KINDS})


def example_study(folder: Path) -> str:
    items = next(folder.glob("items.*"))
    options = ["--settings", folder / "study.toml", "--owner", "ada@example.org", "--consent", folder / "consent.md"]
    for kind in ("gold", "practice"):
        options += [f"--{kind}", next(folder.glob(f"{kind}.*"))]
    created = accord("study", "create", items, *options)
    assert created.exit_code == 0, created.output
    public_id = created.stdout.split()[-1]
    opened = accord("study", "open", public_id)
    assert opened.exit_code == 0, opened.output
    return public_id


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Serve a language model that always chooses the first two candidates, and yield the requests."""
    requests: list[dict[str, Any]] = []

    class Model(Handler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            reply = json.dumps({"choices": [{"message": {"content": "[1, 2]"}}]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(reply)

    with local_site(Model) as address:
        monkeypatch.setenv("MODEL_URL", f"{address}/v1/chat/completions")
        monkeypatch.setenv("MODEL", "stub")
        yield requests


@pytest.mark.nightly
@pytest.mark.parametrize("name", KINDS)
def test_an_example_program_answers_the_example_study(name: str, studies: Any, model: list[Any]) -> None:
    command = f"{sys.executable} {PROGRAMS / KINDS[name]}.py"
    outcome = accord("annotate", studies[name], "--command", command, "--name", "example", "--limit", QUESTIONS)
    assert outcome.output.startswith(f"The program “example” answered {QUESTIONS} questions and submitted "), (
        outcome.output
    )
    values = values_of("example")
    assert len(values) == QUESTIONS
    assert len({json.dumps(value) for value in values}) > 1 or name == "paraphrase"
    if name == "paraphrase":
        assert len(model) == QUESTIONS
        assert all("[" in request["messages"][0]["content"] for request in model)
        assert all(sum(value["votes"]) == 2 for value in values)


@pytest.mark.nightly
@pytest.mark.parametrize("name", KINDS)
def test_the_baseline_answers_the_example_study(name: str, studies: Any) -> None:
    first = accord("annotate", studies[name], "--baseline", "overlap", "--limit", QUESTIONS)
    assert first.output.startswith(f"The program “word overlap” answered {QUESTIONS} questions and "), first.output
    study = Study.objects.get(public_id=studies[name])
    rest = accord("annotate", studies[name][:8], "--baseline", "overlap", "--limit", QUESTIONS)
    assert rest.exit_code == 0, rest.output
    values = values_of("word overlap")
    assert len(values) == 2 * QUESTIONS
    assert study.participations.get().annotator.platform == "system"
    if name != "paraphrase":  # few paraphrases share a word with the phrase
        assert len({json.dumps(value) for value in values}) > 5


def test_the_questions_of_a_dry_run_can_be_answered_without_a_study(studies: Any, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    printed = accord("annotate", studies["alignment"], "--name", "test", "--dry-run", "-o", file)
    assert (printed.exit_code, printed.output) == (0, "")
    assert not values_of("test")
    command = f"{sys.executable} {PROGRAMS / 'words.py'}"
    answered = accord("annotate", "--questions", file, "--command", command, "-o", STANDARD)
    assert answered.exit_code == 0, (answered.output, answered.exception)
    lines = [json.loads(line) for line in answered.stdout.splitlines()]
    questions = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["ref"] for line in lines] == [question["ref"] for question in questions]
    assert len(lines) == Participation.objects.get().assignments.get().answers.count()
    assert all(line["answer"].keys() >= {"sure", "possible"} for line in lines)
    limited = accord("annotate", "--questions", file, "--baseline", "overlap", "--limit", 1)
    assert len(limited.stdout.splitlines()) == 1
    assert accord("annotate", studies["alignment"], "--name", "test", "--dry-run").stdout == file.read_text("utf-8")


def test_local_errors_name_the_question(studies: Any, program: Callable[..., str]) -> None:
    run = ("annotate", studies["chunks"], "--name", "example", "--command")
    outcome = accord(*run, program(answer="    print(json.dumps({'chunks': 1}), flush=True)\n"))
    assert outcome.exit_code == 1
    assignment = Participation.objects.get().assignments.get()
    assert outcome.output.splitlines()[-1] == (
        f"accord: Question {assignment.public_id}/1: `chunks` must be an object with `source` and `target`. "
        'The answer was: {"chunks": 1}'
    )
    Study.objects.update(state="paused")
    assert "not possible while the study is paused" in accord(*run, program()).output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x"], "Specify either --command or --baseline (see accord"),
        (["x", "--baseline", "overlap", "--command", "cat"], "Specify either --command or --baseline (see accord"),
        (["--baseline", "overlap"], "Specify either a study or --questions (see accord"),
        (["x", "--questions", "f", "--baseline", "overlap"], "Specify either a study or --questions (see accord"),
        (["x", "--command", "cat"], "Give the program a name of at most 200 characters with --name"),
        (
            ["x", "--command", "cat", "--name", "a" * 201],
            "Give the program a name of at most 200 characters with --name",
        ),
        (["x", "--command", "cat", "--name", "a", "-o", "f"], "--output needs --questions or --dry-run"),
        (["--questions", "f", "--command", "cat", "--server", "http://x"], "cannot be used with --questions"),
        (["--questions", "/dev/null", "--command", "cat 'x"], "cat 'x: No closing quotation"),
        (["--questions", "/dev/null", "--command", " "], "The command is empty (see accord"),
        (["--questions", "/dev/null", "--command", "no-such-program"], "The program no-such-program cannot be started"),
        (["x", "--baseline", "other"], "'other' is not 'overlap'"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: list[str], message: str) -> None:
    outcome = accord("annotate", *arguments)
    assert outcome.exit_code in (1, 2)
    [line] = outcome.output.splitlines()
    assert message in line


def values_of(name: str) -> list[Any]:
    answers = Answer.objects.filter(participation__annotator__external_id=name).exclude(given_at=None)
    return list(answers.order_by("pk").values_list("value", flat=True))
