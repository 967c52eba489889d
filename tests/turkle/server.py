"""A Turkle server for tests, with a manager who uses its API and workers who use its pages."""

import json
import os
import socket
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.conftest import wait_until
from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".turkle" / "bin" / "python"
MANAGER, PASSWORD = "manager", "only for this test"


@dataclass(frozen=True)
class Turkle:
    """A running server."""

    address: str

    def api(self, path: str, **sent: Any) -> Any:
        """Send a request of the manager to Turkle's API, and return the response: JSON, or the text of a file."""
        credentials = b64encode(f"{MANAGER}:{PASSWORD}".encode()).decode()
        headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
        with closing(HTTPConnection(self.address.removeprefix("http://"), timeout=30)) as connection:
            connection.request("POST" if sent else "GET", f"/api/{path}", json.dumps(sent) if sent else None, headers)
            response = connection.getresponse()
            text = response.read().decode()
        assert response.status < 300, f"{path}: {response.status} {text[:500]}"
        return json.loads(text) if response.headers.get_content_type() == "application/json" else text

    def publish(self, name: str, template: str, rows: str, *, assignments: int) -> int:
        """Publish a batch, and return its ID."""
        project = self.api("projects/", name=name, html_template=template, filename="template.html")
        batch = self.api(
            "batches/",
            name=name,
            project=project["id"],
            filename="input.csv",
            csv_text=rows,
            assignments_per_task=assignments,
        )
        return int(batch["id"])

    def results(self, batch: int) -> bytes:
        """Return the results file of a batch."""
        return str(self.api(f"batches/{batch}/results/")).encode()

    def hire(self, name: str) -> None:
        """Create an account for a worker."""
        self.api("users/", username=name, password=PASSWORD)


@contextmanager
def turkle_in(folder: Path, postgres: dict[str, Any] | None = None) -> Iterator[Turkle]:
    """Run Turkle until the block ends: on a new SQLite database in this folder, or with gunicorn on an empty PostgreSQL
    database with these settings of Django.
    """
    if not PYTHON.exists():
        raise AssertionError("Turkle is missing. Run script/setup --turkle.")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "tests.turkle.settings",
        "TURKLE_DATABASE": json.dumps(
            postgres or {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "turkle.sqlite3")}
        ),
        "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
    }
    django = [str(PYTHON), "-m", "django"]
    for command in (["migrate", "-v0"], ["createsuperuser", "--noinput", "--username", MANAGER, "--email", "m@m.org"]):
        subprocess.run([*django, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
    address = f"127.0.0.1:{free_port()}"
    gunicorn = [str(PYTHON), "-m", "gunicorn", "django.core.wsgi:get_wsgi_application()", "--workers=2", "--threads=8"]
    command = [*gunicorn, f"--bind={address}"] if postgres else [*django, "runserver", "--noreload", address]
    with (
        (folder / "turkle.log").open("w") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            turkle = Turkle(f"http://{address}")
            wait_until(lambda: _answers(turkle))
            yield turkle
        finally:
            process.terminate()


def _answers(turkle: Turkle) -> bool:
    address, port = turkle.address.removeprefix("http://").split(":")
    with closing(socket.socket()) as probe:
        return probe.connect_ex((address, int(port))) == 0
