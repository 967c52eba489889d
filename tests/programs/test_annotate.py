"""`accord annotate` with a real server and real programs, and everything that can interrupt them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from annotate.core.services.credentials import new_api_token
from annotate.models import Answer, Participation, Study
from tests.factories import UserFactory, make_study
from tests.local_site import Handler, local_site
from tests.programs.conftest import accord
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)
Program = Callable[..., str]
TWO_ANSWERS = (
    "The program “model 1.0” answered 2 questions and submitted 0 HITs. Run the same command again to continue."
)


@pytest.fixture
def study(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study with 16 regular questions in 4 HITs, and a token for its owner."""
    owner = UserFactory()
    monkeypatch.setenv("ACCORD_TOKEN", new_api_token(owner, "script")[1])
    return make_study(user=owner, gold=4, gold_block=5, practice=2, skips_allowed=True)


@pytest.fixture
def annotate(live_server: Any, study: Study) -> Callable[..., tuple[int, list[str]]]:
    """Return a function that runs `accord annotate`, and returns the exit status and the lines of the output."""

    def run(command: str, *options: object) -> tuple[int, list[str]]:
        server = ("--server", live_server.url, "--name", "model 1.0")
        outcome = accord("annotate", study.public_id, "--command", command, *server, *options)
        return outcome.exit_code, outcome.output.splitlines()

    return run


def answers() -> list[Answer]:
    own = Answer.objects.filter(participation__annotator__external_id="model 1.0")
    return list(own.exclude(given_at=None, skipped_at=None).select_related("assignment").order_by("pk"))


def submitted() -> int:
    return Participation.objects.get().assignments.filter(state="done").count()


def next_ref() -> str:
    """Return the ref of the first question without an answer."""
    answer = Answer.objects.filter(given_at=None, skipped_at=None).order_by("pk").first()
    assert answer is not None
    return f"{answer.assignment.public_id}/{answer.position}"


@pytest.mark.nightly
def test_a_program_answers_every_question_once(annotate: Any, study: Study, program: Program) -> None:
    command = program("if number == 3: print(json.dumps({'skip': 'unclear'}), flush=True); continue")
    assert annotate(command, "--limit", 7) == (
        0,
        ["The program “model 1.0” answered 6 questions, skipped 1, and submitted 1 HIT."],
    )
    status, [line] = annotate(program())
    assert (status, line) == (0, "The program “model 1.0” answered 13 questions and submitted 3 HITs.")
    assert {answer.skipped for answer in answers()} == {"", "unclear"}
    assert len(answers()) == 20  # with one gold question in each HIT
    assert submitted() == study.hits.count() == 4
    assert all(answer.seconds is not None and answer.seconds < 60 for answer in answers())
    assert annotate(program()) == (
        0,
        ["The program “model 1.0” answered 0 questions and submitted 0 HITs."],
    )
    participation = Participation.objects.get()
    assert (participation.annotator.platform, participation.annotator.is_program) == ("system", True)


@pytest.mark.nightly
def test_a_program_that_fails_continues_with_the_same_question(annotate: Any, study: Study, program: Program) -> None:
    status, lines = annotate(program("if number == 3: raise ValueError('expected')"))
    assert status == 1
    assert lines[-2:] == [
        "ValueError: expected",
        f"accord: Question {next_ref()}: The program ended with exit status 1 before it answered.",
    ]
    assert f"accord: {TWO_ANSWERS}" in lines
    first = [answer.pk for answer in answers()]
    assert len(first) == 2
    assert annotate(program(), "--limit", 1)[0] == 0
    assert [answer.pk for answer in answers()][:2] == first
    assert len(answers()) == 3


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        ("print('{', flush=True)", (), "The answer is not valid JSON"),
        ("print('[]', flush=True)", (), "The answer must be a JSON object: []"),
        ("time.sleep(60)", ("--seconds", "0.2"), "The program did not answer within 0.2 seconds."),
        ("os.close(1); os.close(0); time.sleep(60)", (), "The program closed its standard output."),
        (
            "print(json.dumps({'best': 9, 'worst': 1}), flush=True)",
            (),
            'must be a position from 1 to 4, not 9. The answer was: {"best": 9, "worst": 1}',
        ),
        ("print(json.dumps({'skip': 'x' * 600}), flush=True)", (), "Ensure this field has no more than 500 characters"),
    ],
)
def test_faults_of_a_program_name_the_question(
    lines: str, options: tuple[str, ...], message: str, annotate: Any, program: Program
) -> None:
    command = program(f"if number == 2: {lines}; continue")
    status, output = annotate(command, *options)
    assert status == 1
    assert output[-1].startswith(f"accord: Question {next_ref()}: ")
    assert message in output[-1]
    assert len(answers()) == 1


