"""The scenes of the film: a small team compares pairs of sentences, and the results become a verified release."""

from __future__ import annotations

import csv
import html
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.film.captions import Caption
from tests.film.stage import Stage
from tests.screenshots import ROOT, window

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from annotate.models import Study, User

EXAMPLE = ROOT / "examples" / "relatedness"
PAIRS = 44
TITLE = "Relatedness of sentences"
NAMES = ("Ada", "Ben", "Chloé", "Deniz")
SIMULATED = 3  # annotators who answer between two scenes
LEFT = 1  # HITs that they leave for the annotator in the film
CHOICES = ((1, 2), (3, 4), (4, 1), (2, 3), (1, 4))  # most and least related pair of each question
TERMINAL = """<!doctype html><meta charset="utf-8"><title>Terminal</title>
<body style="margin:0;background:#14181f;color:#e8eaf0;font:20px/1.7 'DejaVu Sans Mono',monospace">
<pre style="margin:60px;white-space:pre-wrap;font:inherit"><b>$ accord release verify {name}</b>
{lines}</pre>"""


@dataclass
class Film:
    """The stage, the installation and what the scenes have created so far."""

    stage: Stage
    browser: Browser
    site: str
    owner: User
    folder: Path
    study_page: str = ""
    personal_link: str = ""
    release: Path = field(default_factory=Path)

    def study(self) -> Study:
        from annotate.models import Study

        return Study.objects.get(title=TITLE)


@dataclass(frozen=True)
class Scene:
    """What happens, its length in seconds, and captions that divide this time equally."""

    seconds: float
    captions: tuple[str, ...]
    act: Callable[[Film], None]


def record(film: Film, scenes: Iterable[Scene]) -> None:
    """Play the scenes one after the other. Raises `RuntimeError` if one takes longer than its length."""
    end = 0.0
    for scene in scenes:
        end += scene.seconds
        scene.act(film)
        if film.stage.seconds > end + film.stage.step / 2:
            raise RuntimeError(f"The scene “{scene.captions[0]}” ends {film.stage.seconds - end:.2f} s too late.")
        film.stage.until(end)


def captions(scenes: Iterable[Scene]) -> Iterator[Caption]:
    """Yield the captions, which cover the whole film."""
    start = 0.0
    for scene in scenes:
        each = scene.seconds / len(scene.captions)
        for text in scene.captions:
            yield Caption(start, start + each, text)
            start += each


def spreadsheet(folder: Path) -> Path:
    """Write the first pairs of the example study as a spreadsheet, and return its path."""
    from openpyxl import Workbook

    book = Workbook()
    with (EXAMPLE / "items.csv").open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines)):
            if number <= PAIRS:
                book.active.append(row[:4])
    book.save(folder / "pairs.xlsx")
    return folder / "pairs.xlsx"


def drop_file(stage: Stage, file: Path) -> None:
    """Carry the file to the field of *Create a study*, and drop it there."""
    stage.carry(file.name)
    stage.point(stage.page.get_by_label("Drop your file here"), 1.2, place=(0.35, 0.6))
    stage.hold(0.4, pressed=True)
    stage.page.get_by_label("Drop your file here").set_input_files(file)
    stage.page.locator("#id_files_read").wait_for()  # the rows and columns of the file
    stage.carry(None)
    stage.look()


def _create(film: Film) -> None:
    stage, page = film.stage, film.stage.page
    stage.goto("/console/new/")
    stage.glide((1000, 640), 0.05)
    stage.hold(2.5)
    drop_file(stage, spreadsheet(film.folder))
    stage.hold(1.2)
    stage.type(page.get_by_label("Title"), TITLE, 3)
    stage.click(page.get_by_label("Best–worst scaling"))
    stage.click(page.get_by_label("A small team"))
    stage.hold(0.5)
    stage.click(page.get_by_role("button", name="Create the study"), opens=True)
    film.study_page = page.url
    stage.hold(1.5)


def _set_up(film: Film) -> None:
    stage, page = film.stage, film.stage.page
    stage.hold(1)
    stage.click(page.get_by_role("button", name="Build the questions"), 0.9, opens=True)
    stage.hold(1.5)
    names = page.get_by_label("Names of annotators")
    stage.click(names)
    for name in NAMES:
        page.keyboard.insert_text(f"{name}\n")
        stage.look(0)
        stage.hold(0.35)
    stage.click(page.get_by_role("button", name="Add the annotators"), opens=True)
    stage.hold(1.5)


def _open(film: Film) -> None:
    stage, page = film.stage, film.stage.page
    page.goto(film.study_page)
    stage.click(page.get_by_role("button", name="Open the study"), 1.2, opens=True)
    film.personal_link = page.get_by_text("/personal/").first.inner_text()
    stage.hold(1)
    stage.point(page.get_by_text("/personal/").first, 1)
    _simulate(film)


