"""Sentences about gold questions, the quality rule, and the answers that it excluded."""

from __future__ import annotations

from accord_core.numerics.gold_advice import share
from accord_core.numerics.printed import percent
from reporting.methods.writer import Writer
from reporting.sentences import Sentence


def quality_control(writer: Writer) -> list[Sentence]:
    return [*_gold(writer), *_rule(writer), *_excluded(writer)]


def _gold(writer: Writer) -> list[Sentence]:
    if not writer.at("counts.gold_answers"):
        return [writer.sentence("There were no answers to gold questions.")]
    return [
        writer.sentence(
            "{gold_questions:gold question} with known answers were mixed with the other questions. Annotators "
            "answered {gold_accuracy} of {gold_answers:gold question} as expected (95% confidence interval {gold_low} "
            "to {gold_high}).",
            gold_questions="counts.gold_questions",
            gold_accuracy=("counts.gold_accuracy", _tenths),
            gold_answers="counts.gold_answers",
            gold_low=("counts.gold_low", _tenths),
            gold_high=("counts.gold_high", _tenths),
        )
    ]


def _rule(writer: Writer) -> list[Sentence]:
    if not writer.at("facts.rule_threshold") or not writer.at("counts.gold_per_hit"):
        return [writer.sentence("No rule stopped annotators automatically.")]
    unit = "gold question" if writer.at("facts.rule_unit") == "gold" else "submitted set"
    sentences = [
        writer.sentence(
            "Annotators were stopped if their accuracy on gold questions was below {rule_threshold} after at least "
            f"{{rule_minimum:{unit}}}, and their answers do not count.",
            rule_threshold=("facts.rule_threshold", percent),
            rule_minimum="facts.rule_minimum",
        )
    ]
    if writer.at("facts.people") is not None:
        sentences.append(_stopped(writer))
    if writer.at("facts.quality_rule"):
        sentences.append(
            writer.sentence(
                "On these gold questions, the rule stops a careful annotator (with an accuracy of {careful_accuracy}) "
                "with a probability of {careful_stopped}, and a guesser with a probability of {guesser_stopped}, if "
                "each answers {rule_gold_answers:gold question}.",
                careful_accuracy=("facts.quality_rule.careful.accuracy", percent),
                careful_stopped=("facts.quality_rule.careful.stopped", share),
                guesser_stopped=("facts.quality_rule.guesser.stopped", share),
                rule_gold_answers="facts.quality_rule.gold_answers",
            )
        )
    return sentences


def _stopped(writer: Writer) -> Sentence:
    if not writer.at("facts.people.stopped_by_rule"):
        return writer.sentence("The rule did not stop any annotators.")
    return writer.sentence(
        "This rule stopped {stopped_by_rule:annotator}.", stopped_by_rule="facts.people.stopped_by_rule"
    )


def _excluded(writer: Writer) -> list[Sentence]:
    sentences = []
    if writer.at("facts.people.stopped_by_researchers"):
        sentences.append(
            writer.sentence(
                "We stopped {stopped_by_researchers:further annotator} ourselves.",
                stopped_by_researchers="facts.people.stopped_by_researchers",
            )
        )
    if writer.at("counts.void_stopped"):
        sentences.append(
            writer.sentence(
                "{void_stopped:answer} from stopped annotators were excluded.", void_stopped="counts.void_stopped"
            )
        )
    if writer.at("counts.excluded"):
        sentences.append(
            writer.sentence(
                "We excluded {excluded:further answer} from {excluded_annotators:annotator}.",
                excluded="counts.excluded",
                excluded_annotators="counts.excluded_annotators",
            )
        )
    return sentences


def _tenths(share: float) -> str:
    return percent(share, 1)
