"""The pictures of the documentation, which `script/screenshots` takes of the example studies.

The studies are simulated with a fixed seed at a fixed time, so each run shows the same questions and figures.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from annotate.models import Assignment, User

ROOT = Path(__file__).resolve().parents[1]
STUDIES = {"best-worst": "relatedness", "paraphrase": "paraphrase", "alignment": "alignment", "chunks": "chunks"}
PAGES = {"overview": ("", 860), "items": ("items/", 640), "design": ("design/", 670), "results": ("results/1/", 680)}
WIDTH, HEIGHT = 1280, 800
LARGEST = 180_000  # bytes
END = datetime(2025, 3, 14, 16, 30, tzinfo=UTC)  # the end of the simulated collections
ROWS = "#task [role=listbox]:visible"  # the two sentences in the editors of alignments
ACCEPTED = {"article of clothing", "item of clothing", "piece of clothing"}  # for “garment” in the first sentence
SUGGESTED_WRONGLY = [("took", "descended")]
POSSIBLE = [("34-year-old", "34"), ("paintings", "pictures"), ("arrested", "custody"), ("power", "electricity")]
POSSIBLE += [("took", "carrying"), ("went", "descended"), ("down", "descended")]
CHUNKS = [
    ("volcano", "near erupting volcano", ["k", "3"]),
    ("and villagers", "thousands", ["s", "2"]),
    ("flee", "leave", ["d", "4"]),
]
RECRUITS = "best-worst"  # the example study for the pictures of recruitment, which come after its other pictures
JOIN_LINK = "https://accord.example.org/join/mBv3uYdqXk0WcPZ7sRfT1g"


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/screenshots", description="Take the pictures of the documentation.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"Task types: {', '.join(STUDIES)}. All by default.")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "img", help="The folder of the pictures.")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(STUDIES)):
        parser.error(f"There is no task type {unknown[0]}. Task types: {', '.join(STUDIES)}.")
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        too_large = _take(arguments.names or list(STUDIES), folder, Path(data))
    for picture in too_large:
        sys.stderr.write(f"{picture.name} has {picture.stat().st_size:,} bytes. The limit is {LARGEST:,}.\n")
    return 1 if too_large else 0


def _take(names: list[str], folder: Path, data: Path) -> list[Path]:
    """Take the pictures of these task types, and return those that are too large."""
    from tests.recruitment_pages import recruitment_pages

    port, site = prepare(data)
    from annotate.core.services.credentials import login_path

    owner, assignments = fill(names, data)
    pictures: list[Path] = []
    with serving(port, data), chromium() as browser:
        researcher = window(browser, site)
        researcher.goto(login_path(owner))
        researcher.get_by_role("button", name="Sign in").click()
        researcher.wait_for_url("**/console/**")
        for name, assignment in assignments.items():
            page = window(browser, site)
            _answer(page, assignment, ANSWERS[name])
            pictures.append(_picture(page, folder / f"{name}-annotate.png"))
            page.context.close()
            for kind, (place, height) in PAGES.items():
                researcher.set_viewport_size({"width": WIDTH, "height": height})
                researcher.goto(f"/console/{assignment.study.public_id}/{place}")
                researcher.wait_for_load_state("networkidle" if kind != "overview" else "load")
                pictures.append(_picture(researcher, folder / f"{name}-{kind}.png"))
            if name == RECRUITS:
                places = recruitment_pages(researcher, window(browser, site), assignment.study, data)
                pictures += [_picture(page, folder / f"{picture}.png") for page, picture in places]
    return [picture for picture in pictures if picture.stat().st_size > LARGEST]


def prepare(data: Path) -> tuple[int, str]:
    """Prepare Django for an empty installation in this folder. Return a free port and the address of its server."""
    os.chdir(ROOT)
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    from tests import servers

    port = servers.free_port()
    site = f"http://127.0.0.1:{port}"
    os.environ |= {"ACCORD_DATA": str(data), "ACCORD_SITE_URL": site, "DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "annotate.settings"
    import django

    django.setup()
    return port, site


def fill(names: list[str], data: Path) -> tuple[User, dict[str, Assignment]]:
    """Create the owner and the example studies with their results, and an assignment of a new annotator in each study.

    The studies have no practice questions, so that the annotator starts with a regular HIT.
    """
    from django.core.management import call_command

    from annotate.core.services import jobs
    from annotate.core.services.claim import claim
    from annotate.management.commands.demo import EXAMPLES, create_example, simulated_time
    from annotate.models import User
    from annotate.recruiting.services.join import accept_consent, join

    call_command("migrate", verbosity=0)
    owner = User.objects.create_superuser("mara@accord.example", name="Mara Lindqvist")  # sees no tour
    assignments = {}
    for name in names:
        example = data / "examples" / STUDIES[name]
        shutil.copytree(EXAMPLES / STUDIES[name], example, ignore=shutil.ignore_patterns("practice.*"))
        config = tomllib.loads((example / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
        config["simulation"]["hits"] -= 6  # so that HITs remain for the new annotator
        with patch("annotate.models.ids.secrets.token_urlsafe", _tokens(name)):
            with simulated_time(END, config["simulation"]):
                study = create_example(owner, example, config)
                jobs.run(jobs.request_job(study, "report:results", user=owner).pk)
            participation = join(study, platform="web")
            consent = study.consents.order_by("-version").first()
            accept_consent(participation.pk, consent.pk if consent else None, eligible=True)
            assignment = claim(participation.pk).assignment
        assert assignment is not None
        assignments[name] = assignment
    return owner, assignments


def _tokens(seed: str) -> Callable[[int], str]:
    """Return a source of IDs that are the same each time. IDs decide the order of questions and candidates."""
    generator = random.Random(seed)
    return lambda size: base64.urlsafe_b64encode(generator.randbytes(size)).rstrip(b"=").decode()


@contextmanager
def serving(port: int, data: Path) -> Iterator[None]:
    """Serve the database for the time of the block."""
    command = [str(Path(sys.executable).parent / "accord"), "serve", "--port", str(port)]
    with (data / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, stderr=log, stdout=log)
    try:
        _await(port)
        yield
    finally:
        process.terminate()
        process.wait(30)


def _await(port: int, seconds: float = 60.0) -> None:
    """Wait until the server accepts connections."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit("The server did not start.")


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    from tests import servers
    from tests.chromium import QUIET

    program = servers.chromium_program()
    if program is None:
        raise SystemExit("Chromium is missing. As root, run: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*QUIET, "--disable-lcd-text"])
        yield browser
        browser.close()


def window(browser: Browser, site: str) -> Page:
    return browser.new_context(
        base_url=site,
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme="light",
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
    ).new_page()


def _answer(page: Page, assignment: Assignment, act: Callable[[Page], None]) -> None:
    """Open the assignment as its annotator, and begin to answer its first question."""
    from tests.annotating import enter

    enter(page, assignment.participation, host="127.0.0.1")
    page.goto(f"/a/{assignment.public_id}")
    page.locator("#answering").wait_for(state="visible")
    act(page)


def _choose_pairs(page: Page) -> None:
    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit4")


def _choose_candidates(page: Page) -> None:
    """Accept or reject the first five candidates."""
    for text in page.locator("#task .words .sent").all_inner_texts()[:5]:
        page.keyboard.press("y" if text in ACCEPTED else "n")


def _link_words(page: Page) -> None:
    """Link the words that both sentences have as sure, and other words with similar meanings as possible. The correct
    initial links stay.
    """
    first, second = _rows(page)
    for one, other in SUGGESTED_WRONGLY:
        if one in first and other in second:
            _link(page, first.index(one), second.index(other))
    linked = [_linked(page, row) for row in (0, 1)]
    taken: set[int] = set()
    for place, text in enumerate(first):
        match = next((at for at, other in enumerate(second) if other == text and at not in taken), None)
        if match is not None and not linked[0][place] and not linked[1][match]:
            taken.add(match)
            _link(page, place, match)
    page.keyboard.press("d")
    for one, other in POSSIBLE:
        if one in first and other in second and not linked[0][first.index(one)]:
            _link(page, first.index(one), second.index(other))
    page.mouse.move(0, 0)


def _linked(page: Page, row: int) -> list[bool]:
    """Return for each word of a sentence whether it has a link."""
    words = page.locator(ROWS).nth(row).locator("[role=option]")
    return [bool(linked) for linked in words.evaluate_all("all => all.map(each => !each.matches('.loose'))")]


def _link_chunks(page: Page) -> None:
    """Link chunks with similar meanings, and give each link a type and a score."""
    first, second = _rows(page)
    for one, other, keys in CHUNKS:
        if one in first and other in second:
            _link(page, first.index(one), second.index(other))
            for key in keys:
                page.keyboard.press(key)
    page.mouse.move(0, 0)


def _rows(page: Page) -> list[list[str]]:
    """Return the texts of both sentences, in lower case."""
    rows = page.locator(ROWS)
    return [
        [" ".join(text.lower().split()) for text in rows.nth(row).locator("[role=option]").all_inner_texts()]
        for row in (0, 1)
    ]


def _link(page: Page, one: int, other: int) -> None:
    for row, place in enumerate((one, other)):
        page.locator(ROWS).nth(row).locator("[role=option]").nth(place).click()


ANSWERS: dict[str, Callable[[Page], None]] = {
    "best-worst": _choose_pairs,
    "paraphrase": _choose_candidates,
    "alignment": _link_words,
    "chunks": _link_chunks,
}


def _picture(page: Page, path: Path) -> Path:
    """Write what the window shows, after charts and fonts have settled. The link for annotators is an example."""
    from annotate.prolific.selectors.settings import study_url

    page.evaluate("document.fonts.ready.then(() => true)")
    page.evaluate("link => document.querySelector('#join-link')?.replaceChildren(link)", JOIN_LINK)
    page.evaluate("link => document.querySelector('#study-url')?.replaceChildren(link)", study_url(JOIN_LINK))
    page.wait_for_timeout(600)
    page.screenshot(path=path, animations="disabled", caret="hide")
    sys.stdout.write(f"{path.name}  {path.stat().st_size / 1000:.0f} kB\n")
    return path


if __name__ == "__main__":
    sys.exit(main())
