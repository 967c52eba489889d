"""Tests of checklists and datasheets: they answer most questions from the study, and every number in them is the
number of the report, of a setting or of the released rows.
"""

from __future__ import annotations

import re
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest
from django.core.management import call_command

from annotate import tasktypes
from annotate.management.commands.demo import STUDIES
from annotate.models import Study
from annotate.tasktypes import ItemDraft, StudyData
from reporting.forms.basis import Basis, basis
from reporting.forms.documents import forms
from reporting.forms.entries import Form
from reporting.forms.rai import responsible_ai
from reporting.questions import QUESTIONS, checked_answers
from reporting.selectors.documents import UNRELEASED, current_basis
from reporting.sentences import Sentence, value_at
from tests.console_study import report_on
from tests.layout_study import PLAIN
from tests.reporting.test_methods import equals

LEAST_PREFILLED = 0.7
HEDS_QUESTIONS = 62  # of the form at nlp-heds.github.io, for one quality criterion
# The entries of the Human Evaluation Datasheet that fill the six gaps of reports on annotation.
GAPS = {
    "training": "3.2.4",
    "language": "2.4",
    "pay": "3.2.2.2",
    "demographics": "3.2.5",
    "adjudication": "3.3.3.2",
    "agreement": "4.3.11.2",
}
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


@pytest.fixture(
    params=[name if name == "layout" else pytest.param(name, marks=pytest.mark.nightly) for name in STUDIES]
)
def demonstrated(db: None, request: pytest.FixtureRequest) -> Basis:
    call_command("demo", request.param, verbosity=0)
    study = Study.objects.get()
    report_on(study)
    return current_basis(study)


def form_named(found: Basis, slug: str) -> Form:
    return next(form for form in forms(found) if form.slug == slug)


def answer_to(found: Basis, number: str) -> str:
    heds = form_named(found, "heds")
    [entry] = [entry for entry in heds.entries if entry.ask.number == number]
    return " ".join(sentence.plain() for sentence in entry.answer)


def with_answers(found: Basis, **answers: str) -> Basis:
    return replace(found, values={**found.values, "answers": answers})


def test_documents_of_each_study_are_filled_in_with_the_numbers_of_the_report(demonstrated: Basis) -> None:
    heds = form_named(demonstrated, "heds")
    assert len({entry.ask.number for entry in heds.entries}) == len(heds.entries) == HEDS_QUESTIONS
    assert heds.prefilled / HEDS_QUESTIONS >= LEAST_PREFILLED
    for gap, number in GAPS.items():
        assert answer_to(demonstrated, number), gap
    assert "decided" in answer_to(demonstrated, GAPS["adjudication"])
    sentences = [each for form in forms(demonstrated) for entry in form.entries for each in entry.answer]
    assert len(sentences) > 80
    for sentence in sentences:
        check_numbers(sentence, demonstrated.values)
    figures = {figure.text for each in sentences for figure in each.figures.values()}
    figures |= {cited for each in sentences for cited in each.citations.values()} | {"95% confidence interval"}
    for name, value in responsible_ai(demonstrated).items():
        if name != "rai:dataCollectionTimeframe":
            texts = " ".join(value if isinstance(value, list) else [value])
            assert all(any(number in text for text in figures) for number in NUMBER.findall(texts)), name


def check_numbers(sentence: Sentence, values: Any) -> None:
    """Every digit belongs to a figure, and every figure prints the value at its path."""
    literals = "".join(text for text, *_ in Formatter().parse(sentence.template))
    assert NUMBER.findall(re.sub("95% confidence interval|from 0 to 1|F1", "", literals)) == [], sentence
    for figure in sentence.figures.values():
        assert equals(figure, value_at(values, figure.path)), figure


FACTS = {
    "title": "T",
    "task_type": "bws",
    "language": "en",
    "instructions": "Read.",
    "judgements": 2,
    "questions_per_hit": 5,
    "options": {option.name: option.default for option in tasktypes.get("bws").options},
    "reward": "0",
    "currency": "USD",
    "gold_block": 0,
}
EXAMPLE = basis(tasktypes.get("bws"), StudyData(FACTS, [ItemDraft("1", {}, {})], [], [], []), {}, {}, UNRELEASED)


def test_an_answer_is_used_in_all_documents_and_replaces_an_assumption() -> None:
    assert answer_to(EXAMPLE, "3.1.3.1").startswith("N/A")
    answered = with_answers(EXAMPLE, power="G*Power, 300 items", limits="No poems.")
    assert answer_to(answered, "3.1.3.1") == "G*Power, 300 items"
    assert all(entry.ask.number != "3.1.3.1" for entry in form_named(answered, "heds").to_check)
    for slug in ("acl-checklist", "datasheet"):
        assert "No poems." in form_named(answered, slug).markdown()
    assert responsible_ai(answered)["rai:dataLimitations"] == ["No poems."]
    assert "rai:dataLimitations" not in responsible_ai(EXAMPLE)


def test_open_questions_can_be_answered_by_the_authors_or_a_release() -> None:
    """Each open question names a question for the authors that exists, or what the release states."""
    for form in forms(EXAMPLE):
        for entry in form.entries:
            assert set(entry.ask.author) <= set(QUESTIONS), entry.ask
            assert entry.ask.author or entry.ask.who != "Authors", entry.ask
    used = {name for form in forms(EXAMPLE) for entry in form.entries for name in entry.ask.author}
    assert used | {"maintenance"} == set(QUESTIONS)


def test_markup_in_answers_is_escaped() -> None:
    heds = form_named(with_answers(EXAMPLE, paper="<script>alert(1)</script> [x](javascript:y) *z*"), "heds")
    [entry] = [entry for entry in heds.entries if entry.ask.number == "1.1.1"]
    assert "<script>" not in entry.html
    assert "[x](javascript" not in heds.markdown()


def test_a_document_changes_with_the_description_of_the_release() -> None:
    released = replace(EXAMPLE, values={**EXAMPLE.values, "release": {**UNRELEASED, "licence": "CC-BY-4.0"}})
    [entry] = [entry for entry in form_named(released, "acl-checklist").entries if entry.ask.number == "B2"]
    assert entry.answer
    assert entry.answer[0].plain() == "CC-BY-4.0"


@pytest.mark.parametrize(
    ("answers", "part"),
    [
        ({"colour": "red"}, "There is no question colour"),
        ({"experts": "perhaps"}, "one of: yes, no"),
        ({"limits": "x" * 10_001}, "10,001 characters"),
        ({"limits": 3}, "must be text"),
    ],
)
def test_answers_that_do_not_fit_are_refused(answers: dict[str, Any], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        checked_answers(answers)


def test_empty_answers_are_left_out_and_the_order_is_that_of_the_questions() -> None:
    assert checked_answers({"limits": " No poems. ", "rationale": "News.", "uses": "  "}) == {
        "rationale": "News.",
        "limits": "No poems.",
    }


def test_every_task_type_states_how_it_asks() -> None:
    for slug in ("bws", "paraphrase", "words", "chunks", "layout"):
        task = tasktypes.get(slug)
        options = {option.name: option.default for option in task.options}
        stated = task.elicitation(options)
        assert stated.intervals, slug
    other = tasktypes.get("bws").elicitation({"most": "most fluent", "least": "least fluent", "noun": "text"})
    assert (other.quality, other.item) == ("", "")
    assert other.criterion == "most fluent, least fluent"
    layout = tasktypes.get("layout").elicitation({"layout": PLAIN, "scripts": False, "hosts": ""})
    assert layout.size == "topic: 2; certain: 2; length: continuous; comment: N/A"
