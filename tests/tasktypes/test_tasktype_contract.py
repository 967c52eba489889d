"""Tests with two toy task types, which show that a new task type does not require changes in `annotate`.

In `toy-paraphrase`, each question has several candidates, with tallies for each candidate and the rule of Pavlick
et al.: annotators with an accuracy below one half after ten HITs are stopped. `toy-links` is graded by F1.
"""

from __future__ import annotations

from typing import Any

import pytest

from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.answer import give_answer
from annotate.core.services.standing import accuracy
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Item, Report, Study
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from annotate.studies.services.study import create_study, open_study
from annotate.tasktypes import (
    Reports,
    Shown,
    registry,
)
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, make_annotator, take
from tests.markup import markup
from tests.toy_task_types import (
    CANDIDATES,
    ToyLinks,
    ToyParaphrase,
    toy_columns,
    toy_results,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    tasktypes.register(ToyParaphrase())
    tasktypes.register(ToyLinks())


def toy_study(task_type: str, *, items: int = 12, gold: int = 30, **settings: Any) -> Study:
    user = UserFactory()
    study = create_study(
        user=user,
        title="Toy",
        task_type=task_type,
        instructions="Tick.",
        **{"judgements": 2, "questions_per_hit": 1, "gold_block": 1, "seed": 1} | settings,
    )
    rows = "id,text\n" + "".join(f"i{n},Text {n}\n" for n in range(items))
    known = "id,item,ticked,why\n" + "".join(f"g{n},i{n % items},ab,Because {n}\n" for n in range(gold))
    for purpose, text in (("items", rows), ("gold", known)):
        import_file(study, purpose=purpose, filename=f"{purpose}.csv", data=text.encode(), user=user)
    build_design(study.pk, user=user)
    return open_study(study.pk, user=user)


def hand_in(ann, ticked):
    """Answer one HIT, and choose the letters in `ticked` for its gold question."""
    assignment = take(ann)
    task = tasktypes.get(assignment.study.task_type)
    sent = [
        AnswerSent(a.position, task.reveal(a.question.payload, a.shown, ticked if a.question.kind == "gold" else "a"))
        for a in assignment.answers.select_related("question")
    ]
    return submit(ann.pk, assignment.public_id, sent)


def pavlick(**settings):
    return {"rule_unit": Study.RuleUnit.HITS, "rule_minimum": 10, "rule_threshold": "0.5"} | settings


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("answers", "stopped"),
    [
        (["cd"] * 9, False),  # no correct answers, but only nine HITs
        (["cd"] * 10, True),
        (["ab"] * 5 + ["cd"] * 5, False),  # exactly half
        (["ac"] * 10, False),  # half of the candidates in each question are correct, but no complete question
        (["ac"] * 9 + ["cd"], True),
    ],
)
def test_pavlicks_rule_looks_at_candidates_once_ten_hits_are_done(answers, stopped):
    study = toy_study("toy-paraphrase", **pavlick())
    ann = make_annotator(study)
    receipts = [hand_in(ann, ticked) for ticked in answers]
    assert [receipt.stopped for receipt in receipts] == [False] * (len(answers) - 1) + [stopped]
    ann.refresh_from_db()
    assert sum(ann.tallies.values()) == 4 * len(answers)


@pytest.mark.nightly
def test_feedback_is_in_the_places_that_the_annotator_saw_with_the_task_types_words():
    study = toy_study("toy-paraphrase", **pavlick())
    (feedback,) = hand_in(make_annotator(study), "ac").feedback
    assert feedback.message == "2 of 4"
    assert len(feedback.expected) == len(feedback.given) == 2
    assert feedback.expected != feedback.given


def test_one_who_does_well_is_told_nothing():
    study = toy_study("toy-paraphrase", **pavlick())
    assert hand_in(make_annotator(study), "ab").feedback == []


