"""Sentences of advice on a quality rule, which state the minimum to choose or why no minimum is good enough."""

from __future__ import annotations

from .gold_report import CAREFUL, GoldPlan, RuleReport
from .gold_rules import GoldRule
from .printed import with_noun

CLOSE = 0.05
"""Gold questions cannot distinguish two kinds of annotators whose accuracies differ by less than this.
"""


def advice(report: RuleReport) -> str:
    """Return one or two sentences about the lowest suitable minimum, or about the reason why no minimum meets the
    targets.
    """
    chosen = report.chosen
    if chosen is None:
        return f"No minimum value meets your targets. {_reason(report)}"
    choice = chosen.choice
    gold = f"{with_noun(chosen.gold, 'gold question')} per HIT"
    return (
        f"With {gold}, the smallest minimum that meets your targets is "
        f"{with_noun(choice.minimum, 'gold answer')}. The rule then stops {share(choice.false_stops)} of careful "
        f"annotators, and misses {share(choice.survivors)} of {_annotators(choice.survivor)}."
    )


def obstacle(rule: GoldRule, plan: GoldPlan, gold_questions: int) -> str:
    """Return the reason for missing operating curves, or an empty string."""
    if not plan.gold:
        return (
            "The HITs contain no gold questions, because “Questions per gold question” is 0. The quality rule has no "
            "effect."
        )
    if not gold_questions:
        return "The study has no gold questions yet, so Accord cannot calculate operating curves."
    if not rule.threshold:
        return "A pass mark of 0 turns the quality rule off. Enter a higher pass mark."
    answers = plan.answers(gold_questions)
    if rule.minimum > gold_questions:
        return (
            f"The quality rule never applies: it needs {rule.minimum:,} gold answers, but the study has only "
            f"{with_noun(gold_questions, 'gold question')}. Enter a smaller minimum, or add gold questions."
        )
    if rule.minimum > answers:
        return (
            f"The quality rule never applies: the minimum is {rule.minimum:,} gold answers, but an annotator who "
            f"submits {with_noun(plan.hits, 'HIT')} answers only {answers:,} of the "
            f"{gold_questions:,} gold questions. Enter a smaller minimum, or put more gold questions into each HIT."
        )
    return ""


def share(value: float) -> str:
    """Return a probability as a percentage with at most one decimal, without rounding to 0 or 1."""
    if 0 < value < 0.001:
        return "less than 0.1%"
    if 0.999 < value < 1:
        return "more than 99.9%"
    return f"{100 * value:.1f}%".replace(".0%", "%")


def _reason(report: RuleReport) -> str:
    careful = report.kind(CAREFUL)
    last = report.choices[-1].choice
    careless = report.kind(last.survivor)
    threshold, missed = share(report.rule.threshold), _annotators(last.survivor)
    if careful.accuracy - careless.accuracy < CLOSE:
        return (
            f"The gold questions are too easy to distinguish {missed} from careful annotators: their accuracies "
            f"are {share(careless.accuracy)} and {share(careful.accuracy)}. Add harder gold questions."
        )
    if careful.accuracy < report.rule.threshold:
        return (
            f"Careful annotators have an accuracy of {share(careful.accuracy)}, which is below the pass mark of "
            f"{threshold}. Check the expected answers, or choose a lower pass mark."
        )
    if careless.accuracy >= report.rule.threshold:
        return (
            f"The accuracy of {missed} is {share(careless.accuracy)}, which is not below the pass mark "
            f"of {threshold}. Choose a higher pass mark, or add harder gold questions."
        )
    return (
        f"An annotator gives at most {last.answers:,} gold answers. With a minimum of {last.minimum:,}, the rule stops "
        f"{share(last.false_stops)} of careful annotators, and misses {share(last.survivors)} of {missed}. "
        f"{_more(report)}"
    )


def _more(report: RuleReport) -> str:
    if report.enough:
        return f"About {report.enough:,} gold answers to equally difficult questions would be enough."
    if report.tried:
        return (
            f"Even {report.tried:,} gold answers to equally difficult questions would not be enough. Choose another "
            f"pass mark, or add harder gold questions."
        )
    return "Add gold questions, or choose another pass mark."


def _annotators(name: str) -> str:
    return {"half-careless": "half-careless annotators", "guesser": "guessers"}.get(
        name, f"annotators of the kind “{name}”"
    )
