"""The time of a cycle on Accord and on Turkle: submit a HIT of six questions and show the next HIT.

Both use the same PostgreSQL server and two processes of gunicorn with eight threads each, and both have the same number
of HITs. One annotator works on each, in turn, so that other load on this machine affects both equally. Turkle locks all
unfinished tasks of a batch when it chooses the next one, so its time grows with the batch. On Turkle, the
annotator accepts the next HIT automatically: the browser submits the form, follows two redirects, and loads the frame
with the questions. On Accord, one request submits the answers, and its reply contains the questions of the next HIT.

    script/bench turkle             needs Turkle (script/setup --turkle)
"""

from __future__ import annotations

import re
import tempfile
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median

import psycopg

from bench.cycles import MAKE, cycling
from bench.load import run
from bench.serving import POSTGRESQL, analyze, printed, serving
from tests import servers
from tests.turkle.server import PASSWORD, Turkle, turkle_in

ITEMS = (5_000, 15_000, 50_000)  # 2,000, 6,000 and 20,000 HITs
ROUNDS, SLICE = 5, 1.5  # seconds
AIM = 20.0  # times as fast as Turkle
QUESTIONS = range(1, 7)
TEMPLATE = "".join(
    "".join(f"<p>${{text{question}_{item}}}</p>" for item in range(4))
    + "".join(f'<input type="radio" name="{side}{question}" value="1">' for side in ("best", "worst"))
    for question in QUESTIONS
)
COUNT = """
import json, django
django.setup()
from annotate.models import Hit
print(json.dumps(Hit.objects.count()))
"""


def main() -> None:
    """Print a line for each number of HITs."""
    for items in ITEMS:
        with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder, servers.postgres() as url:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("CREATE DATABASE turkle")
                at = connection.info
                postgres = {"NAME": "turkle", "HOST": at.host, "PORT": at.port, "USER": at.user, "CONN_MAX_AGE": None}
            with (
                serving(POSTGRESQL | {"DATABASE_URL": url}, MAKE, items, 1, workers=2) as (port, tokens, env),
                turkle_in(Path(folder), {"ENGINE": "django.db.backends.postgresql", **postgres}) as turkle,
            ):
                worker = Worker(turkle, hits=printed(env, COUNT))
                run(port, cycling(tokens), SLICE)
                worker.cycles(SLICE)
                analyze(url, f"{url.removesuffix('accord')}turkle")
                compare(port, tokens, worker)


def compare(port: int, tokens: list[str], worker: Worker) -> None:
    rounds = [(median(run(port, cycling(tokens), SLICE)), median(worker.cycles(SLICE))) for _ in range(ROUNDS)]
    accord, turkle = (1000 * median(times) for times in zip(*rounds, strict=True))
    ratios = sorted(turkle / accord for accord, turkle in rounds)
    print(
        f"{worker.hits:,} HITs: Accord {accord:.1f} ms, Turkle {turkle:.1f} ms; "
        f"Accord is {median(ratios):.1f} times as fast ({ratios[0]:.1f} to {ratios[-1]:.1f}; the target is {AIM:g})",
        flush=True,
    )


class Worker:
    """A worker on Turkle whose browser accepts the next HIT automatically."""

    def __init__(self, turkle: Turkle, hits: int) -> None:
        self.hits = hits
        self._address = turkle.address
        self._cookies = CookieJar()
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        columns = [f"text{question}_{item}" for question in QUESTIONS for item in range(4)]
        row = ",".join("The harbour was quiet at dawn." for _ in columns)
        rows = "\n".join([",".join(columns), *[row] * hits])
        batch = turkle.publish("bench", TEMPLATE, rows, assignments=2)
        turkle.hire("ann")
        self._get("/accounts/login/")
        self._post("/accounts/login/", username="ann", password=PASSWORD)
        self._post("/update_auto_accept/", auto_accept="true")
        self._page = self._get(f"/batch/{batch}/accept_next_task/")

    def cycles(self, seconds: float) -> list[float]:
        """Work for `seconds`, and return the time of each cycle in seconds."""
        times = []
        end = time.perf_counter() + seconds
        while (began := time.perf_counter()) < end:
            self._page = self._post(self._page, **{f"{side}{n}": "1" for n in QUESTIONS for side in ("best", "worst")})
            frame = re.sub(r"assignment/(\d+)/$", r"assignment/iframe/\1/", self._page)
            assert frame != self._page, f"Turkle shows {self._page} instead of the next HIT"
            self._get(frame)
            times.append(time.perf_counter() - began)
        return times

    def _get(self, path: str) -> str:
        return self._open(urllib.request.Request(self._address + path))  # noqa: S310

    def _post(self, path: str, **fields: str) -> str:
        token = next(cookie.value for cookie in self._cookies if cookie.name == "csrftoken")
        data = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        return self._open(urllib.request.Request(self._address + path, data))  # noqa: S310

    def _open(self, request: urllib.request.Request) -> str:
        """Send the request, follow its redirects, and return the path of the page."""
        with self._browser.open(request) as response:
            response.read()
            return urllib.parse.urlsplit(response.url).path


if __name__ == "__main__":
    main()
