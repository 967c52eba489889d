"""Tests of Set up: the steps of a draft, the change between a small team and a crowd, and the opening."""

import re
from decimal import Decimal
from typing import Any

import pytest

from annotate import tasktypes
from annotate.annotator.pages.facts import set_facts
from annotate.console.selectors.setup import Mark, opening_text, setup_steps
from annotate.core.selectors.sizes import hits_of
from annotate.core.services.jobs import request_job
from annotate.data.selectors.design import cost_of
from annotate.data.services.design import build_design
from annotate.models import NamedAnnotator, Report, Study
from annotate.studies.services.settings import LOCKED_ONCE_OPEN
from annotate.studies.services.study import missing_before_opening
from annotate.studies.services.team import create_team_study
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, add_items, make_study
from tests.markup import markup
from tests.paraphrasing import paraphrase_study

pytestmark = pytest.mark.django_db


def marks(study: Study) -> dict[str, str]:
    return {step.title: step.mark.value for step in setup_steps(Study.objects.get(pk=study.pk))}


def step(study: Study, title: str) -> Any:
    return next(each for each in setup_steps(study) if each.title == title)


def make_team_draft(**settings: Any) -> Study:
    return create_team_study(user=UserFactory(), title="Pairs", task_type="bws", **settings)


def test_a_small_team_needs_names_data_and_questions_and_then_opens() -> None:
    study = make_team_draft()
    browser = browser_of(study)
    page = browser.get(page_of(study))
    assert page.context["missing"] == 2
    assert page.context["next"].title == "Who answers"
    assert "disabled" in markup(page).split('id="opening"')[1]
    names = {"names": "Ada\nBea", "setup": "1"}
    assert browser.post(page_of(study, "named/add/"), names).url == page_of(study)
    assert browser.get(page_of(study)).context["next"].title == "Data"
    add_items(study, 8)
    assert browser.get(page_of(study)).context["next"].title == "Questions"
    assert browser.post(page_of(study, "design/build/"), {"setup": "1"}).url == page_of(study)
    assert set(marks(study).values()) == {"done", "optional"}
    opened = browser.post(page_of(study, "open/"), follow=True)
    assert opened.redirect_chain[-1][0] == page_of(study, "named/")
    assert "Ada" in markup(opened)
    assert "Send each annotator the personal link below" in markup(opened)
    assert "Set up" not in markup(browser.get(page_of(study))).split("<main")[1]


def test_a_team_with_too_few_annotators_can_reduce_the_judgements() -> None:
    study = make_team_draft(annotators=["Ada", "Bea"])
    Study.objects.filter(pk=study.pk).update(judgements=3)
    who = step(Study.objects.get(pk=study.pk), "Who answers")
    assert (who.mark, who.button.label, who.second.place) == (
        Mark.MISSING,
        "Add annotators",
        "settings/task/#id_judgements",
    )


@pytest.mark.nightly
def test_a_layout_is_a_step_before_the_questions() -> None:
    study = create_team_study(user=UserFactory(), title="Topics", task_type="layout", annotators=["Ada", "Bea"])
    add_items(study, 2)
    assert (marks(study)["Layout"], marks(study)["Questions"]) == ("missing", "optional")
    assert step(study, "Layout").button.place == "x/layout/"  # with a file, a check and a preview
    field = markup(browser_of(study).get(page_of(study, "settings/"))).split("Layout (HTML)")[1].split("</label>")[0]
    assert "required to open the study" in field
    study.options["layout"] = "<input name=topic>"
    study.save()
    assert (marks(study)["Layout"], marks(study)["Questions"]) == ("done", "missing")
    study.options["layout"] += "<script></script><script></script>"
    assert step(study, "Layout").text.endswith("unless you allow scripts. The layout has 1 more warning.")


@pytest.mark.nightly
def test_the_list_of_annotators_leads_a_team_to_its_links() -> None:
    def page(study: Study) -> str:
        return markup(browser_of(study).get(page_of(study, "annotators/")))

    assert "/personal/" in page(make_team_draft(annotators=["Ada"]))
    assert "Name annotators" in page(make_team_draft(annotators=[]))
    assert "Name annotators" not in page(make_study(state="draft"))


def test_names_of_annotators_are_shown_only_to_those_who_may_name_them() -> None:
    study = make_team_draft(annotators=["Augusta", "Beatrix"])
    for role in ("viewer", "reviewer"):
        page = markup(browser_of(study, role).get(page_of(study)))
        assert "Augusta" not in page
        assert "2 annotators" in page


