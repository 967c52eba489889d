"""A running `accord try`, and annotators who answer through HTTP as a browser does."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests import servers

ACCORD = Path(sys.executable).with_name("accord")
READY = "Press Ctrl-C"
WAIT = 60.0  # seconds


@dataclass
class Trial:
    """The process of the command. `links` maps the annotators' names and “Console” to their links."""

    process: subprocess.Popen[bytes]
    log: Path
    links: dict[str, str]

    def wait_for(self, text: str) -> None:
        """Wait until the command has printed the text."""
        deadline = time.monotonic() + WAIT
        while text not in self.log.read_text():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def stop(self, number: int = signal.SIGINT) -> str:
        """Press Ctrl-C, which a terminal sends to all processes at once, and return all that the command printed."""
        os.killpg(self.process.pid, number)
        assert self.process.wait(WAIT) == 0, self.log.read_text()
        return self.log.read_text()


def _hear_signals() -> None:
    """Undo that the tests' process ignores signals, which its processes inherit: a shell in the background makes it
    ignore SIGINT, and nohup SIGHUP.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def trying(folder: Path, *arguments: str, accord: Path = ACCORD) -> Iterator[Trial]:
    """Run `accord try` in the folder until the block ends."""
    log = folder / "log"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ACCORD_")}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [accord, "try", *arguments, "--port", str(servers.free_port())],
            cwd=folder,
            env=kept,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_hear_signals,
        )
    trial = Trial(process, log, {})
    try:
        trial.wait_for(READY)
        trial.links = dict(re.findall(r"^ +(\w+): +(http\S+)$", log.read_text(), re.MULTILINE))
        yield trial
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(WAIT)


class Browser:
    """A browser with cookies that can submit the hidden fields of a form."""

    def __init__(self) -> None:
        self._open = build_opener(HTTPCookieProcessor(CookieJar())).open

    def get(self, url: str) -> tuple[str, str]:
        """Return the final address and the page."""
        return self._read(Request(url))  # noqa: S310 (our own server)

    def post(self, url: str, page: str) -> tuple[str, str]:
        """Submit the hidden fields of the page, and return the final address and page."""
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        return self._read(Request(url, urlencode(fields).encode(), {"Referer": url}))  # noqa: S310

    def api(self, method: str, url: str, token: str, body: Any = None) -> Any:
        """Send one request of the work page."""
        headers = {"Content-Type": "application/json", "Authorization": f"Participation {token}"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(url, data, headers, method=method)  # noqa: S310
        return json.loads(self._read(request)[1])

    def _read(self, request: Request) -> tuple[str, str]:
        with self._open(request, timeout=WAIT) as reply:
            return reply.url, reply.read().decode()


class AnnotatorInBrowser:
    """An annotator who opens a personal link, joins the study or continues, and starts a set."""

    def __init__(self, link: str) -> None:
        self._browser = Browser()
        hub, page = self._browser.post(link, self._browser.get(link)[1])
        address, page = self._browser.post(f"{hub}/start", page)
        token = re.search(r'data-token="([^"]*)"', page)
        assert token, page
        self._token, self._api = token[1], urljoin(hub, "/api/v1/assignments/")
        self.assignment = self._browser.api("GET", self._api + address.rpartition("/")[2], self._token)

    def answer(self, position: int, value: Any) -> None:
        """Answer one question without submitting the set."""
        path = f"{self.assignment['id']}/answers/{position}"
        self._browser.api("PUT", self._api + path, self._token, {"value": value, "seconds": 2})

    def submit(self, value_of: Callable[[Any], Any]) -> None:
        """Answer all questions of the set, submit the set and start the next one."""
        answers = [
            {"position": question["position"], "value": value_of(question["content"]), "seconds": 2}
            for question in self.assignment["questions"]
        ]
        path, body = f"{self.assignment['id']}/submission", {"answers": answers, "next": True}
        reply = self._browser.api("POST", self._api + path, self._token, body)
        self.assignment = reply["next"]["assignment"]

    def submit_all(self, value_of: Callable[[Any], Any]) -> None:
        """Submit sets until there is no further one."""
        while self.assignment:
            self.submit(value_of)
