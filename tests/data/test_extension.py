"""Items that are added to a study after it has been opened: their cost, questions, queue, undo and pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.core.services.asked_again import open_slots_for
from annotate.data.selectors.additions import items_to_add
from annotate.data.services.extension import add_items, build_extension, current_plan, undo_extension
from annotate.data.services.imports import import_file
from annotate.models import Question, Study, Upload
from annotate.questions.selectors.more_judgements import first_hits
from annotate.questions.services.more_judgements import add_slots
from annotate.server.refusals import Refused
from annotate.studies.services.study import open_study, pause_study
from annotate.tasktypes import ItemDraft, StudyData
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study, take
from tests.markup import markup
from tests.scored_systems import words_study

pytestmark = pytest.mark.django_db


def bring(study: Study, count: int, name: str = "more.csv") -> Upload:
    rows = "".join(f"{name}-{n},A boat {n}.\n" for n in range(count))
    data = f"id,text\n{rows}".encode()
    return import_file(study, purpose="items", filename=name, data=data, user=SYSTEM)


def regular(study: Study) -> list[tuple[str, Any]]:
    return list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", "payload"))


def now(study: Study) -> Study:
    return Study.objects.select_related("design").get(pk=study.pk)


@pytest.fixture(scope="module")
def shared_study(share: Any) -> Study:
    return share(lambda: make_study(items=12, judgements=2, reward="0.50"))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def test_one_more_judgement_for_all_leaves_out_hits_that_ask_again(study: Study) -> None:
    asked = study.questions.filter(kind="regular").first()
    open_slots_for(study.pk, [asked.pk])
    bring(study, 6)
    add_items(study.pk, user=SYSTEM)
    again = study.hits.get(for_skipped=True).number
    numbers = first_hits(now(study))
    assert numbers == sorted(set(study.hits.values_list("number", flat=True)) - {again})


@pytest.mark.nightly
def test_added_items_get_questions_after_all_others_and_old_questions_stay(study: Study) -> None:
    before, slots = regular(study), study.slots.count()
    assert items_to_add(study) == 0
    bring(study, 6)
    assert items_to_add(now(study)) == 6
    assert regular(study) == before, "an import alone changes no question"
    plan = current_plan(now(study))
    assert plan is not None
    assert {name: plan[name] for name in ("items", "questions", "hits", "slots", "judgements")} == {
        "items": 6,
        "questions": 16,
        "hits": 4,
        "slots": 8,
        "judgements": 32,
    }

    report = add_items(study.pk, user=SYSTEM)
    assert regular(study)[: len(before)] == before
    assert len(regular(study)) == len(before) + 16 == report.result["questions"]
    assert study.slots.count() == slots + 8 == report.result["slots"]
    assert list(study.slots.order_by("place").values_list("place", flat=True)) == list(range(1, slots + 9))
    assert min(study.slots.filter(hit__number__gt=5).values_list("place", flat=True)) == slots + 1
    assert now(study).judgements_planned == 2 * report.result["questions"] == report.result["judgements"]
    new = {f"more.csv-{n}" for n in range(6)}
    assert all(new & set(payload["items"]) and set(payload["items"]) - new for _, payload in regular(study)[-16:])
    assert items_to_add(now(study)) == 0
    with pytest.raises(Refused, match="All items are already in the design"):
        add_items(study.pk, user=SYSTEM)

    bring(study, 1, "third.csv")
    assert add_items(study.pk, user=SYSTEM).result["extension"]["items"] == 1
    pause_study(study.pk, user=SYSTEM)
    assert open_study(study.pk, user=SYSTEM).is_open, "the added items are no reason to build the design again"


def test_the_questions_page_counts_only_items_in_the_design(study: Study) -> None:
    def page() -> str:
        return markup(browser_of(study).get(page_of(study, "design/")))

    questions = study.questions.filter(kind="regular").count()
    bring(study, 3)
    assert f"{questions} questions from 12 items" in page()
    add_items(study.pk, user=SYSTEM)
    assert f"{questions + 24} questions from 15 items" in page()
    assert "Design checks" in page(), "checks of best–worst scaling describe the whole design"


def test_the_questions_page_says_that_checks_describe_only_the_addition() -> None:
    study = words_study()
    page = markup(browser_of(study).get(page_of(study, "design/")))
    assert "Design checks" in page
    assert "Tokens of the longer sentence" in page
    rows = "id,source,target\nlate,the shop is closed,the store is shut\n"
    import_file(study, purpose="items", filename="late.csv", data=rows.encode(), user=SYSTEM)
    add_items(study.pk, user=SYSTEM)
    page = markup(browser_of(study).get(page_of(study, "design/")))
    assert "Checks of the latest addition" in page
    assert "Design checks" not in page
    assert "Tokens of the longer sentence" not in page


@pytest.mark.nightly
def test_an_addition_is_undone_until_a_hit_is_claimed(study: Study) -> None:
    before, design, wanted = regular(study), study.design, study.judgements_planned
    with pytest.raises(Refused, match="No items have been added"):
        undo_extension(study.pk, user=SYSTEM)
    bring(study, 3)
    add_items(study.pk, user=SYSTEM)
    assert undo_extension(study.pk, user=SYSTEM) == 24
    assert regular(study) == before
    assert (now(study).design, now(study).judgements_planned) == (design, wanted)
    assert items_to_add(now(study)) == 3, "the items stay and can be added again"

    add_items(study.pk, user=SYSTEM)
    first = now(study).design.result["extension"]["first_hit"]  # type: ignore[union-attr]
    annotator = make_annotator(study)
    study.slots.filter(hit__number__lt=first).update(open=0)
    assert take(annotator).hit.number == first
    with pytest.raises(Refused, match="Annotators have already started"):
        undo_extension(study.pk, user=SYSTEM)


def test_judgements_added_later_keep_the_addition(study: Study) -> None:
    bring(study, 3)
    add_items(study.pk, user=SYSTEM)
    study.hits.create(number=99)
    with pytest.raises(Refused, match="Judgements were requested"):
        undo_extension(study.pk, user=SYSTEM)
    study.hits.filter(number=99).delete()
    add_slots(study.pk, user=SYSTEM)
    assert undo_extension(study.pk, user=SYSTEM) == 24
    assert study.slots.count() == 15


def test_drafts_and_items_that_change_meanwhile_are_refused(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = make_study(items=8, state="draft")
    with pytest.raises(Refused, match="not possible while the study is draft"):
        add_items(draft.pk, user=SYSTEM)
    bring(study, 3)

    def and_another_file(*arguments: Any) -> Any:
        extension = build_extension(*arguments)
        bring(study, 1, "late.csv")
        return extension

    monkeypatch.setattr("annotate.data.services.extension.build_extension", and_another_file)
    with pytest.raises(Refused, match="have changed in the meantime"):
        add_items(study.pk, user=SYSTEM)


def ignore(share: float, text: str) -> None:
    """Ignore the progress."""


def test_other_task_types_add_a_question_for_each_new_item() -> None:
    task = tasktypes.get("chunks")
    tokens = {"source": ["A", "dog"], "target": ["A", "cat"]}
    new = [ItemDraft("n1", tokens)]
    options = task.clean_options({})
    extended = task.extend_questions(new, [], StudyData({}, [], [], [], []), options, 1, ignore)
    assert extended == task.build_questions(new, options, 1, ignore)


def test_the_checks_of_a_paraphrase_study_include_the_existing_items() -> None:
    task = tasktypes.get("paraphrase")
    items = [
        ItemDraft(key, {"sentence": "I run.", "phrase": "run", "start": 2, "paraphrases": texts})
        for key, texts in [("a", ["jog", "race"]), ("b", ["jog", "race", "flow"]), ("c", ["jog"])]
    ]
    options = task.clean_options({})
    extended = task.extend_questions(items[2:], items[:2], StudyData({}, [], [], [], []), options, 1, ignore)
    assert [question.payload["item"] for question in extended.questions] == ["c"]
    checks = {check.name: check for check in extended.report.checks}
    assert checks["Every candidate judged by the same people"].value == "6"
    assert checks["Length of the lists"].value == "1–3"


def test_a_reference_that_exists_gets_a_suffix(study: Study) -> None:
    gold = {"best": "i0", "worst": "i1"}
    Question.objects.create(study=study, kind="practice", ref="tuple-25", payload={"items": []}, gold=gold)
    bring(study, 1)
    add_items(study.pk, user=SYSTEM)
    refs = [ref for ref, _ in regular(study)]
    assert len(set(refs)) == len(refs) == 32
    assert "tuple-25-added-1" in refs


@pytest.mark.nightly
def test_the_pages_show_the_cost_add_the_items_and_undo_the_addition(study: Study, settings: Any) -> None:
    client = browser_of(study)
    bring(study, 6)
    assert "6 not in questions yet" in markup(client.get(page_of(study, "items/")))
    page = markup(client.get(page_of(study, "design/")))
    assert "questions from 12 items" in page
    assert "Additional assignments" in page
    assert "8 × $0.50" in page
    assert "Appearances of new items" in page
    page = markup(client.post(page_of(study, "design/extension/"), follow=True))
    assert "Accord added 6 items to the design, with 16 questions in 4 HITs." in page
    assert "questions from 18 items" in page
    assert "Undo the addition" in page
    page = markup(client.post(page_of(study, "design/extension/undo/"), follow=True))
    assert "Accord removed 16 questions from the design." in page

    settings.ROWS_AT_ONCE = 5
    page = markup(client.get(page_of(study, "design/")))
    assert "Calculate the cost" in page
    client.post(page_of(study, "design/extension/plan/"))
    jobs.run(study.jobs.get(kind="extension-plan").pk)
    assert "8 × $0.50" in markup(client.get(page_of(study, "design/")))
    client.post(page_of(study, "design/extension/"))
    jobs.run(study.jobs.get(kind="extension").pk)
    assert len(regular(study)) == 40
    removal = Client()
    removal.force_login(study.memberships.get(role="owner").user)
    refusal = removal.post(page_of(study, f"uploads/{study.uploads.latest('pk').public_id}/remove/"), follow=True)
    assert "are locked, because the study has been opened" in markup(refusal)
