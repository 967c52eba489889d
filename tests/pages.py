# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/pages`, which measures the console's pages on the studies of the demonstration.

The studies are created with fixed random numbers at a fixed time, and the pages are served at this time, so each run
measures the same pages. Each kind of page of a study is measured once: the first annotator stands for all annotators.
A page that no other page links to, such as the preview of a file, is not measured.

`words` are the visible words outside tables, lists, fields and drawings. `help` are those in help texts under fields,
and `longest` are those in the longest help text. `actions` are the buttons and links in the header, and `primary` are
the filled ones. Heights are in pixels at a width of 1,280 px and, for `phone`, of 390 px. The fonts of two machines
differ, so heights may exceed their ceilings by 2%.

script/pages.json contains the limits, and a ceiling for each figure that exceeded its limit when the limits were
introduced. Ceilings only go down.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import BrowserContext, Page

    from annotate.models import Study, User

ROOT = Path(__file__).resolve().parent.parent
BUDGET = ROOT / "script" / "pages.json"
MEASURE = Path(__file__).with_name("page_figures.js").read_text(encoding="utf-8")
STUDIES = ("relatedness", "paraphrase", "alignment", "chunks")
DRAFT = "draft"  # a repeat of the first study, with a preregistration
NOW = datetime(2026, 3, 13, 16, 40, tzinfo=UTC)
FIGURES = ("words", "help", "longest", "actions", "primary", "height", "phone")
HEIGHT_TOLERANCE = 1.02
STILL = 3  # equal measurements of a page at rest, 50 ms apart
# The parts of an address that name a kind of page. All others name one object, such as an annotator.
KINDS = ("step", "panel", "page", "questionnaire", "purpose", "scope")

Pages = dict[str, dict[str, int]]
Studies = dict[str, Pages]


def main(arguments: list[str]) -> int:
    """Print the tables, and return 1 if a figure exceeds the budget."""
    parser = argparse.ArgumentParser(prog="script/pages", description="Measure the console's pages.")
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"{', '.join([*STUDIES, DRAFT])}. All by default.")
    parser.add_argument("--save", type=Path, metavar="FILE", help="Write the figures to this file.")
    parser.add_argument("--against", type=Path, metavar="FILE", help="Print each figure after the one in this file.")
    parser.add_argument("--check", action="store_true", help="Print only the figures that exceed the budget.")
    parser.add_argument("--lower", action="store_true", help="Lower the ceilings to the present figures.")
    options = parser.parse_args(arguments)
    names = options.studies or [*STUDIES, DRAFT]
    if unknown := sorted(set(names) - {*STUDIES, DRAFT}):
        parser.error(f"There is no study {unknown[0]}. Studies: {', '.join([*STUDIES, DRAFT])}.")
    measured = measure(names)
    if options.save:
        options.save.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    if not options.check:
        print(table(measured, json.loads(options.against.read_text(encoding="utf-8")) if options.against else {}))
    budget = json.loads(BUDGET.read_text(encoding="utf-8"))
    if options.lower:
        budget["ceilings"] = lowered(measured, budget)
        BUDGET.write_text(json.dumps(budget, indent=2) + "\n", encoding="utf-8")
    complaints = excesses(measured, budget)
    if not options.studies and budget["ceilings"] != lowered(measured, budget):
        complaints.append("Some figures are below their ceilings. Run script/pages --lower to keep it so.")
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


def excesses(measured: Studies, budget: dict[str, dict[str, int]]) -> list[str]:
    """Return one line for each figure that exceeds its limit, or its ceiling if it has one."""
    lines = []
    for name, figure, value in _limited(measured, budget):
        ceiling = budget["ceilings"].get(name, budget["limits"][figure])
        if value > ceiling * (HEIGHT_TOLERANCE if figure == "height" else 1):
            lines.append(f"{name}: {value:,}, ceiling {ceiling:,}")
    return lines


def lowered(measured: Studies, budget: dict[str, dict[str, int]]) -> dict[str, int]:
    """Return the ceilings of the budget, lowered to the measured figures. Figures within the limits and pages that are
    gone have no ceiling any more. Heights within the tolerance keep their ceiling.
    """
    ceilings = {name: value for name, value in budget["ceilings"].items() if name.split()[0] not in measured}
    for name, figure, value in _limited(measured, budget):
        before = budget["ceilings"].get(name, 0)
        if value > budget["limits"][figure] and before:
            same = figure == "height" and value * HEIGHT_TOLERANCE > before
            ceilings[name] = before if same else min(value, before)
    return dict(sorted(ceilings.items()))


