"""Tests of the sentences about annotators, training, pay and quality control in studies of different kinds."""

from __future__ import annotations

from typing import Any

import pytest

from annotate.tasktypes import Methods, MethodText
from reporting.methods.agreement import adjudication, agreement
from reporting.methods.bibliography import reference
from reporting.methods.people import annotators, ethics, pay, training
from reporting.methods.quality import quality_control
from reporting.methods.section import UNPAID, open_statements
from reporting.methods.task import design, task_and_items
from reporting.methods.writer import Writer
from reporting.sentences import Sentence

PEOPLE = {"joined": 9, "simulated": 0, "stopped_by_rule": 0, "stopped_by_researchers": 0, "withdrawn": 0}
PEOPLE |= {"withdrawn_excluded": 0, "recruitment": "links", "admission": "account", "platforms": {"account": 9}}
PEOPLE |= {"groups": 0, "screening": None}
TRAINING = {"practice_questions": 0, "practised": 0, "pass_mark": None, "tries": None, "not_qualified": 0}
PAY = {"hourly_wage": None, "timed_hits": None, "seconds_per_hit": None, "minimum_hourly_wage": None}
PAY |= {"pays_stopped": False, "pays_unqualified": "0"}
FACTS = {"people": PEOPLE, "training": TRAINING, "pay": PAY, "quality_rule": None, "reward": "0.0000"}
FACTS |= {"rule_threshold": 0.7, "rule_minimum": 1, "rule_unit": "hits", "eligibility": "", "survey": []}
FACTS |= {"currency": "EUR", "consent": "Yes", "examples": "", "protocol_number": "", "earlier_guidelines": []}
COUNTS = {"annotators": 1, "simulated": 0, "fewest_judgements": 1, "median_judgements": 1, "most_judgements": 1}
COUNTS |= {"gold_answers": 0, "gold_per_hit": 0, "excluded": 0, "void_stopped": 0, "decided": 0, "kept": 0}
COUNTS |= {"instructions_language": "German", "items": 1, "languages": "German and English", "latest_guidelines": 1}


def writer(
    people: dict[str, Any] | None = None,
    counts: dict[str, Any] | None = None,
    answers: dict[str, str] | None = None,
    result: dict[str, Any] | None = None,
    **facts: Any,
) -> Writer:
    values = {**FACTS, **facts, "people": {**PEOPLE, **(people or {})}}
    counted = {**COUNTS, **(counts or {})}
    return Writer({"facts": values, "counts": counted, "answers": answers or {}, "result": result or {}})


def text(sentences: list[Sentence]) -> str:
    return " ".join(sentence.plain() for sentence in sentences)


def test_one_annotator_without_anything_else() -> None:
    assert text(annotators(writer())) == (
        "9 annotators joined the study. Anyone with the link and an account could join. The results are based on 1 "
        "annotator with 1 judgement each. The instructions were in German. We did not survey the annotators’ "
        "demographics."
    )


def test_where_annotators_come_from() -> None:
    assert "recruited on Prolific" in text(annotators(writer({"recruitment": "prolific"})))
    on_turk = text(annotators(writer({"platforms": {"mturk": 9}})))
    assert "recruited on Amazon Mechanical Turk" in on_turk
    assert "could join" not in on_turk
    assert "They are students." in text(annotators(writer(answers={"recruitment": "They are students."})))
    simulated = text(annotators(writer({"joined": 9, "simulated": 9})))
    assert simulated.startswith("The answers come from 9 simulated annotators, which are programs and not people.")
    assert "could join" not in simulated
    mixed = text(annotators(writer({"simulated": 1})))
    assert mixed.startswith("9 annotators joined the study. 1 of them is a program that simulates an annotator.")


