"""Tests for the page of a dataset, which is a file of every release."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from annotate.server.software import versions
from releases.contents.charts import MOST_BARS, chart_of, ranges
from releases.contents.folder import REPORT
from releases.contents.page import LONGEST_CELL, PAGE
from releases.contents.reading import in_r
from releases.contents.tables import tables_in
from releases.contents.verify import verify
from releases.services.releases import Release
from tests.chromium import check_in_both_themes, on_each_screen
from tests.releases.test_release import damaged, made, released  # noqa: F401 (fixtures)

# The release is made in the tables that pytest-django creates only for tests with this mark.
pytestmark = pytest.mark.django_db


def test_the_page_loads_nothing_and_has_no_script(released: Release) -> None:  # noqa: F811
    page = released.files[PAGE].decode()
    assert not re.search(r"<script|<link|<img|@import|url\(|\ssrc=|\son[a-z]+=", page)
    assert "default-src 'none'" in page


def test_the_page_shows_the_result_of_the_report(released: Release) -> None:  # noqa: F811
    headline = json.loads(released.files[REPORT])["result"]["headline"]
    page = released.files[PAGE].decode()
    assert f"{headline['name']}: " in page
    low, high = sorted(f"{end['value']:.3f}".lstrip("0") for end in headline["ends"])
    assert (low if low == high else f"{low}–{high}").replace("-", "−") in page
    assert headline["doubt"] in page


def test_a_changed_page_is_found(released: Release) -> None:  # noqa: F811
    files = damaged(released, PAGE, b"Sample rows", b"Sample lines")
    [fault] = verify(files, versions=versions()).faults
    assert fault.startswith(f"{PAGE}, line ")


def test_a_release_made_before_the_page_existed_still_verifies(released: Release) -> None:  # noqa: F811
    files = {path: data for path, data in released.files.items() if path != PAGE}
    lines = files["SHA256SUMS"].decode().splitlines(keepends=True)
    files["SHA256SUMS"] = "".join(line for line in lines if not line.endswith(f"  {PAGE}\n")).encode()
    assert verify(files, versions=versions()).faults == []


@given(st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 3)), min_size=2))
def test_the_ranges_contain_every_value_once(values: list[float]) -> None:
    if max(values) - min(values) < 0.01:
        return
    rows = ranges(values)
    assert sum(count for _, count in rows) == len(values)
    assert len(rows) <= MOST_BARS + 1
    ends = [tuple(map(float, label.split(" to "))) for label, _ in rows]
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert ends[0][0] <= min(values)
    assert max(values) <= ends[-1][1]


def test_a_chart_counts_values_and_leaves_out_texts() -> None:
    chart = chart_of("label", "text", ["good", "bad", "good", "", "good"])
    assert chart is not None
    assert chart.rows == [("good", 3), ("bad", 1)]
    assert 'aria-label="label. good: 3; bad: 1"' in chart.svg
    assert chart_of("text", "text", [f"sentence {number}" for number in range(9)]) is None
    assert chart_of("one", "text", ["yes", "yes"]) is None
    hostile = chart_of('<b>"', "text", ["<script>", "<script>", "&", "&"])
    assert hostile is not None
    assert "<script>" not in hostile.svg
    assert '<b>"' not in hostile.svg


def test_lines_for_r_keep_texts_that_r_would_convert() -> None:
    rows = [["007", "T", "NA", "a"], ["012", "F", "b", "c"]]
    [table] = tables_in({"data/x-y.csv": b"id,logical,word,plain name\n007,T,NA,a\n012,F,b,c\n"})
    assert in_r(table, rows)[0] == (
        'x_y <- read.csv("data/x-y.csv", colClasses = c(id = "character", logical = "character"), na.strings = "")'
    )
    [table] = tables_in({"data/a.tsv": b'word\n"a\n'})
    assert in_r(table, [['"a']])[0] == 'a <- read.delim("data/a.tsv", quote = "")'


def test_a_hostile_title_and_long_cells_are_shown_as_text(made: Any) -> None:  # noqa: F811
    from annotate import tasktypes
    from releases.contents.folder import About, pages, released_tables

    release, data, _ = made
    title = "<script>alert(1)</script>"
    files = dict(release.files) | {"data/scores.csv": f"item,score,text\na,1,{'x' * 999}\n".encode()}
    task = tasktypes.get("bws")
    changed = replace(data, facts={**data.facts, "title": title})
    about = About("1.0", "CC0-1.0", date(2026, 11, 30), creators=title, url="https://example.org/?a=1&b=2")
    page, _ = pages(task, changed, {}, about, None, released_tables(task, files), files)[PAGE]
    assert "<script>" not in page.decode()
    assert "x" * (LONGEST_CELL - 1) + "…" in page.decode()
    assert "x" * LONGEST_CELL not in page.decode()


@pytest.mark.nightly
def test_the_page_fits_phones_and_desks_in_both_themes(
    released: Release,  # noqa: F811
    chromium: Browser,
    tmp_path: Path,
    axe: Callable[[Page], None],
) -> None:
    (tmp_path / PAGE).write_bytes(released.files[PAGE])
    page = chromium.new_page(bypass_csp=True)  # axe is a script, which the page's policy forbids
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / PAGE).as_uri())
    for _ in on_each_screen(page):
        check_in_both_themes(page)
    assert requests == [(tmp_path / PAGE).as_uri()]
    page.close()
