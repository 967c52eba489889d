"""Tests that all annotators' pages of a study are in its language, from joining to the end."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from django.conf import settings
from django.db.models import QuerySet
from playwright.sync_api import Page, expect

from accord_core.numerics.draws import generator
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.services.answer import give_answer
from annotate.core.services.claim import claim
from annotate.core.services.standing import stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.models import Answer, Participation, Study
from annotate.translations.catalogue import forms
from tests.annotating import SETTLED
from tests.browser.test_chunks_work import chunk_study
from tests.chromium import on_each_screen
from tests.factories import gold_in, make_study
from tests.paraphrasing import paraphrase_study
from tests.word_study import word_study

pytestmark = pytest.mark.django_db(transaction=True)

SCREENSHOTS = os.environ.get("ACCORD_SCREENSHOTS", "")  # a folder, to look at the pages
STUDIES: dict[str, Callable[[], Study]] = {
    "bws": lambda: make_study(items=8, gold=4, gold_block=2, reward="0.50", consent="1, 2, 3."),
    "paraphrase": paraphrase_study,
    "words": word_study,
    "chunks": chunk_study,
}
REFUSALS = {
    "bws": "Choose the {noun} that is {most} and the {noun} that is {least}.",
    "paraphrase": "{n} candidate has no answer yet. Choose Yes or No.",
    "words": "You have not changed any links yet. Correct any wrong links, or confirm that the links are correct.",
    "chunks": "Link “{chunk}”, or choose NOALI or ALIC.",
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{[^}]*\}|<[^>]*>")
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
VISIBLE = """() => {
  const texts = document.body.innerText.split("\\n");
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]"))
    for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"])
      if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
  for (const dialog of document.querySelectorAll("dialog")) texts.push(...dialog.textContent.split("\\n"));
  return texts.map((text) => text.trim()).filter(Boolean);
}"""


# Whether two figures of the header overlap, because a language needs long words for them.
OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll(".an-figures > p:not([hidden])")].map((p) => {
    const range = document.createRange();
    range.selectNodeContents(p);
    return range.getBoundingClientRect();
  });
  return boxes.some((a, i) => boxes.some((b, j) =>
    i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}"""


class Texts:
    """The texts in one language, by their English texts."""

    def __init__(self, language: str) -> None:
        path = Path(settings.BASE_DIR) / "locale" / language / "LC_MESSAGES" / "django.po"
        self.catalogue: Catalog = read_po(io.BytesIO(path.read_bytes()))

    def __getitem__(self, english: str) -> str:
        return str(forms(self.catalogue[english].string)[0])

    def any_form(self, english: str) -> re.Pattern[str]:
        """Return a pattern for all plural forms with any value for each placeholder."""
        return re.compile("|".join(map(pattern, forms(self.catalogue[english].string))))

    def english(self) -> list[re.Pattern[str]]:
        """Return patterns of all English texts that differ from their translations."""
        texts = set()
        for message in self.catalogue:
            texts |= {text for text in forms(message.id) if text not in ("", *forms(message.string))}
        # A text such as “{n} of {total}” also matches sentences that researchers write.
        wordy = [text for text in texts if len(re.findall(r"[A-Za-z]", PLACEHOLDER.sub("", text))) > 4]
        return [re.compile(pattern(text)) for text in wordy]


def pattern(text: str) -> str:
    return ".+?".join(map(re.escape, PLACEHOLDER.split(text.replace("%%", "%"))))