@pytest.mark.parametrize(("lowest", "mark"), [("12", "recommended"), ("6", "done"), (None, "done")])
def test_a_wage_below_the_minimum_is_not_done(lowest: str | None, mark: str) -> None:
    study = make_study(  # five questions of 20 s: $9 per hour
        reward="0.25", minimum_hourly_wage=lowest, payment_terms="By cheque", state="draft"
    )
    assert marks(study)["Pay and people"] == mark
    below = "This is below the minimum hourly wage of $12.00." in markup(browser_of(study).get(page_of(study)))
    assert below == (lowest == "12")


def test_the_rule_is_compared_with_the_size_of_the_study() -> None:
    study = make_study(items=20, judgements=2, gold=4, gold_block=5, rule_minimum=2, state="draft")
    assert hits_of(study) == 8
    assert step(study, "Gold and practice").text.endswith("An annotator can be stopped after 2 of at most 8 HITs.")
    study.hits_per_annotator = 3
    assert step(study, "Gold and practice").text.endswith("An annotator can be stopped after 2 of at most 3 HITs.")


def test_the_pilot_states_how_often_its_hits_are_answered_and_their_cost() -> None:
    study = make_study(items=8, judgements=3, reward="0.75", pilot_hits=2, state="draft")
    assert "2 HITs first, each answered 3 times ($4.50), until you end the pilot." in markup(
        browser_of(study).get(page_of(study))
    )


@pytest.mark.nightly
def test_a_crowd_is_recommended_what_a_team_does_without() -> None:
    crowd = make_study(state="draft", reward=0)
    expected = ["Gold and practice", "Texts and languages", "Pay and people", "Pilot"]
    assert [title for title, mark in marks(crowd).items() if mark == "recommended"] == expected
    browser_of(crowd).post(page_of(crowd, "who-answers/team/"))
    assert [title for title, mark in marks(crowd).items() if mark == "missing"] == ["Who answers"]
    assert "recommended" not in marks(crowd).values()


@pytest.mark.nightly
def test_a_team_becomes_a_crowd_with_one_press_and_sees_what_is_missing(settings: Any) -> None:
    settings.PRIVACY_NOTICE = ""
    study = make_team_draft(annotators=["Ada"], privacy_notice="")
    add_items(study, 8)
    build_design(study.pk, user=study.members.get())
    page = browser_of(study).post(page_of(study, "who-answers/crowd/"), follow=True)
    assert [each.title for each in page.context["steps"] if each.is_missing] == [
        "Gold and practice",
        "Texts and languages",
    ]
    assert "Write the privacy notice" in markup(page)
    assert browser_of(study).post(page_of(study, "who-answers/nobody/")).status_code == 404


def test_an_open_study_cannot_change_who_answers() -> None:
    study = make_study()
    page = markup(browser_of(study).post(page_of(study, "who-answers/team/"), follow=True))
    assert "locked" in page
    study.refresh_from_db()
    assert study.admission == "anonymous"


def test_every_requirement_is_missing_in_a_step() -> None:
    study = make_study(
        items=0,
        state="draft",
        instructions="",
        contact="",
        gold_block=5,
        rule_threshold="0.7",
        qualification_mark="0.8",
    )
    Study.objects.filter(pk=study.pk).update(privacy_notice="", activity_summaries=True)
    study.refresh_from_db()
    texts = " ".join(each.text for each in setup_steps(study) if each.is_missing)
    parts = missing_before_opening(study)
    assert len(parts) == 7
    assert all(text in texts for part, text in parts.items() if part not in {"design", "gold"})
    assert step(study, "Data").is_missing, "the design needs items first"
    Study.objects.filter(pk=study.pk).update(qualification_mark=None)
    assert parts["gold"] == step(Study.objects.get(pk=study.pk), "Gold and practice").text


@pytest.mark.nightly
def test_outdated_failed_and_faulty_questions_are_missing() -> None:
    study = make_study(state="draft")
    assert step(study, "Questions").mark == Mark.DONE
    study.judgements += 1
    assert opening_text(study) == "Complete the missing steps first.", (
        "the figures of the old design are no longer true"
    )
    assert (step(study, "Questions").mark, step(study, "Questions").button.posts) == (Mark.OUTDATED, True)
    study.options["factor"] = 3
    named = "judgements per question and ratio of questions to items."
    assert f"Changed since the questions were built: {named}" in step(study, "Questions").text
    study.judgements -= 1
    study.refresh_from_db(fields=["options"])
    report = Report.objects.get(pk=study.design_id)
    study.design.result = report.result | {
        "checks": [{"name": "Pairs", "state": "fault", "value": "2", "detail": "twice"}]
    }
    assert step(study, "Questions").text == "Pairs: 2, twice."
    job = request_job(study, "design", user=study.members.get())
    assert "is building" in step(study, "Questions").text
    type(job).objects.filter(pk=job.pk).update(state="failed", error="Too few items.")
    study.design = None
    assert "Too few items." in step(study, "Questions").text


