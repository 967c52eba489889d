"""Tests of the import preview for text in other encodings and for workbooks with titles, two header rows and merged
cells.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO

import pytest
from openpyxl import Workbook
from playwright.sync_api import Page, expect

from annotate.data.services.uploads import receive
from annotate.models import Upload
from tests.browser.test_console_setup import sign_in
from tests.chromium import check_in_both_themes, on_each_screen
from tests.factories import make_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]
GERMAN = "id,text\n1,Das Café schließt früh.\n2,Die Küche ist größer als üblich.\n"
JAPANESE = "id,text\n1,吾輩は猫である。名前はまだ無い。\n2,どこで生れたかとんと見当がつかぬ。\n"
FILES = {
    "utf-16": (GERMAN.encode("utf-16"), "utf-16", "Das Café schließt früh."),
    "windows-1252": (GERMAN.encode("windows-1252"), "windows-1252", "Das Café schließt früh."),
    "shift_jis": (JAPANESE.encode("cp932"), "shift_jis", "吾輩は猫である。"),
}


def _workbook() -> bytes:
    workbook = Workbook()
    sheet = workbook.active
    for row in (["Study of sentences"], [], ["Item", "Sentence", None], ["number", "first", "second"]):
        sheet.append(row)
    for number in range(1, 4):
        sheet.append([number, f"Sentence {number} sleeps", f"Sentence {number} rests"])
    sheet.merge_cells("B3:C3")
    stream = BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def _open(page: Page, filename: str, data: bytes) -> Upload:
    study = make_study(items=0, state="draft")
    owner = study.memberships.get().user
    upload = receive(study, purpose="items", filename=filename, data=data, user=owner)
    sign_in(page, owner, f"/console/{study.public_id}/uploads/{upload.public_id}/")
    return upload


def _check(page: Page, name: str) -> None:
    for width in on_each_screen(page):
        check_in_both_themes(page)
        if folder := os.environ.get("SCREENSHOTS"):
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                page.screenshot(path=f"{folder}/{name}-{width}-{theme}.png", full_page=True)


@pytest.mark.parametrize("name", [*FILES][:1])
def test_the_preview_names_the_encoding_and_another_can_be_chosen(name: str, open_page: Callable[..., Page]) -> None:
    data, encoding, text = FILES[name]
    page = open_page()
    _open(page, "items.csv", data)
    field = page.get_by_label("Encoding", exact=True)
    expect(field).to_have_value(encoding)
    expect(page.get_by_text(text).first).to_be_visible()
    _check(page, name)
    field.focus()
    field.select_option("koi8-r")
    page.get_by_role("button", name="Update the preview").press("Enter")
    expect(page.get_by_label("Encoding", exact=True)).to_have_value("koi8-r")
    expect(page.get_by_text(text)).to_have_count(0)


def test_the_header_of_a_workbook_can_have_two_rows(open_page: Callable[..., Page]) -> None:
    page = open_page()
    upload = _open(page, "items.xlsx", _workbook())
    expect(page.get_by_label("Header row")).to_have_value("3")
    _check(page, "workbook-guess")
    box = page.get_by_label("The header has two rows")
    box.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Update the preview").press("Enter")
    expect(page.get_by_label("Item number")).to_have_value("id")
    expect(page.get_by_label("Sentence first")).to_have_value("sentence1")
    expect(page.get_by_label("Sentence second")).to_have_value("sentence2")
    expect(page.get_by_role("heading", name="ready to import")).to_be_visible()
    _check(page, "workbook-chosen")
    page.get_by_role("button", name="Import").first.click()
    expect(page.get_by_text("imported 3 items")).to_be_visible()
    assert upload.items.get(key="2").content == {"sentence1": "Sentence 2 sleeps", "sentence2": "Sentence 2 rests"}


def test_a_doubtful_first_row_is_asked_about_before_the_import(open_page: Callable[..., Page]) -> None:
    page = open_page()
    words = "adjective happy sad glad angry calm proud tired bored eager".split()
    upload = _open(page, "words.csv", "\n".join(words).encode())
    expect(page.get_by_role("heading", name="Does the first row contain column names?")).to_be_visible()
    expect(page.get_by_role("button", name="Import", exact=False).first).to_be_hidden()
    _check(page, "first-row-unclear")
    page.get_by_role("button", name="Read the first row as column names").press("Enter")
    expect(page.get_by_role("heading", name="ready to import 9 items")).to_be_visible()
    _check(page, "first-row-names")
    page.get_by_role("button", name="Import").first.click()
    expect(page.get_by_text("imported 9 items")).to_be_visible()
    assert upload.items.first().key == "item-1"


def test_rows_with_errors_are_skipped_with_one_button(open_page: Callable[..., Page]) -> None:
    page = open_page()
    rows = [f"{n},Sentence {n} is short and plain." for n in range(1, 39)]
    data = "\n".join(["id,text", *rows, "1,This ID is taken.", "40,"])
    upload = _open(page, "sentences.csv", data.encode())
    button = page.get_by_role("button", name="Import 38 rows and skip 2 rows")
    expect(button).to_be_visible()
    _check(page, "rows-with-errors")
    button.press("Enter")
    expect(page.get_by_text("skipped 2 rows with errors (lines 40, 41)")).to_be_visible()
    assert upload.items.count() == 38
