"""Twenty decisions in Review by keys alone, in Chromium: keystrokes, seconds of the machine, and a reviewer's time.

    script/bench decisions [--decisions 20]

The example studies of word alignment and of paraphrase get three judgements per question from simulated annotators, of
whom some answer at random. A program presses the keys that a reviewer would press: `M` for the majority, digits for
each difference that is still open, and `Enter`. In the middle, it presses `U` and decides the question again.

The seconds of the machine are those from each `Enter` or `U` until the next question can be decided. The estimate adds
the keystroke-level model (Card, Moran and Newell 1980): .28 s per keystroke, and 1.35 s of mental preparation before
the first key of each decision and before each difference decided by digits. It contains no time for reading or judging
the sentences.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests import servers
from tests.screenshots import chromium, serving, window

if TYPE_CHECKING:
    from annotate.models import Study, User

ANNOTATORS, JUDGEMENTS, CARELESS = 6, 3, 0.3
KEYSTROKE, PREPARATION = 0.28, 1.35  # seconds
LAST_DIGIT = 9  # the last difference that a key decides
LIMIT = 120.0  # seconds for all decisions
TASKS = {"alignment": {"double": -1}, "paraphrase": {}}  # the example studies, with options that differ


@dataclass
class Tally:
    """Keys, mental preparations, and seconds in which the reviewer waits."""

    keys: int = 0
    preparations: int = 0
    waits: list[float] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return sum(self.waits) + KEYSTROKE * self.keys + PREPARATION * self.preparations


def main() -> int:
    """Print one line per task type. Return 1 if the decisions take longer than two minutes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--decisions", type=int, default=20)
    decisions = options.parse_args().decisions
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        owner, studies = filled(Path(folder))
        from annotate.core.services.credentials import login_path

        site = os.environ["ACCORD_SITE_URL"]
        with serving(int(site.rpartition(":")[2]), Path(folder)), chromium() as browser:
            page = window(browser, site)
            page.goto(login_path(owner))
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/console/**")
            tallies = {name: decided(page, study, decisions) for name, study in studies.items()}
    for name, tally in tallies.items():
        print(
            f"{name:<11} {decisions} decisions and 1 undo: {tally.keys} keys ({tally.keys / decisions:.1f} per "
            f"decision), {sum(tally.waits):.1f} s of the machine (longest {max(tally.waits):.2f} s), "
            f"{tally.preparations} preparations, estimate {tally.seconds:.0f} s"
        )
    return int(any(tally.seconds > LIMIT for tally in tallies.values()))


def filled(folder: Path) -> tuple[User, dict[str, Study]]:
    """Create the studies in a new database in this folder."""
    for server in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(server, None)
    os.environ |= {"ACCORD_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "annotate.settings"}
    os.environ |= {"ACCORD_SITE_URL": f"http://127.0.0.1:{servers.free_port()}", "DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
    import django

    django.setup()
    from django.core.management import call_command

    from annotate.management.commands.demo import EXAMPLES, create_example
    from annotate.models import User

    call_command("migrate", verbosity=0)
    owner = User.objects.create_superuser("mara@accord.example", name="Mara Lindqvist")  # sees no tour
    studies = {}
    for name, changed in TASKS.items():
        config = tomllib.loads((EXAMPLES / name / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
        config["settings"] |= {"judgements": JUDGEMENTS, "rule_threshold": 0}
        config["options"] |= changed
        config["simulation"] |= {"annotators": ANNOTATORS, "careless": CARELESS, "hits": None}
        studies[name] = create_example(owner, EXAMPLES / name, config)
    return owner, studies


def decided(page: Page, study: Study, decisions: int) -> Tally:
    """Decide questions by keys alone, and undo one decision in the middle."""
    tally = Tally()
    page.goto(f"/console/{study.public_id}/adjudicate/")
    page.get_by_role("link", name="Decide the first question").click()
    await_question(page)
    for number in range(decisions):
        decide(page, tally)
        if number == decisions // 2:
            undone = page.locator(".undo").inner_text().split()[3]
            press(page, tally, "u", leaves=True)
            expect(page.get_by_role("heading", level=1)).to_contain_text(f"Which answer to {undone} is right?")
            decide(page, tally)
    stored = study.questions.filter(decision__isnull=False).count()
    assert stored >= decisions, stored
    return tally


def decide(page: Page, tally: Tally) -> None:
    """Choose the majority, then a reading of each difference that is still open, and save. Where annotators count
    towards no majority, or where a difference without a digit is still open, begin with the answer of annotator A.
    """
    tally.preparations += 1
    press(page, tally, "m" if page.locator("[data-majority]").is_visible() else "a")
    if max(open_differences(page), default=0) > LAST_DIGIT:
        press(page, tally, "a")
    for number in open_differences(page):
        tally.preparations += 1
        press(page, tally, str(number))
    press(page, tally, "Enter", leaves=True)


def open_differences(page: Page) -> list[int]:
    """Return the numbers of the differences without a chosen reading."""
    states = page.locator("#differences > li").evaluate_all("all => all.map((each) => each.matches('.open'))")
    return [number for number, is_open in enumerate(states, start=1) if is_open]


def press(page: Page, tally: Tally, key: str, *, leaves: bool = False) -> None:
    """Press a key, and wait for the next question if the key leads to it."""
    tally.keys += 1
    before, started = page.url, time.monotonic()
    page.keyboard.press(key)
    if leaves:
        page.wait_for_url(lambda url: url != before)
        await_question(page)
        tally.waits.append(time.monotonic() - started)


def await_question(page: Page) -> None:
    """Wait until the question on the page can be decided."""
    expect(page.locator("#differences > li").first).to_be_visible()


if __name__ == "__main__":
    sys.exit(main())