SCHEMES = {390: "light", 1280: "dark"}  # by width


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", STUDIES)
def test_a_study_is_in_its_language_from_the_first_page_to_the_last(
    page: Page, axe: Callable[[Page], None], language: str, kind: str, expected_errors: list[str]
) -> None:
    texts = Texts(language)
    english = texts.english()
    expected_errors.append("Applying inline style")  # axe clones labels, which scripts may place and markup may not
    study = STUDIES[kind]()
    Study.objects.filter(pk=study.pk).update(
        language=language,
        title="2026",
        instructions=texts["Read the changes"],
        examples="",
        rule_threshold=0,
        practice=kind == "bws",
        options=study.options | dict(tasktypes.get(study.task_type).texts_in(language).options),
    )
    study.questions.update(explanation="")  # researchers write explanations in any language
    study.refresh_from_db()
    seen: list[str] = []

    def look(name: str) -> None:
        page.wait_for_load_state()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
        seen.append(name)
        for width in on_each_screen(page):
            page.emulate_media(color_scheme=SCHEMES[width])  # type: ignore[arg-type]
            leaks = [text for text in page.evaluate(VISIBLE) if any(pattern.fullmatch(text) for pattern in english)]
            if SCREENSHOTS:
                page.screenshot(
                    path=f"{SCREENSHOTS}/{language}-{kind}-{width}-{len(seen):02}-{name}.png", full_page=True
                )
            assert leaks == [], f"{name} at {width} px"
            if width == min(SCHEMES):
                axe(page)
                assert not page.evaluate(OVERLAPPING), name

    page.goto(f"/join/{study.join_token}")
    look("join")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name=texts["Take part"]).click()
    expect(page).to_have_url(re.compile("/a/"))
    participation = Participation.objects.get(study=study)
    page.goto(f"/s/{study.public_id}")
    look("hub")
    page.locator("form[action$='/start'] button").click()
    expect(page.locator("#question")).not_to_be_empty()
    look("question")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_text(texts.any_form(REFUSALS[kind]))
    for key, name in (("?", "keys"), ("p", "pause"), ("i", "instructions")):
        page.keyboard.press(key)
        expect(page.locator(f"dialog#{name}")).to_be_visible()
        look(name)
        page.keyboard.press("Escape")
    answer_gold_wrongly(participation)
    page.reload()
    expect(page.locator(".note")).to_be_visible()
    look("feedback")
    page.get_by_role("button", name=texts["I disagree"]).click()
    look("dispute")
    page.wait_for_timeout(SETTLED)
    with page.expect_response(re.compile("/acknowledgement$")):  # the page goes on without waiting for the reply
        page.get_by_role("button", name=texts["Send and continue"]).click()
    expect(page.locator("#question")).not_to_be_empty()
    Study.objects.filter(pk=study.pk).update(hits_per_annotator=1)
    finish(participation)
    page.goto(f"/s/{study.public_id}")
    look("finished")
    if kind == "bws":  # the pages that are the same for all task types
        for name in ("study", "pay", "not-me", "guidelines"):
            page.goto(f"/s/{study.public_id}/{name}")
            look(name)
        page.goto(f"/s/{study.public_id}")
        page.get_by_role("button", name=texts["Create a resume code"]).click()
        look("code")
        page.goto(f"/s/{study.public_id}")
    stop(participation.pk, reason="…", user=SYSTEM)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text(texts["Thank you. Your work in this study ends here"])
    look("stopped")
    if kind == "bws":
        page.get_by_role("textbox").fill("…")
        page.get_by_role("button", name=texts["Send the objection"]).click()
        look("objection")
        page.get_by_role("link", name=texts["Withdraw from the study"]).click()
        look("withdraw")
        page.get_by_role("radio").first.check()
        page.get_by_role("button", name=texts["Continue"]).click()
        expect(page.locator("input[name=confirmed]")).to_be_attached()
        look("confirm")
        page.locator("form button.b-main").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(texts["You have withdrawn from this study"])
        look("withdrawn")


def test_the_pages_around_a_study_are_in_the_language_of_the_browser(
    open_page: Callable[..., Page], expected_errors: list[str]
) -> None:
    english = Texts("de").english()
    page = open_page(locale="de-DE")
    expected_errors.append("404")
    for path in ("/", "/resume", "/join/unknown"):
        page.goto(path)
        leaks = [text for text in page.evaluate(VISIBLE) if any(pattern.fullmatch(text) for pattern in english)]
        assert leaks == [], path


def answer_gold_wrongly(participation: Participation) -> None:
    """Give a wrong answer to the first gold or practice question of the assignment in hand."""
    assignment = participation.assignments.latest("pk")
    gold = gold_in(assignment) or list(assignment.answers.order_by("position"))
    answer = gold[0]
    task, question, options = tasktypes.get(participation.study.task_type), answer.question, participation.study.options
    for value in candidates(answer):
        cleaned = task.clean(question.payload, answer.shown, value, options)
        if not task.grade(question.payload, question.gold, cleaned, options).passed:
            give_answer(participation.pk, assignment.public_id, answer.position, value)
            return
    raise AssertionError("no wrong answer was found")


def candidates(answer: Answer) -> Iterator[object]:
    """Yield simulated answers of careless annotators. Without links, no alignment of words is as expected."""
    study = answer.assignment.participation.study
    if study.task_type == "words":
        yield {"sure": [], "possible": [], "log": [[0, "confirm", "button", []]]}
    task = tasktypes.get(study.task_type)
    truth = dict.fromkeys(task.item_keys(answer.question.payload), 0.5)
    for number in range(50):
        yield task.simulate(
            answer.question.payload, answer.shown, truth, study.options, True, generator(number, "languages")
        )


def finish(participation: Participation) -> None:
    """Submit assignments through the service until one regular HIT is done."""
    while not participation.assignments.filter(kind="regular", state="done").exists():
        assignment = claim(participation.pk).assignment
        assert assignment is not None
        open_answers: QuerySet[Answer] = assignment.answers.filter(given_at=None).order_by("position")
        sent = [AnswerSent(answer.position, next(candidates(answer)), 1.0) for answer in open_answers]
        submit(participation.pk, assignment.public_id, sent)