def _limited(measured: Studies, budget: dict[str, dict[str, int]]) -> Iterator[tuple[str, str, int]]:
    """Yield the name in the budget, the figure and the value of each figure with a limit."""
    for study, pages in measured.items():
        for page, figures in pages.items():
            for figure in budget["limits"]:
                yield f"{study} {page} {figure}", figure, figures[figure]


def table(measured: Studies, before: Studies) -> str:
    """Return one table per study with totals, and the totals of all studies. With `before`, each cell shows the figure
    before and now.
    """
    lines = []
    for study, pages in measured.items():
        earlier = before.get(study, {})
        lines.append(f"{study:<44}" + "".join(f"{figure:>{19 if before else 9}}" for figure in FIGURES))
        lines += [_row(f"  {page}", earlier.get(page), pages.get(page), before) for page in {**pages, **earlier}]
        lines += [_row("  total", _total([earlier]), _total([pages]), before), ""]
    compared = [before[study] for study in measured if study in before]
    return "\n".join([*lines, _row("all studies", _total(compared), _total(measured.values()), before)])


def _row(name: str, earlier: dict[str, int] | None, now: dict[str, int] | None, before: Studies) -> str:
    cells = [[f"{row[figure]:,}" if row else "–" for row in (earlier, now)] for figure in FIGURES]
    return f"{name:<44}" + "".join(f"{' → '.join(cell):>19}" if before else f"{cell[1]:>9}" for cell in cells)


def _total(parts: Iterable[Pages]) -> dict[str, int]:
    """Return the sums, and of the longest help texts the longest."""
    rows = [row for pages in parts for row in pages.values()]
    return {figure: (max if figure == "longest" else sum)([0, *(row[figure] for row in rows)]) for figure in FIGURES}


def measure(names: list[str]) -> Studies:
    """Create the studies in a temporary database, and return the figures of their pages. The pages outside studies are
    under `console`.
    """
    os.chdir(ROOT)
    for server in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(server, None)
    with tempfile.TemporaryDirectory(prefix="accord-pages-") as folder:
        os.environ |= {"ACCORD_DATA": folder, "DJANGO_SETTINGS_MODULE": "annotate.settings"}
        os.environ |= {"ACCORD_SITE_URL": "http://localhost", "DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
        import django

        django.setup()
        _serve_sources()
        with _fixed_chance():
            owner, studies = _create(names)
            with _fixed_time(), _site() as site, _signed_in(owner, site) as context:
                from django.test import Client

                client = Client()
                client.force_login(owner)
                homes = {"console": "/console/"}
                homes |= {name: f"/console/{study.public_id}/" for name, study in studies.items()}
                places = {name: _pages(client, home) for name, home in homes.items()}
                return {name: _figures(context, pages) for name, pages in places.items()}


def _serve_sources() -> None:
    """Serve static files from where they are, as in tests."""
    from django.conf import settings

    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]


@contextmanager
def _fixed_chance() -> Iterator[None]:
    """Draw the same IDs, pseudonyms and seeds in each run."""
    from tests.screenshots import _tokens

    source = random.Random(1)
    with (
        patch("secrets.token_urlsafe", _tokens("pages")),
        patch("secrets.choice", source.choice),
        patch("secrets.randbelow", source.randrange),
        patch("secrets.randbits", source.getrandbits),
    ):
        yield


@contextmanager
def _fixed_time() -> Iterator[None]:
    with (
        patch("django.utils.timezone.now", lambda: NOW),
        patch("annotate.server.clock.now", lambda: NOW),
        patch("annotate.server.clock.seconds", NOW.timestamp),
    ):
        yield


def _create(names: list[str]) -> tuple[User, dict[str, Study]]:
    """Create the studies of the demonstration with these names, and calculate their reports."""
    import tomllib
    from decimal import Decimal

    from django.core.management import call_command

    from annotate.core.services import jobs
    from annotate.management.commands.demo import EXAMPLES, create_example, simulated_time
    from annotate.models import User

    call_command("migrate", verbosity=0)
    owner = User.objects.create_superuser("mara@accord.example", name="Mara Lindqvist")  # sees no tour
    studies = {}
    for name in [each for each in STUDIES if each in names or (each == STUDIES[0] and DRAFT in names)]:
        text = (EXAMPLES / name / "study.toml").read_text(encoding="utf-8")
        config = tomllib.loads(text, parse_float=Decimal)
        with simulated_time(NOW - timedelta(minutes=10), config["simulation"]):
            studies[name] = create_example(owner, EXAMPLES / name, config)
            jobs.request_job(studies[name], "report:results", user=owner)
    with _fixed_time():
        _run_jobs()
        if DRAFT in names:
            studies[DRAFT] = _repeat(studies[STUDIES[0]], owner)
        _run_jobs()
    return owner, {name: studies[name] for name in studies if name in names}


