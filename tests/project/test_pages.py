"""`script/pages` measures the console's pages, and a page over its ceiling fails."""

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE = """
<main id="main">
  <div class="con-head">
    <h1>Two words <a href="#">more</a></h1>
    <a class="b b-main">Add</a> <button class="b">Pause</button> <button hidden>Hidden</button>
    <details class="explain"><summary>?</summary>Four words behind it</details>
  </div>
  <table><tr><td>in a table</td></tr></table> <ul><li>in a list</li></ul> <span class="sr">for screen readers</span>
  <details><summary>Closed</summary>Nobody sees this at rest.</details>
  <label>Name <input></label> <p class="help">Two–word help.</p> <p class="help">One.</p>
  <textarea>a text by the researcher</textarea> <svg><text>axis</text></svg>
  <div style="height: 2000px"></div>
</main>
"""
BUDGET = {"limits": {"words": 150, "height": 1700}, "ceilings": {"a b words": 200, "a b height": 2000}}


def measured(words: int, height: int, page: str = "b") -> pages.Studies:
    return {"a": {page: dict.fromkeys(pages.FIGURES, 0) | {"words": words, "height": height}}}


def test_words_at_rest_are_those_outside_tables_lists_and_fields(chromium: "Browser") -> None:
    page = chromium.new_page()
    page.set_content(PAGE)
    figures = page.evaluate(pages.MEASURE)
    page.close()
    assert figures.pop("height") > 2000
    assert figures == {"words": 10, "help": 3, "longest": 2, "actions": 2, "primary": 1}


def test_a_page_may_not_exceed_its_ceiling_or_the_limit() -> None:
    assert pages.excesses(measured(200, 2040), BUDGET) == [], "heights have a tolerance for other fonts"
    assert pages.excesses(measured(201, 2041), BUDGET) == [
        "a b words: 201, ceiling 200",
        "a b height: 2,041, ceiling 2,000",
    ]
    assert pages.excesses(measured(151, 1700, "new"), BUDGET) == ["a new words: 151, ceiling 150"]


def test_ceilings_only_go_down() -> None:
    assert pages.lowered(measured(180, 1990), BUDGET) == {"a b height": 2000, "a b words": 180}
    assert pages.lowered(measured(201, 1700), BUDGET) == {"a b words": 200}
    assert pages.lowered(measured(151, 1700, "new"), BUDGET) == {}, "a new page gets no ceiling"
    assert pages.lowered({"c": {}}, BUDGET) == BUDGET["ceilings"], "other studies keep theirs"


def test_figures_stand_after_earlier_figures_with_totals() -> None:
    earlier = measured(200, 2000) | {"c": measured(7, 7)["a"]}
    lines = pages.table({"a": measured(150, 1600)["a"] | measured(9, 100, "new")["a"]}, earlier).splitlines()
    words = {line.split()[0]: line.split()[1:4] for line in lines if line}
    assert words["b"] == ["200", "→", "150"]
    assert words["new"] == ["–", "→", "9"]
    assert words["total"] == ["200", "→", "159"]
    assert lines[-1].split()[:5] == ["all", "studies", "200", "→", "159"]


@pytest.mark.nightly
def test_no_page_exceeds_its_ceiling() -> None:
    command = [sys.executable, "-m", "tests.pages", "--check"]
    done = subprocess.run(command, cwd=pages.ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
