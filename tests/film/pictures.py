"""The moving pictures of the guides: short scenes as animated WebP files, each with its first frame as a still picture.

A still picture has the same name with `-still`. Pages show it to readers who prefer reduced motion.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.film.scenes import EXAMPLE, answer_questions, drop_file, spreadsheet
from tests.film.stage import SLOWEST, Frame, Stage
from tests.screenshots import ROWS, chromium, fill, prepare, serving, window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from annotate.models import Assignment, Study, User

SIZE = {"width": 960, "height": 600}
STEP = 0.1  # seconds of the shortest frame
REST = 2.0  # seconds of the last frame, before the picture starts again or stays
PLAYS = 3  # then the last frame stays, because lasting motion distracts readers
LARGEST = 250_000  # bytes
LINKS = [("took", "carrying"), ("down", "descended")]
BUDGETS = ("60", "120", "240")


@dataclass
class Set:
    """What a moving picture needs: the stage with the researcher's page, and the assignments of new annotators."""

    stage: Stage
    browser: Browser
    site: str
    owner: User
    assignments: dict[str, Assignment]
    folder: Path

    def place(self, example: str, place: str = "") -> str:
        return f"/console/{self.assignments[example].study.public_id}/{place}"

    def annotator(self, example: str) -> Page:
        """Return a new page on which an annotator has opened the assignment in this example study."""
        from tests.annotating import enter

        page = window(self.browser, self.site)
        page.set_viewport_size(SIZE)
        assignment = self.assignments[example]
        enter(page, assignment.participation, host="127.0.0.1")
        page.goto(f"/a/{assignment.public_id}")
        page.locator("#answering").wait_for(state="visible")
        return page


def make_pictures(names: Iterable[str], data: Path, folder: Path) -> Iterator[Path]:
    """Make these moving pictures on an empty installation in `data`, and yield the file of each."""
    port, site = prepare(data)
    from annotate.core.services.credentials import login_path

    owner, assignments = fill(["best-worst", "alignment"], data)
    with serving(port, data), chromium() as browser:
        researcher = window(browser, site)
        researcher.set_viewport_size(SIZE)
        researcher.goto(login_path(owner))
        researcher.get_by_role("button", name="Sign in").click()
        researcher.wait_for_url("**/console/**")
        for name in names:
            frames: list[Frame] = []
            stage = Stage(researcher, frames.append, step=STEP)
            PICTURES[name](Set(stage, browser, site, owner, assignments, data))
            stage.hold(REST)
            yield save(list(joined(frames)), folder / f"moving-{name}.webp")


def joined(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield the frames, with equal frames that follow each other as one."""
    last: Frame | None = None
    for frame in frames:
        if last is not None and last.picture.tobytes() == frame.picture.tobytes():
            last = Frame(last.picture, last.seconds + frame.seconds)
            continue
        if last is not None:
            yield last
        last = frame
    if last is not None:
        yield last


def save(frames: list[Frame], file: Path) -> Path:
    """Write the frames as an animated WebP file and the first one as a still picture, both lossless."""
    first, *others = (frame.picture for frame in frames)
    lengths = [round(frame.seconds * 1000) for frame in frames]
    options = {"lossless": True, "method": 4, "quality": 80}
    whole = {"kmin": len(frames) + 1, "kmax": len(frames) + 2}  # only the first frame is complete
    first.save(file, save_all=True, append_images=others, duration=lengths, loop=PLAYS, **whole, **options)
    first.save(file.with_name(f"{file.stem}-still.webp"), **options)
    sys.stdout.write(
        f"{file.name}  {len(frames)} frames, {sum(lengths) / 1000:g} s, {file.stat().st_size / 1e3:.0f} kB\n"
    )
    return file


def _drop(scene: Set) -> None:
    stage = scene.stage
    stage.goto("/console/new/")
    stage.glide((760, 560), STEP)
    stage.hold(0.5)
    drop_file(stage, spreadsheet(scene.folder))


def _keys(scene: Set) -> None:
    from tests.factories import raw_answer

    scene.stage.page = scene.annotator("best-worst")
    answers = scene.assignments["best-worst"].answers.order_by("position")[:2]
    choices = [raw_answer(answer, right=True) for answer in answers]
    answer_questions(scene.stage, [(choice["best"], choice["worst"]) for choice in choices])


def _links(scene: Set) -> None:
    stage = scene.stage
    stage.page = scene.annotator("alignment")
    rows = [stage.page.locator(ROWS).nth(row).locator("[role=option]") for row in (0, 1)]
    words = [[text.strip().lower() for text in row.all_inner_texts()] for row in rows]
    rows[1].first.scroll_into_view_if_needed()
    stage.look()
    stage.hold(0.5)
    for first, second in LINKS:
        stage.drag(rows[0].nth(words[0].index(first)), rows[1].nth(words[1].index(second)))
        stage.hold(0.5)


def _decide(scene: Set) -> None:
    stage, page = scene.stage, scene.stage.page
    stage.goto(scene.place("best-worst", "adjudicate/"))
    stage.hold(0.8)
    stage.click(page.get_by_role("link", name="Decide the first question"), opens=True)
    stage.hold(1.5)
    stage.press("b", "B", 1.2)
    stage.press("Enter", "Enter", 1, opens=True)


def _plan(scene: Set) -> None:
    stage, page = scene.stage, scene.stage.page
    page.goto(f"/console/{_draft(scene.owner).public_id}/")
    budget = page.locator("#estimates-budget")
    budget.wait_for(timeout=SLOWEST)
    page.locator("#estimates").evaluate("panel => panel.scrollIntoView({block: 'start'})")
    stage.look()
    stage.hold(0.8)
    for amount in BUDGETS:
        stage.type(budget, amount, 1)
        stage.look(300)
        stage.hold(1.2)


def _draft(owner: User) -> Study:
    """Return a draft of the example study with paid annotators."""
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.studies.services.study import create_study

    config = tomllib.loads((EXAMPLE / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
    described = {name: value for name, value in config.items() if not isinstance(value, dict)} | config["settings"]
    study = create_study(user=owner, seed=1, options=config["options"], **described)
    for purpose in ("items", "gold"):
        data = (EXAMPLE / f"{purpose}.csv").read_bytes()
        import_file(study, purpose=purpose, filename=f"{purpose}.csv", data=data, user=owner)
    build_design(study.pk, user=owner)
    return study


def _report(scene: Set) -> None:
    stage, page = scene.stage, scene.stage.page
    stage.goto(scene.place("best-worst", "results/all/"))
    stage.hold(0.6)
    stage.click(page.get_by_role("button", name="Calculate"))
    stage.hold(1)
    page.wait_for_url("**/results/2/", timeout=SLOWEST)
    page.wait_for_load_state("networkidle")
    stage.look(800)
    stage.hold(1)
    stage.scroll(420, 0.6)  # each frame of a scrolled page is large


PICTURES: dict[str, Callable[[Set], None]] = {
    "drop": _drop,
    "keys": _keys,
    "links": _links,
    "decide": _decide,
    "plan": _plan,
    "report": _report,
}