@pytest.mark.nightly
def test_ctrl_c_keeps_the_answers(live_server: Any, study: Study, program: Program, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    command = program(f"if number == 3: open({str(ready)!r}, 'w').close(); time.sleep(60)")
    arguments = ["annotate", study.public_id, "--server", live_server.url, "--name", "model 1.0", "--command", command]
    accord = Path(sys.executable).with_name("accord")
    # A test run in the background can ignore Ctrl-C, and processes that it starts would ignore Ctrl-C as well.
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen([accord, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        signal.signal(signal.SIGINT, earlier)
        deadline = time.monotonic() + 30
        while not ready.exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines() == [
        f"accord: {TWO_ANSWERS}",
        "",
        "accord: interrupted",
    ]
    assert len(answers()) == 2


@pytest.mark.nightly
def test_lost_responses_and_expired_tokens_change_nothing(
    live_server: Any, study: Study, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.programs.server.FIRST_PAUSE", 0.01)
    with proxy_of(live_server.url) as address:
        server = ("--server", address, "--name", "model 1.0", "--command", program())
        outcome = accord("annotate", study.public_id, *server)
    assert outcome.output.splitlines()[-1] == "The program “model 1.0” answered 20 questions and submitted 4 HITs."
    # One claim, 20 answers and 4 submissions lose their response, except two requests whose token was invalid.
    assert outcome.output.count("Trying again.") == 23
    assert len(answers()) == 20
    assert study.participations.count() == 1


@contextmanager
def proxy_of(server: str) -> Iterator[str]:
    """Yield the address of a proxy that loses the first response to each request of a program. The proxy also makes the
    token of every tenth request invalid.
    """
    seen: set[str] = set()

    class Proxy(Handler):
        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: self.headers[name] for name in ("Authorization", "Content-Type")}
            is_new = self.path not in seen and "programs" not in self.path
            seen.add(self.path)
            if is_new and len(seen) % 10 == 0:
                headers["Authorization"] += "expired"
            try:
                request = Request(server + self.path, body, headers, method=self.command)  # noqa: S310 - live server
                with urlopen(request, timeout=20) as response:  # noqa: S310
                    status, content = response.status, response.read()
            except HTTPError as error:
                status, content = error.code, error.read()
            if is_new and status == 200:
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.forward()

        def do_PUT(self) -> None:
            self.forward()

    with local_site(Proxy) as address:
        yield address


def test_a_study_that_is_paused_stops_the_program(annotate: Any, study: Study, program: Program) -> None:
    assert annotate(program(), "--limit", 2)[0] == 0
    Study.objects.update(state="paused")
    status, lines = annotate(program())
    assert status == 1
    assert lines == ["accord: This action is not possible while the study is paused: add automatic annotators."]


def test_a_wrong_server_token_or_study_is_one_line(
    live_server: Any, study: Study, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def last_line(public_id: str, *options: object) -> str:
        outcome = accord("annotate", public_id, "--baseline", "overlap", *options)
        assert outcome.exit_code != 0
        return outcome.output.splitlines()[-1]

    server = ("--server", live_server.url)
    assert last_line("unknown", *server) == "accord: Not found."
    address = f"http://127.0.0.1:{free_port()}"
    assert f"The server at {address.removeprefix('http://')} does not respond" in last_line("x", "--server", address)
    monkeypatch.setenv("ACCORD_TOKEN", "wrong")
    assert "token" in last_line(study.public_id, *server)
    monkeypatch.setenv("ACCORD_TOKEN", "")
    assert "Set the environment variable ACCORD_TOKEN to the key of an API token" in last_line("x", *server)
    monkeypatch.setenv("ACCORD_TOKEN", "tok\u20acn")
    assert "ACCORD_TOKEN contains characters that are not allowed in API tokens" in last_line("x", *server)
    for limit in ("nan", "inf", "1e9"):
        assert "--seconds" in last_line("x", *server, "--seconds", limit)
    assert not Participation.objects.exists()