def test_screening_withdrawals_and_the_survey() -> None:
    people = {"screening": {"questions": 2, "answered": 30, "admitted": 9}, "withdrawn": 2, "withdrawn_excluded": 1}
    shown = text(annotators(writer(people, eligibility="I am 18.", survey=[{}, {}])))
    assert "they confirmed this statement: “I am 18.”" in shown
    assert "30 people answered 2 screening questions, and 9 of them could take part." in shown
    assert "2 annotators withdrew from the study. The answers of 1 annotator who withdrew are excluded" in shown
    assert "In a voluntary survey, we asked 2 questions" in shown
    assert "did not survey" not in shown


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "There were no practice questions and no qualification."),
        ({"practice_questions": 3, "practised": 8}, "8 annotators finished the practice questions. Practice was not"),
        (
            {"practice_questions": 6, "practised": 8, "pass_mark": 0.8, "tries": 2, "not_qualified": 1},
            "answer 80% of the practice questions as expected, in at most 2 tries. 1 annotator did not qualify.",
        ),
    ],
)
def test_training(changes: dict[str, Any], expected: str) -> None:
    shown = text(training(writer(training={**TRAINING, **changes})))
    assert expected in shown
    assert " read " not in shown, "annotators can begin without opening the instructions"


def test_pay() -> None:
    assert text(pay(writer())) == "Annotators were not paid through the annotation platform."
    assert text(pay(writer(reward="1", counts={"simulated": 1}))) == "Simulated annotators are not paid."
    paid = {**PAY, "hourly_wage": "12.34", "timed_hits": 70, "seconds_per_hit": 145.6, "minimum_hourly_wage": "12.0000"}
    shown = text(pay(writer(pay=paid, reward="0.5000", counts={"gold_per_hit": 1})))
    assert shown == (
        "Annotators earned €0.50 per set. The median time of the 70 sets that count was 146 seconds, so the actual "
        "hourly wage is €12.34. The minimum hourly wage set for the study is €12.00. Stopped annotators kept the pay "
        "for submitted sets."
    )


def test_pay_of_annotators_who_do_not_qualify() -> None:
    trained = {**TRAINING, "practice_questions": 6, "pass_mark": 0.8}
    assert "not qualify were not paid" in text(pay(writer(reward="1", training=trained)))
    shown = text(pay(writer(reward="1", training=trained, pay={**PAY, "pays_unqualified": "0.3000"})))
    assert shown.endswith("Annotators who did not qualify were paid €0.30.")


def test_authors_of_a_study_without_pay_are_not_asked_why_it_is_adequate() -> None:
    assert UNPAID in open_statements(writer(reward="0"), {})
    assert not any(
        text.startswith(("whether the ann", "why the pay")) for text in open_statements(writer(), {"pay": "x"})
    )
    assert any(text.startswith("why the pay") for text in open_statements(writer(reward="1"), {}))


def test_quality_control() -> None:
    assert text(quality_control(writer())) == (
        "There were no answers to gold questions. No rule stopped annotators automatically."
    )
    rule = {"careful": {"accuracy": 0.9, "stopped": 0.0002}, "guesser": {"accuracy": 0.1, "stopped": 0.9999}}
    graded = {"gold_questions": 4, "gold_answers": 10, "gold_accuracy": 0.8, "gold_low": 0.49, "gold_high": 0.943}
    shown = text(
        quality_control(
            writer(
                {"stopped_by_rule": 2, "stopped_by_researchers": 1},
                {**graded, "gold_per_hit": 1, "void_stopped": 20, "excluded": 1, "excluded_annotators": 1},
                quality_rule={**rule, "gold_answers": 4},
            )
        )
    )
    assert "answered 80.0% of 10 gold questions as expected (95% confidence interval 49.0% to 94.3%)" in shown
    assert "below 70% after at least 1 submitted set, and their answers do not count. This rule stopped 2" in shown
    assert "stops a careful annotator (with an accuracy of 90%) with a probability of less than 0.1%" in shown
    assert "and a guesser with a probability of more than 99.9%, if each answers 4 gold questions." in shown
    assert "We stopped 1 further annotator ourselves. 20 answers from stopped annotators were excluded." in shown
    assert shown.endswith("We excluded 1 further answer from 1 annotator.")