def test_the_opening_names_the_cost_and_what_comes_on_top() -> None:
    free = make_study(state="draft", reward=0)
    assert "nobody is paid" in opening_text(free)
    paid = make_study(state="draft", reward="0.50", gold=4, gold_block=5, rule_threshold="0.7", judgements=2)
    text = opening_text(paid)
    assert "$4.00 with gold questions, plus platform fees and the work of stopped annotators" in text
    paid.admission = "named"
    paid.named_annotators.bulk_create([NamedAnnotator(study=paid, name=name) for name in ("Ada", "Bea")])
    assert "platform fees" not in opening_text(paid)
    assert opening_text(paid).count("team or crowd") == 1


LOCKED = {
    "questions_per_hit": "questions per HIT",
    "gold_block": "gold frequency",
    "pilot_hits": "pilot",
    "language": "language",
    "currency": "currency",
}


def test_the_opening_names_what_is_locked() -> None:
    assert LOCKED.keys() < LOCKED_ONCE_OPEN
    locked = opening_text(make_study(state="draft")).split("You can no longer change ")[1]
    for name in (*LOCKED.values(), "imported items", "questions and their wording"):
        assert name in locked


@pytest.mark.nightly
def test_set_up_shows_the_question_and_the_work_of_each_annotator() -> None:
    study = make_team_draft(annotators=["Ada", "Bea"], language="de", options={"most": "am nächsten"})
    add_items(study, 8)
    build_design(study.pk, user=study.members.get())
    study.refresh_from_db()
    assert "am nächsten" in step(study, "Questions").text
    assert "Was ist" in step(study, "Questions").text
    questions = study.questions.filter(kind="regular").count()
    assert f"Each answers {questions} questions, about " in step(study, "Who answers").text
    study.judgements = 1
    assert f"On average, each answers {round(questions / 2)} questions" in step(study, "Who answers").text
    crowd = make_study(state="draft")
    assert re.search(
        r"A HIT has \d+ questions, about [\d.]+ minutes?( at the planned wage)?\.", step(crowd, "Questions").text
    )
    with_gold = make_study(state="draft", gold=4, gold_block=4, questions_per_hit=4)
    assert "A HIT has 4 questions and 1 gold question, about " in step(with_gold, "Questions").text


def test_researchers_read_the_time_of_a_hit_that_annotators_read() -> None:
    study = make_study(state="draft", reward="0.60", planned_hourly_wage="15")
    assert str(set_facts(study)["minutes"]) == "2.4"
    assert "about 2.4 minutes at the planned wage." in step(study, "Questions").text
    study.planned_hourly_wage = Decimal("3.60")
    assert str(set_facts(study)["minutes"]) == "10"


def test_the_questions_of_volunteers_take_hours_and_cost_nothing() -> None:
    study = make_study(state="draft", reward="0", questions_per_hit=5)
    page = markup(browser_of(study).get(page_of(study, "design/")))
    assert "$0.00" not in page
    judgements = study.design.result["judgements"]
    assert judgements < study.design.result["slots"] * 5, "the last HIT has fewer questions"
    assert "(up to 5 questions each)" in " ".join(page.split())
    seconds = tasktypes.get("bws").planning.seconds * judgements
    assert cost_of(study, study.design).hours == pytest.approx(seconds / 3600)
    assert re.search(rf"Hours of work, at the usual speed\s*</th>\s*<td>{seconds / 3600:.1f}</td>", page)


def test_the_first_item_shows_its_texts_each_with_its_end_of_quotation() -> None:
    sentence = "We sat on the bank of the river for a long time, and nobody said a word."
    rows = [{"id": "1", "sentence": sentence, "phrase": "bank", "paraphrases": ["shore", "lender"]}]
    study = paraphrase_study(rows=rows, state="draft", quality=0)
    assert "“We sat on the bank of the river for a l…”, “bank” and “shore, lender”." in step(study, "Data").text


def test_members_without_the_right_see_the_steps_without_buttons() -> None:
    study = make_study(state="draft")
    page = markup(browser_of(study, "viewer").get(page_of(study))).split("<main")[1]
    assert "Who answers" in page
    assert "<button" not in page.split("</main>")[0]