def _repeat(study: Study, owner: User) -> Study:
    """Return a repeat of the study with a preregistration from which it departs, and compare the study with itself."""
    import io

    from annotate.studies.services.settings import change_settings
    from releases.contents.folder import About
    from releases.services.compare import Uploaded, request_comparison
    from releases.services.releases import as_zip, make_release
    from releases.services.repeat import read_upload, repeat_study
    from reporting.preregistration.registrations import freeze

    release = make_release(study.pk, About("1.0", "CC-BY-4.0", NOW.date()), user=owner)
    content = as_zip(release)
    request_comparison(study, Uploaded("release-1.0.zip", content), is_original=True, user=owner)
    repeated = repeat_study(read_upload(io.BytesIO(content), "release-1.0.zip", ""), user=owner).study
    freeze(repeated.pk, {"description": "Is the order stable?", "hypotheses": "None."}, user=owner)
    change_settings(repeated.pk, rule_threshold="0.6", user=owner)
    return repeated


def _run_jobs() -> None:
    """Run all waiting jobs, also those that other jobs request."""
    from annotate.core.services import jobs
    from annotate.models import Job

    while job := Job.objects.filter(state=Job.State.WAITING).order_by("pk").first():
        jobs.run(job.pk)


@contextmanager
def _site() -> Iterator[str]:
    """Serve Accord from this process, whose clock and random numbers are fixed."""
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Suppress the log."""

    with ThreadedWSGIServer(("localhost", 0), Quiet) as server:
        server.set_app(WSGIHandler())
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join()


@contextmanager
def _signed_in(owner: User, site: str) -> Iterator[BrowserContext]:
    """Open a browser in which the owner has signed in."""
    from django.test import Client
    from playwright.sync_api import sync_playwright

    from tests import servers
    from tests.chromium import QUIET

    client = Client()
    client.force_login(owner)
    program = servers.headless_shell() or servers.chromium_program()
    if program is None:
        raise SystemExit("Chromium is missing. As root, run: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        context = browser.new_context(base_url=site, reduced_motion="reduce", locale="en-GB", timezone_id="UTC")
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "domain": "localhost", "path": "/"}])
        yield context
        browser.close()


def _pages(client: Client, home: str) -> dict[str, str]:
    """Return the paths of the pages that pages below `home` link to, by the kind of page. Each kind has one path."""
    found: dict[str, str] = {}
    waiting = [home]
    while waiting:
        path = waiting.pop(0)
        kind = _kind(path, home)
        if kind is None or kind in found:
            continue
        response = client.get(path)
        _run_jobs()
        if response.status_code != 200 or not response.get("Content-Type", "").startswith("text/html"):
            continue
        if "Content-Disposition" in response:  # a file
            continue
        found[kind] = path
        links = re.findall(r'<a\b[^>]*\bhref="([^"]+)"', b"".join(response).decode())
        waiting += [urlsplit(urljoin(path, link)).path for link in links]
    return found


def _kind(path: str, home: str) -> str | None:
    """Return the name of a page's kind, or None for an address outside the console or of another study."""
    from django.urls import Resolver404, resolve

    if not path.startswith(home):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    if home == "/console/" and "study" in match.kwargs:
        return None
    name = path.removeprefix(home)
    for parameter, value in match.kwargs.items():
        if parameter not in (*KINDS, "study"):
            name = name.replace(f"{value}/", f"<{parameter}>/", 1)
    return name.rstrip("/") or ("overview" if "study" in match.kwargs else "studies")


def _figures(context: BrowserContext, pages: dict[str, str]) -> Pages:
    page = context.new_page()
    figures: Pages = {}
    for kind, path in pages.items():
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path)
        page.evaluate("document.fonts.ready.then(() => true)")
        figures[kind] = _at_rest(page)
        page.set_viewport_size({"width": 390, "height": 844})
        figures[kind]["phone"] = _at_rest(page)["height"]
    page.close()
    return figures


def _at_rest(page: Page) -> dict[str, int]:
    """Return the figures of the page as soon as they stay the same, because charts draw themselves after loading and
    after each change of the width.
    """
    seen: list[dict[str, int]] = []
    while seen[-STILL:] != [seen[-1] if seen else {}] * STILL:
        page.wait_for_timeout(50)
        seen.append(page.evaluate(MEASURE))
    return seen[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