def test_adjudication_and_agreement() -> None:
    none = Methods(adjudication=[MethodText("A decision replaces the votes.")])
    assert text(adjudication(writer(), none)) == "We did not adjudicate disagreements."
    assert text(adjudication(writer(counts={"kept": 1}), none)) == "Researchers accepted all answers to 1 question."
    assert "cannot be calculated" in text(agreement(writer(), none))
    repeats = {"annotators": 3, "questions": 12, "same": 9, "share": {"value": 0.75, "low": 0.47, "high": 0.91}}
    shown = text(agreement(writer(result={"repeats": repeats}), none))
    assert "gave the same answer to 9 of them (75%, 95% confidence interval 47% to 91%)." in shown
    few = {**repeats, "questions": 9}
    assert text(agreement(writer(result={"repeats": few}), none)).endswith("gave the same answer to 9 of them.")


def test_simulated_annotators_do_not_consent() -> None:
    assert "consented" in text(ethics(writer()))
    assert "consented" not in text(ethics(writer(counts={"simulated": 1})))


def test_guidelines_that_changed() -> None:
    assert "guidelines" not in text(task_and_items(writer(), Methods()))
    changed = text(task_and_items(writer(earlier_guidelines=[{"version": 1}]), Methods()))
    assert "We made 1 change to the guidelines during the study. 1 judgement comes from annotators" in changed
    assert "The study has 1 item in German and English." in changed


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("2026-03-05", "Annotators worked on 5 March 2026."),
        ("2026-03-08", "Annotators worked from 5 March 2026 to 8 March 2026."),
    ],
)
def test_the_days_of_the_work(last: str, expected: str) -> None:
    counts = {"judgements": 8, "questions": 4, "first_day": "2026-03-05", "last_day": last}
    assert text(design(writer(counts=counts, judgements=2, questions_per_hit=4), Methods())).endswith(expected)


@pytest.mark.parametrize(("most", "later"), [(2, ""), (3, " at first, and for more later")])
def test_judgements_that_were_added_later(most: int, later: str) -> None:
    counts = {"judgements": 8, "questions": 4, "most_per_question": most}
    shown = text(design(writer(counts=counts, judgements=2, questions_per_hit=4), Methods()))
    assert f"We asked for 2 judgements per question{later}. The results" in shown


def test_a_task_type_can_state_the_planned_judgements_itself() -> None:
    counts = {"judgements": 8, "questions": 4}
    methods = Methods(asked=MethodText("We asked for two annotations of 3 pairs."))
    shown = text(design(writer(counts=counts, judgements=2, questions_per_hit=4), methods))
    assert shown.startswith("We asked for two annotations of 3 pairs. The results are based on 8 judgements")


@pytest.mark.parametrize(("per_hit", "sets"), [(4, "sets of 4 questions"), (3, "sets of up to 3 questions")])
@pytest.mark.parametrize("gold", [0, 1])
def test_the_last_set_can_be_smaller(per_hit: int, sets: str, gold: int) -> None:
    counts = {"judgements": 16, "questions": 8, "gold_per_hit": gold}
    shown = text(design(writer(counts=counts, judgements=2, questions_per_hit=per_hit), Methods()))
    assert f"Annotators worked on {sets}{' and 1 gold question' if gold else ''}." in shown


def test_a_sentence_needs_the_value_of_each_figure() -> None:
    with pytest.raises(LookupError, match=r"facts\.pay\.hourly_wage is undefined"):
        writer().sentence("{wage}", wage="facts.pay.hourly_wage")


def test_references_are_lines_for_readers() -> None:
    from annotate.tasktypes.methods import FLEISS, KRIPPENDORFF

    assert reference(FLEISS) == (
        "Joseph L. Fleiss. 1971. Measuring Nominal Scale Agreement Among Many Raters. Psychological Bulletin, "
        "76(5):378–382."
    )
    assert reference(KRIPPENDORFF).endswith("Introduction to Its Methodology. SAGE.")
