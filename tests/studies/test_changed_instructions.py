"""Tests of changed instructions, which annotators compare with the version that they have read."""

from __future__ import annotations

import time

import pytest
from django.test import Client

from annotate.studies.services.settings import change_settings
from annotate.web.text_changes import Change, text_changes
from tests.annotator.test_annotator_pages import come_in
from tests.console_setup import form_values
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, make_study
from tests.markup import markup
from tests.people.test_annotators_overview import page

pytestmark = pytest.mark.django_db


@pytest.mark.nightly
def test_changed_instructions_are_compared_with_the_version_that_was_read(client: Client) -> None:
    owner = UserFactory()
    study = make_study(user=owner, instructions="Choose the pair.\n\nRead slowly.")
    come_in(client, study)
    assert "instructions have changed" not in markup(client.get(page(study)))
    change_settings(study.pk, user=owner, instructions="Choose the nearest pair.\n\nRead slowly.")
    change_settings(study.pk, user=owner, instructions="Choose the nearest pair.\n\nRead twice.")
    assert "instructions have changed" in markup(client.get(page(study)))
    html = markup(client.get(page(study, "guidelines")))
    assert html.count("<ins>") == 2
    assert html.count("<del>") == 1
    assert "Added:" in html
    client.post(page(study, "guidelines"), {"version": "2"})
    assert "instructions have changed" in markup(client.get(page(study))), "version 3 has not been read"
    client.post(page(study, "guidelines"), {"version": "x"})
    client.post(page(study, "guidelines"), {"version": "3"})
    assert "instructions have changed" not in markup(client.get(page(study)))
    assert "have not changed" in markup(client.get(page(study, "guidelines")))


def test_text_changes_rebuild_both_versions() -> None:
    before = "# Task\n\nChoose the pair, please.\nRead it.\n"
    after = "# Task\n\nChoose the best pair.\nRead it.\nThen rest.\n"
    parts = text_changes(before, after)
    assert "".join(part.text for part in parts if part.kind != "added") == before
    assert "".join(part.text for part in parts if part.kind != "removed") == after
    assert Change("added", "best ") in parts
    assert text_changes("", "new") == [Change("added", "new")]
    assert text_changes("same", "same") == [Change("same", "same")]
    lines = [Change("same", "one\ntwo\n"), Change("added", "three")]
    assert text_changes("one\ntwo\n", "one\r\ntwo\r\nthree") == lines


def test_long_texts_are_compared_quickly() -> None:
    before = "\n".join(f"Line {number} of the instructions, with ten more words in it." for number in range(2_000))
    started = time.thread_time()  # other processes share the cores
    text_changes(before, before.replace("Line 7", "Row 7"))
    text_changes("one two " * 20_000, "one three " * 20_000)
    assert time.thread_time() - started < 3


def test_the_line_ends_of_a_form_are_no_new_version() -> None:
    study = make_study(instructions="Choose the pair.\n\nRead slowly.")
    values = form_values(study, step="texts", instructions="Choose the pair.\r\n\r\nRead slowly.")
    assert browser_of(study).post(page_of(study, "settings/texts/"), values).status_code == 302
    study.refresh_from_db()
    assert (study.guidelines_version, study.instructions) == (1, "Choose the pair.\n\nRead slowly.")