@pytest.mark.nightly
@pytest.mark.parametrize(("measure", "share"), [("f1", (1.0 + 2 / 3 + 0) / 3), ("micro_f1", 2 * (2 + 1) / (4 + 3 + 4))])
def test_accuracy_is_the_measure_that_the_study_names(measure, share):
    study = toy_study("toy-links", rule_measure=measure, rule_minimum=3, rule_threshold="0.56")
    ann = make_annotator(study)
    assert not hand_in(ann, "ab").stopped
    assert not hand_in(ann, "a").stopped
    assert hand_in(ann, "cd").stopped
    ann.refresh_from_db()
    assert accuracy(ann) == pytest.approx(share)
    assert (
        study.events.get(verb="stopped").reason == f"accuracy {share:.0%} on gold questions, below the pass mark of 56%"
    )


def test_a_measure_that_the_task_type_does_not_have_is_refused():
    with pytest.raises(Refused, match="rule_measure: must be one of f1, micro_f1"):
        toy_study("toy-links", rule_measure="accuracy")


def test_a_question_can_want_more_judgements_than_the_rest():
    study = toy_study("toy-paraphrase", **pavlick(gold_block=0, rule_threshold=0))
    wanted = {hit.questions.get().ref: hit.slots.count() for hit in study.hits.all()}
    assert wanted.pop("q-i0") == 3
    assert set(wanted.values()) == {2}


def test_the_page_shows_what_the_task_type_presents():
    study = toy_study("toy-links", rule_measure="f1")
    page = present(take(make_annotator(study)))
    assert page["study"]["module"].endswith("js/tasks/toy.js")
    for question in page["questions"]:
        assert sorted(question["content"]["candidates"]) == CANDIDATES


def test_an_answer_that_the_task_type_refuses_is_named_by_its_place():
    ann = make_annotator(toy_study("toy-links", rule_measure="f1"))
    with pytest.raises(Refused, match="Tick candidates by their places") as refused:
        give_answer(ann.pk, take(ann).public_id, 2, "ab")
    assert list(refused.value.fields) == ["answers.2.ticked"]


def test_a_whole_study_of_a_new_task_type_from_items_to_report():
    study = toy_study("toy-paraphrase", **pavlick(rule_minimum=3))
    truth = dict.fromkeys(Item.objects.values_list("key", flat=True), 0.5)
    done = simulate(study, user=SYSTEM, annotators=6, careless=0.0, seed=3, truth=truth)
    assert done.hits > 0
    made = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    assert made.result["judgements"] > 0
    assert recompute(Report.objects.get(pk=made.pk)) == made.result


def toy_collected(task_type: str, **settings: Any) -> Study:
    study = toy_study(task_type, **settings)
    truth = dict.fromkeys(Item.objects.values_list("key", flat=True), 0.5)
    simulate(study, user=SYSTEM, annotators=6, careless=0.0, seed=3, truth=truth)
    return study


def toy_report(study: Study) -> None:
    make_report(study.pk, kind="results", parameters={"depth": 3}, user=SYSTEM, progress=lambda share, text: None)


@pytest.mark.nightly
def test_the_console_shows_a_new_task_type_in_its_own_words():
    study = toy_collected("toy-paraphrase", **pavlick(rule_threshold=0))
    toy_report(study)
    client = browser_of(study)

    def page(place: str = "") -> str:
        response = client.get(page_of(study, place))
        assert response.status_code == 200, place
        return markup(response)

    overview = page()
    assert "Cohen’s κ" in overview
    assert ".625" in overview
    assert "new ticks" in overview
    assert "Ticks nothing: " in overview
    annotators = page("annotators/")
    assert ">Agreement with others</a>" in annotators
    assert "Ticks nothing" in annotators
    assert "Positions" not in annotators
    assert "Median time" not in annotators
    assert "Agreement: <a" in " ".join(annotators.split())
    who = study.participations.order_by("pk").first()
    assert "Ticked none in all answers." in page(f"annotators/{who.pseudonym}/")
    assert "Text 3" in page("questions/")
    gold = study.questions.filter(kind="gold").first()
    assert "ticked a and b" in page(f"questions/{gold.public_id}/")
    assert "ticked a and b" in page("gold/")
    assert "Cohen’s κ" in page("results/all/")
    report = page("results/1/")
    assert "Mean ticked" in report
    assert "How often" in report
    assert '<th scope="row">depth</th><td>3</td>' in report
    assert "report-1.zip" in page("downloads/")
    for place in ("items/", "design/", "settings/", "history/", "jobs/", "downloads/answers.jsonl"):
        assert client.get(page_of(study, place)).status_code == 200, place
    assert client.get(page_of(study, "results/1/items/")).status_code == 404