def _simulate(film: Film) -> None:
    """Let simulated annotators, who need no personal link, do all HITs except the last ones."""
    from annotate.annotator.simulation import simulate
    from annotate.models import Study

    with (EXAMPLE / "truth.csv").open(encoding="utf-8", newline="") as lines:
        truth = {row["id"]: float(row["relatedness"]) for row in csv.DictReader(lines)}
    study = film.study()
    stored = Study.objects.filter(pk=study.pk)
    stored.update(admission=Study.Admission.ANONYMOUS)
    study.refresh_from_db()
    hits = study.assignments_planned - LEFT
    simulate(study, user=film.owner, annotators=SIMULATED, seed=3, hits=hits, truth=truth, as_people=True)
    stored.update(admission=Study.Admission.NAMED)


def _answer(film: Film) -> None:
    stage = film.stage
    researcher, stage.page = stage.page, window(film.browser, film.site)
    page = stage.page
    page.set_viewport_size({"width": 1280, "height": 720})
    stage.goto(film.personal_link)
    stage.hold(1.5)
    stage.click(page.get_by_role("button", name="Start"), opens=True)
    page.locator("#answering").wait_for(state="visible")
    answer_questions(stage, CHOICES)
    page.context.close()
    stage.page = researcher


def answer_questions(stage: Stage, choices: Iterable[tuple[int, int]]) -> None:
    """Answer the first questions of the set with the keyboard: the most and the least related pair of each."""
    page = stage.page
    stage.look(300)
    for number, (most, least) in enumerate(choices, 1):
        page.locator(f"#progress[aria-valuenow='{number}']").wait_for()
        stage.look(200)
        stage.hold(1.2)
        stage.press(str(most), str(most), 0.6)
        stage.press(f"Shift+Digit{least}", f"Shift+{least}", 0.7)
        stage.press("Enter", "Enter", 0.4)
    page.wait_for_load_state("networkidle")
    stage.look(500)
    stage.hold(1)


def _watch(film: Film) -> None:
    film.stage.goto(film.study_page)
    film.stage.look(800)
    film.stage.hold(3)
    film.stage.scroll(330)


def _report(film: Film) -> None:
    stage, page = film.stage, film.stage.page
    stage.goto(film.study_page + "results/")
    stage.hold(1)
    stage.click(page.get_by_role("button", name="Calculate"))
    stage.hold(1)
    page.wait_for_url("**/results/1/", timeout=120_000)
    page.wait_for_load_state("networkidle")
    stage.look(800)
    stage.hold(4)
    stage.scroll(500, 1.2)


def _release(film: Film) -> None:
    stage, page = film.stage, film.stage.page
    page.evaluate("window.scrollTo(0, 0)")
    stage.click(page.get_by_role("link", name="Release"), opens=True)
    stage.type(page.get_by_label("Authors"), film.owner.name, 3)
    button = page.get_by_role("button", name="Download the release")
    stage.point(button, 0.8)
    stage.hold(0.2, pressed=True)
    with page.expect_download(timeout=120_000) as download:
        button.click()
    film.release = film.folder / "relatedness-1.0.zip"
    download.value.save_as(film.release)
    stage.look(300)


def _verify(film: Film) -> None:
    """Show what the command prints, as in a terminal."""
    command = [str(ROOT / ".venv" / "bin" / "accord"), "release", "verify", str(film.release)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = [*done.stderr.splitlines(), *done.stdout.splitlines()]
    stage = film.stage
    stage.hide_pointer()
    stage.page.goto("about:blank")  # the policy of Accord's pages forbids styles in the text
    for count in range(len(lines) + 1):
        text = html.escape("\n".join(lines[:count]))
        stage.page.set_content(TERMINAL.format(name=film.release.name, lines=text))
        stage.look(0)
        stage.hold(1.5 if count == 0 else 0.6)


SCENES = (
    Scene(
        14,
        (
            "A study begins with a file. Drop a spreadsheet on Create a study.",
            "Give it a title, and choose the task and who answers: here, a small team.",
        ),
        _create,
    ),
    Scene(
        12,
        (
            "Set up lists what is missing. Accord builds the questions and checks them.",
            "Each named annotator receives a personal link.",
        ),
        _set_up,
    ),
    Scene(7, ("Open the study, and send each annotator the link.",), _open),
    Scene(
        20,
        (
            "Ada opens her link. Which pair is most related, and which is least?",
            "Keys are enough: a number for most, Shift and a number for least.",
        ),
        _answer,
    ),
    Scene(8, ("The overview shows the progress. All other answers are simulated.",), _watch),
    Scene(
        13,
        (
            "Calculate the results: a score for each pair, with its uncertainty.",
            "The report says how reliable the scores are.",
        ),
        _report,
    ),
    Scene(9, ("Release the data with annotations, report and checksums in one file.",), _release),
    Scene(7, ("Anyone can verify the release. Every number is recalculated.",), _verify),
)
