"""Tests of the page of a batch, as a plain file and inside the forms of several hosts."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accord_core.exchange.mturk_results import Result, write_results
from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Participation, Question, Study
from annotate.mturk.services.batches import import_results
from annotate.questions.selectors.data import study_data
from tests.factories import make_study
from tests.mturk.hosts import Host, host_in
from tests.mturk.turk import opened

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[2]
EXAMPLE, STATIC = ROOT / "examples" / "relatedness", ROOT / "static"


@pytest.fixture
def turk(tmp_path: Path, expected_errors: list[str], settings: Any) -> Iterator[Host]:
    expected_errors.append(r"/favicon\.ico")  # asked for while the server goes down
    with host_in(tmp_path) as host:
        settings.BATCH_ORIGINS = [host.address]
        yield host


def hit(turk: Host, assignment: str = "A1", **also: str) -> str:
    """Return the address of the HIT's page without a host's form."""
    return turk.url("file", **{"assignmentId": assignment, "workerId": "W1", "turkSubmitTo": turk.address, **also})


@pytest.fixture
def study() -> Study:
    texts = {name: (EXAMPLE / f"{name}.md").read_text(encoding="utf-8") for name in ("instructions", "examples")}
    return make_study(items=10, gold=4, **texts)


def press(page: Page, value: dict[str, int]) -> None:
    page.keyboard.press(str(value["best"]))
    page.keyboard.press(f"Shift+{value['worst']}")


def turned(value: dict[str, int]) -> dict[str, int]:
    return {"best": value["worst"], "worst": value["best"]}


@pytest.mark.nightly
def test_a_hit_by_keyboard_from_preview_to_scores(
    open_page: Callable[..., Page], turk: Host, study: Study, axe: Callable[[Page], None]
) -> None:
    page = open_page(reduced_motion="reduce")  # colours during a transition have too little contrast
    row = turk.publish(study)
    questions = opened(row)
    gold_at = next(n for n, question in enumerate(questions) if "gold" in question)

    page.goto(hit(turk, "ASSIGNMENT_ID_NOT_AVAILABLE"))
    expect(page.get_by_text("This is a preview")).to_be_visible()
    expect(page.get_by_role("heading", name="What makes two sentences related")).to_be_visible()
    press(page, {"best": 1, "worst": 2})
    expect(page.locator("input:checked")).to_have_count(0)
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "true")
    axe(page)

    page.goto(hit(turk))
    expect(page.locator("[data-words]")).to_have_text("Question 1 of 6")
    expect(page.locator("#preview")).to_be_hidden()
    page.keyboard.press("i")
    expect(page.get_by_role("heading", name="What makes two sentences related")).to_be_hidden()
    for number, question in enumerate(questions):
        expect(page.locator("[data-words]")).to_have_text(f"Question {number + 1} of {len(questions)}")
        shown = page.locator("#task .sent").all_inner_texts()
        assert shown == [text for item in question["content"]["items"] for text in item["sentences"]]
        page.keyboard.press("Enter")  # nothing chosen yet
        expect(
            page.get_by_text("Choose the pair that is most related and the pair that is least related.")
        ).to_be_visible()
        if number != gold_at:
            press(page, {"best": 2, "worst": 4})
            page.keyboard.press("Enter")
            continue
        press(page, turned(question["gold"]))
        axe(page)
        page.keyboard.press("Enter")
        note = page.get_by_role("alert")
        expect(note).to_contain_text("our answer is different")
        expect(note).to_contain_text(question["why"])
        axe(page)
        page.reload()  # the feedback must still be read
        expect(note).to_contain_text(question["why"])
        page.wait_for_timeout(600)  # a double press is not an answer
        page.keyboard.press("Enter")
        expect(page.get_by_text("already seen our answer")).to_be_visible()
        press(page, question["gold"])
        page.keyboard.press("Enter")
    expect(page).to_have_title("Taken")

    [(path, posted)] = turk.posts
    assert path == "/mturk/externalSubmit"
    assert posted.keys() == {"assignmentId", "answers"}  # the fields of the last question are not sent
    assert posted["assignmentId"] == "A1"
    answers = json.loads(posted["answers"])
    assert [answer["question"] for answer in answers] == [question["question"] for question in questions]
    assert [answer["feedback"] for answer in answers] == [
        "seen" if number == gold_at else None for number in range(len(questions))
    ]
    assert answers[gold_at]["value"] == turned(questions[gold_at]["gold"])  # as it was given, whatever came after
    assert all(answer["seconds"] > 0 for answer in answers)

    result = Result(
        hit_id="H1",
        assignment_id=posted["assignmentId"],
        worker_id="W1",
        input=row,
        answers={"answers": posted["answers"]},
    )
    done = import_results(study.pk, "".join(write_results([result])).encode(), "Batch_1.csv", user=SYSTEM)
    assert (done.assignments, done.answers) == (1, 6)
    worker = Participation.objects.get(study=study)
    assert worker.tallies == {"right": 0, "wrong": 1}
    counted = [row for row in study_data(study).answers if row.counts]
    assert len(counted) == 5
    for row_counted in counted:
        keys = Question.objects.get(study=study, ref=row_counted.ref).payload["items"]
        assert row_counted.value == {"best": keys[1], "worst": keys[3]}


@pytest.mark.nightly
def test_touch_dispute_and_a_reload(phone_page: Page, turk: Host, study: Study, axe: Callable[[Page], None]) -> None:
    row = turk.publish(study, hit=2)
    questions = opened(row)
    page = phone_page
    page.goto(hit(turk, "A2"))
    page.locator("summary").tap()
    for number, question in enumerate(questions):
        expect(page.locator("[data-words]")).to_have_text(f"Question {number + 1} of {len(questions)}")
        value = turned(question["gold"]) if "gold" in question else {"best": 1, "worst": 3}
        page.locator(f"label[for=best-{value['best']}]").tap()
        page.locator(f"label[for=worst-{value['worst']}]").tap()
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow == 0
        if number == 0:
            page.reload()
            expect(page.locator("#best-1")).to_be_checked()
            expect(page.locator("#instructions")).not_to_have_attribute("open", "")  # folded, and it stays so
        page.locator("#next").tap()
        if "gold" in question:
            page.get_by_role("button", name="I disagree").tap()
            page.get_by_label("Why do you disagree?").fill("Both are about the same thing.")
            axe(page)
            page.wait_for_timeout(600)
            page.get_by_role("button", name="Send and continue").tap()  # and on it goes
    expect(page).to_have_title("Taken")
    sent = json.loads(turk.posts[0][1]["answers"])
    [disputed] = [answer for answer in sent if answer["feedback"]]
    assert (disputed["feedback"], disputed["note"]) == ("disputed", "Both are about the same thing.")
    result = Result(
        hit_id="H2", assignment_id="A2", worker_id="W2", input=row, answers={"answers": turk.posts[0][1]["answers"]}
    )
    import_results(study.pk, "".join(write_results([result])).encode(), "Batch_1.csv", user=SYSTEM)
    assert Answer.objects.get(disputed=True).dispute_note == "Both are about the same thing."


@pytest.mark.nightly
def test_going_back_changes_an_answer(page: Page, turk: Host, study: Study) -> None:
    questions = opened(turk.publish(study))
    page.goto(hit(turk, "A3"))
    expect(page.locator("[data-words]")).to_have_text("Question 1 of 6")
    for question in questions[:-1]:
        press(page, question.get("gold", {"best": 1, "worst": 2}))
        page.keyboard.press("Enter")
    expect(page.locator("[data-words]")).to_have_text("Question 6 of 6")
    ordinary = max(n for n, question in enumerate(questions[:-1]) if "gold" not in question)
    for _ in range(len(questions) - 1 - ordinary):
        page.get_by_role("button", name="Back").click()
    press(page, {"best": 4, "worst": 3})
    for question in questions[ordinary:]:
        if question is questions[-1]:
            press(page, question.get("gold", {"best": 1, "worst": 2}))
        page.keyboard.press("Enter")
    expect(page).to_have_title("Taken")
    sent = json.loads(turk.posts[0][1]["answers"])
    assert sent[ordinary]["value"] == {"best": 4, "worst": 3}
    assert all(answer["feedback"] is None for answer in sent)

    # The worker accepts the same HIT again: a correct gold question is asked again like any other question, and the
    # instructions stay folded.
    page.goto(hit(turk, "A5"))
    expect(page.locator("[data-words]")).to_have_text("Question 1 of 6")
    expect(page.locator(".steps .done")).to_have_count(0)
    expect(page.locator("#instructions .prose")).to_be_hidden()
    # Another worker in the same browser begins at the beginning.
    page.goto(hit(turk, "A6", workerId="W2"))
    expect(page.locator("[data-words]")).to_have_text("Question 1 of 6")
    expect(page.locator(".steps .done")).to_have_count(0)
    expect(page.locator("#instructions .prose")).to_be_visible()


@pytest.mark.nightly
def test_a_right_answer_to_gold_can_be_changed_and_keeps_its_grade(page: Page, turk: Host, study: Study) -> None:
    questions = opened(turk.publish(study))
    page.goto(hit(turk, "A3"))
    place = next(n for n, question in enumerate(questions) if "gold" in question)
    for number, question in enumerate(questions):
        expect(page.locator("[data-words]")).to_have_text(f"Question {number + 1} of 6")
        press(page, question.get("gold", {"best": 1, "worst": 2}))
        if number == len(questions) - 1 > place:
            break
        page.keyboard.press("Enter")
        if number == place:
            page.get_by_role("button", name="Back").click()
            expected = question["gold"]
            press(page, {"best": expected["worst"], "worst": expected["best"]})
            page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page).to_have_title("Taken")
    sent = json.loads(turk.posts[0][1]["answers"])
    assert (sent[place]["value"], sent[place]["feedback"]) == (questions[place]["gold"], None)


@pytest.mark.nightly
@pytest.mark.parametrize("to", ["https://mturk.com.example.org", "javascript:alert(1)"])
def test_answers_go_to_mechanical_turk_alone(page: Page, turk: Host, study: Study, to: str) -> None:
    questions = opened(turk.publish(study))
    page.goto(hit(turk, "A4", turkSubmitTo=to))
    expect(page.locator("#elsewhere")).to_be_visible()
    for number, question in enumerate(questions, start=1):
        expect(page.locator("[data-words]")).to_have_text(f"Question {number} of {len(questions)}")
        press(page, question.get("gold", {"best": 1, "worst": 2}))
        page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_contain_text("You cannot submit answers here")
    assert turk.posts == []


@pytest.mark.nightly
def test_every_host_receives_the_answers_and_nothing_else(page: Page, turk: Host) -> None:
    """A host's form is submitted to the host's own address, and a page in a host's form reads no address."""
    row = turk.publish(make_study(items=8, questions_per_hit=2))
    elsewhere = {"turkSubmitTo": "https://example.org", "workerId": "W1"}
    file = f"{(turk.folder / 'file.html').as_uri()}?assignmentId=A1&turkSubmitTo={turk.address}"
    places = {
        file: ("/mturk/externalSubmit", {"assignmentId", "answers"}),
        turk.url("mturk", assignmentId="A1", **elsewhere): ("/mturk/externalSubmit", {"assignmentId", "answers"}),
        turk.url("turkle"): ("/task/7/assignment/1/", {"csrfmiddlewaretoken", "answers"}),
        turk.url("crowd", assignmentId="A2", **elsewhere): ("/crowd", {"answers"}),
    }
    for place, (address, names) in places.items():
        page.goto(place)
        hosted = page.frames[-1]
        submit = hosted.get_by_role("button", name="Submit", exact=True).last
        expect(hosted.locator("[data-words]")).to_have_text("Question 1 of 2")
        expect(hosted.locator("#elsewhere")).to_be_hidden()
        for number in (1, 2):
            expect(hosted.locator("[data-words]")).to_have_text(f"Question {number} of 2")
            if (
                "mturk" in place or "crowd" in place
            ):  # the host has a button of its own, which submits nothing too early
                submit.click()
                expect(hosted.locator("#saved")).to_contain_text("Choose the pair")
            hosted.locator("label[for=best-2]").click()
            hosted.locator("label[for=worst-3]").click()
            if number == 2:
                hosted.locator("label[for=worst-3]").press("Enter")
            else:
                hosted.locator("#next").click()
        expect(page).to_have_title("Taken")
        path, posted = turk.posts.pop()
        assert (path, posted.keys()) == (address, names), place
        answers = json.loads(posted["answers"])
        assert [answer["value"] for answer in answers] == [{"best": 2, "worst": 3}] * 2
        assert [answer["question"] for answer in answers] == [question["question"] for question in opened(row)]
        assert turk.posts == []


@pytest.mark.parametrize(
    ("to", "action"),
    [
        ("https://workersandbox.mturk.com", "https://workersandbox.mturk.com/mturk/externalSubmit"),
        ("https://www.mturk.com/", "https://www.mturk.com/mturk/externalSubmit"),
        ("https://mturksandbox.com", "https://mturksandbox.com/mturk/externalSubmit"),
        ("https://notmturk.com", None),
        ("https://www.mturk.com:8443", None),
    ],
)
def test_which_addresses_are_mechanical_turks(page: Page, turk: Host, to: str, action: str | None) -> None:
    (turk.folder / "platform.js").write_bytes((STATIC / "js" / "mturk" / "platform.js").read_bytes())
    (turk.folder / "empty.html").write_text("<!doctype html><title>Empty</title>")
    page.goto(f"{turk.address}/empty.html")
    found = page.evaluate(
        """async to => (await import("/platform.js")).readPlatform(
            `?assignmentId=A&turkSubmitTo=${encodeURIComponent(to)}`,
            ["https://www.mturk.com", "https://mturk.com", "https://mturksandbox.com"])""",
        to,
    )
    assert found == {"assignment": "A", "worker": None, "preview": False, "action": action}