@pytest.mark.nightly
def test_what_a_task_type_does_not_write_is_not_shown():
    study = toy_collected("toy-links", rule_measure="f1", rule_threshold=0)
    client = browser_of(study)
    for computed in (False, True):
        if computed:
            toy_report(study)
        overview = markup(client.get(page_of(study)))
        assert overview.count('class="fig"') == 2  # judgements and gold; nobody is paid
        annotators = markup(client.get(page_of(study, "annotators/")))
        assert "Agrees with others" not in annotators
        assert ("Calculate results to see more annotator statistics" in annotators) is not computed
        results = markup(client.get(page_of(study, "results/all/")))
        assert "Reliab" not in results
    report = markup(client.get(page_of(study, "results/1/")))
    assert "Mean ticked" in report
    assert "tuple" not in report
    csv_file = b"".join(client.get(page_of(study, "annotators/annotators.csv")).streaming_content).decode()
    assert "position" not in csv_file


def toy_page(study, report, query):
    table = [("page", query.get("sort", "unsorted"))]
    return Shown("results/report_plain.html", {"figures": table, "files": "the frame's own stay"})


class ToyWithPages(ToyLinks):
    """Report pages that use existing templates, as a new application would define them."""

    here = "tests.tasktypes.test_tasktype_contract:toy_page"
    reports = Reports(toy_columns, {"results": toy_results}, pages={"": here, "again": here})


@pytest.mark.nightly
def test_a_task_type_can_bring_pages_for_its_reports(monkeypatch):
    study = toy_collected("toy-links", rule_measure="f1", rule_threshold=0)
    toy_report(study)
    monkeypatch.setitem(registry._registry, "toy-links", ToyWithPages())
    client = browser_of(study)
    assert "unsorted" in markup(client.get(page_of(study, "results/1/")))
    again = markup(client.get(page_of(study, "results/1/again/?sort=by-length")))
    assert "by-length" in again
    assert "input.npz" in again
    assert client.get(page_of(study, "results/1/nowhere/")).status_code == 404


def test_options_are_those_of_the_task_type():
    study = toy_study("toy-links", rule_measure="f1")
    assert study.options == {"ask": "Which mean the same?"}
    with pytest.raises(
        Refused, match=r"options\.size: The task type has no option with this name\. Available options: ask"
    ):
        create_study(user=UserFactory(), title="T", task_type="toy-links", rule_measure="f1", options={"size": 4})


def test_two_task_types_cannot_share_a_slug():
    class Other(ToyLinks):
        pass

    with pytest.raises(ValueError, match="Two task types have the slug 'toy-links'"):
        tasktypes.register(Other())
    tasktypes.register(ToyLinks())
    slugs = [task.slug for task in tasktypes.installed()]
    assert slugs == sorted(set(slugs))
    assert slugs.count("toy-links") == 1


def test_an_unknown_task_type_names_those_that_are_installed():
    with pytest.raises(LookupError, match=r"no task type 'unheard-of'. Installed task types: bws, .*toy-links, "):
        tasktypes.get("unheard-of")
    with pytest.raises(Refused, match="no task type 'unheard-of'"):
        create_study(user=UserFactory(), title="T", task_type="unheard-of")


def test_optional_hooks_have_defaults_that_do_nothing():
    task = ToyLinks()
    assert (task.needs_more(None), task.systems) == ({}, None)
    assert (task.panels, task.exports, task.batch) == ((), (), False)
    assert task.reports.show(None, None, "", {}) is None
    assert (task.in_words({}, [], ["é"], {}), task.in_words({}, [], "yes", {})) == ('["é"]', "yes")
    assert task.marks({}, ["a"], {}) == ()
    assert task.agreed([["a"], ["a"]]) == ["a"]
    assert task.agreed([["a"], ["b"]]) is None
    assert task.agreed([]) is None
