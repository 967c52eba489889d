"""Each action has keys for the left hand and for the right hand alone, on a QWERTY keyboard."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from annotate.models import Answer, Assignment
from tests.annotating import heading, question, until
from tests.browser.test_long_sitting import annotator_of, enter_work

HALVES = {
    "left": re.compile(r"(Shift[+])?[1-5qwertasdfgzxcvb]"),
    "right": re.compile(r"(Shift[+])?([06-9yuiophjklnm]|Backspace|[/,.;])"),
}
PAGE = {"i", "p", "b", "?"}


class Actions(HTMLParser):
    """The shortcuts in a rendered list of keys."""

    def __init__(self) -> None:
        super().__init__()
        self.actions: dict[str, dict[str, str]] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if "data-action" in given:
            usual = given["data-usual"]
            other = given.get("data-other", "")
            hands = ("left", "right") if HALVES["left"].fullmatch(usual) else ("right", "left")
            self.actions[given["data-action"]] = dict(zip(hands, (usual, other), strict=True))


def keys_of(slug: str) -> dict[str, dict[str, str]]:
    listed = Actions()
    options = {"size": 6, "most": "most", "least": "least"}
    listed.feed(render_to_string(f"{slug}/keys.html", {"study": SimpleNamespace(options=options)}))
    return listed.actions


@pytest.mark.parametrize("slug", ["bws", "paraphrase", "words", "chunks"])
def test_each_action_has_a_key_of_its_own_for_each_hand(slug: str) -> None:
    actions = keys_of(slug)
    assert actions
    for hand, half in HALVES.items():
        keys = [keys[hand] for keys in actions.values()]
        assert [action for action, key in actions.items() if not half.fullmatch(key[hand])] == []
        assert len(set(keys)) == len(keys), f"{hand}: two actions with the same key"
        assert not PAGE & {key.removeprefix("Shift+") for key in keys}, "a key of the page"


@pytest.mark.django_db(transaction=True)
@pytest.mark.nightly
def test_the_list_of_keys_follows_the_hand(page: Page) -> None:
    enter_work(page, annotator_of("bws", questions=24, per_set=2))
    heading(page)
    page.keyboard.press("?")
    page.get_by_label("Shortcuts for").select_option("the right hand")
    expect(page.get_by_label("Use Tab to reach")).to_be_checked()
    expect(page.locator("#keys [data-action=least2] kbd")).to_have_text("⇧ J")
    page.keyboard.press("Escape")
    expect(page.locator(".pick kbd").first).to_have_text("H")
    page.keyboard.press("h")
    page.keyboard.press("Shift+J")
    page.keyboard.press("Enter")
    question(page, 2)
    page.reload()
    question(page, 2)
    expect(page.locator(".pick kbd").first).to_have_text("H")
    page.keyboard.press("?")
    page.get_by_label("Shortcuts for").select_option("both hands")
    page.keyboard.press("Escape")
    expect(page.locator(".pick kbd").first).to_have_text("1")


@pytest.mark.django_db(transaction=True)
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("hand", "keys"),
    [("left", "w c q 1 e t `"), ("right", "; Shift+Y u 6 m Shift+M =")],
)
def test_a_hit_of_chunks_with_the_keys_of_one_hand(page: Page, hand: str, keys: str) -> None:
    annotator = annotator_of("chunks", questions=2, per_set=2)
    enter_work(page, annotator)
    page.keyboard.press("?")
    page.get_by_label("Shortcuts for").select_option(f"the {hand} hand")
    page.keyboard.press("Escape")
    for number in (1, 2):
        question(page, number)
        page.wait_for_function("() => performance.getEntriesByType('resource').some(({name}) => /visits/.test(name))")
        for key in keys.split():
            page.keyboard.press(key)
    until(page, lambda: Assignment.objects.filter(participation=annotator, state="done").exists())
    for answer in Answer.objects.filter(assignment__participation=annotator):
        assert [link["type"] for link in answer.value["links"]] == ["EQUI"]
