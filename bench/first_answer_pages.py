"""Count the pages, words, fields and presses between starting a tool and the first stored answer, with four tools.

    script/bench first_answer_pages FOLDER [TOOL ...]

FOLDER contains the installations of `script/bench first_answer FOLDER`. The program passes the pages in Chromium as a
researcher would who is also the first annotator, on the shortest way, from the address that the tool prints until it
has stored the first answer. The rule is the same for each tool:

- A page is what an address, a tab or a dialog shows when it opens. The same page after an entry is not a new page.
- Words are the visible words of each page when it opens, with the sentences, and of a dialog only its own words.
- A field is a text, a file or a setting that has to be entered before the next page. An answer consists of presses.
- A press is a click or a key that opens a page, answers the question or submits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

from bench.first_answer import LABELS, accord_link, label_studio_site, pairs, pearmut_link, potato_site
from tests import servers
from tests.chromium import QUIET

DIALOG = ".lsf-modal-ls__content"  # a dialog of Label Studio


@dataclass
class Way:
    """The counts of one tool so far."""

    page: Page
    words: list[int] = field(default_factory=list)  # on each page
    fields: int = 0
    presses: int = 0

    def sees(self, content: Locator, within: str = "body") -> None:
        """Count the page that shows this content."""
        expect(content.first).to_be_visible()
        self.page.wait_for_timeout(1000)  # until all parts of the page have been drawn
        self.words.append(len(self.page.locator(within).last.inner_text().split()))

    def enters(self, name: Locator, text: str) -> None:
        name.fill(text)
        self.fields += 1

    def presses_on(self, control: Locator) -> None:
        control.first.click()
        self.presses += 1


def main(folder: Path, names: list[str]) -> None:
    """Print one line per tool."""
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=QUIET)
        for name in names or TOOLS:
            way = Way(browser.new_page(viewport={"width": 1280, "height": 800}))
            TOOLS[name](folder / name, way)
            words = f"{sum(way.words)} words ({' + '.join(map(str, way.words))})"
            print(f"{name:<14} {len(way.words)} pages, {words}, {way.fields} fields, {way.presses} presses")
            way.page.close()
        browser.close()


def accord(environment: Path, way: Way) -> None:
    with accord_link(environment) as link:
        page = way.page
        page.goto(link)
        way.sees(page.get_by_role("heading", level=1))
        way.presses_on(page.get_by_role("button", name="Start"))
        way.sees(page.get_by_role("heading", name="Which pair is most related"))
        for key in ("1", "Shift+Digit4"):  # the most and the least related pair
            page.keyboard.press(key)
            way.presses += 1
        expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def potato(environment: Path, way: Way) -> None:
    with potato_site(environment) as site:
        page = way.page
        page.goto(site)
        way.sees(page.get_by_role("button", name="Register"))
        way.presses_on(page.locator("#register-tab"))
        way.sees(page.locator("#register-email"))
        way.enters(page.locator("#register-email"), "ann1")
        way.enters(page.locator("#register-pass"), "secret-1234")
        way.presses_on(page.locator("form[action$='/register'] button"))
        way.sees(page.get_by_text(pairs()[0][1]))
        with page.expect_response("**/updateinstance"):
            way.presses_on(page.locator("input[type=radio][value='3'], label:has-text('3')"))


def pearmut(environment: Path, way: Way) -> None:
    with pearmut_link(environment) as link:
        page = way.page
        page.goto(link)
        way.sees(page.get_by_text(pairs()[0][1]))
        slider = page.locator("input[type=range]")
        slider.first.click()
        way.presses += 1
        with page.expect_response("**/log-response"):
            way.presses_on(page.locator("#button_next"))


def label_studio(environment: Path, way: Way) -> None:
    with label_studio_site(environment) as site:
        page = way.page
        page.goto(site)
        way.sees(page.get_by_role("link", name="Sign up"))
        way.presses_on(page.get_by_role("link", name="Sign up"))
        way.sees(page.locator("#email"))
        way.enters(page.locator("#email"), "ann1@example.org")
        way.enters(page.locator("#password"), "secret-1234")
        way.presses_on(page.get_by_role("button", name="Create Account"))
        way.sees(page.get_by_role("button", name="Create Project"))
        way.presses_on(page.get_by_role("button", name="Create Project"))
        way.sees(page.get_by_text("Data Import"), DIALOG)
        way.presses_on(page.get_by_text("Data Import"))
        way.sees(page.get_by_text("Upload Files"), DIALOG)
        page.locator("input[type=file]").first.set_input_files(environment / "study/pairs.csv")
        way.fields += 1
        way.presses_on(page.locator("label", has_text="List of tasks"))
        way.presses_on(page.get_by_text("Labeling Setup"))
        way.sees(page.get_by_text("Custom template"), DIALOG)
        way.presses_on(page.get_by_text("Custom template"))
        way.sees(page.locator(".CodeMirror"), DIALOG)
        page.locator(".CodeMirror").first.click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(LABELS)
        way.fields += 1
        way.presses_on(page.get_by_role("button", name="Save"))
        way.sees(page.get_by_role("button", name="Label All Tasks"))
        way.presses_on(page.get_by_role("button", name="Label All Tasks"))
        way.sees(page.get_by_text(pairs()[0][1]))
        way.presses_on(page.locator("label", has_text="3"))
        way.presses_on(page.get_by_role("button", name="Submit"))
        expect(page.get_by_text("Annotation saved successfully").first).to_be_visible()


TOOLS: dict[str, Callable[[Path, Way], None]] = {
    "accord": accord,
    "potato": potato,
    "pearmut": pearmut,
    "label-studio": label_studio,
}

if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]).resolve(), sys.argv[2:])
    else:
        print("first_answer_pages needs the folder of first_answer: script/bench first_answer_pages FOLDER")
