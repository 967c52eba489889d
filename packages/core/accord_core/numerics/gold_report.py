"""All figures for a quality rule: its operating curve, the annotators that it stops, the smallest minimum, and a
sequential test for comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .gold_annotators import GoldAnnotator, mixed
from .gold_rules import GoldRule, Stops
from .gold_sprt import SequentialTest, SprtOutcome, sprt_outcomes
from .gold_tests import Choice, CurvePoint, GoldTest, choose_minimum, operating_curve

CAREFUL, HALF, GUESSER = "careful", "half-careless", "guesser"
MOST_REPEATS = 4  # `rule_report` also examines up to this multiple of the gold answers


@dataclass(frozen=True)
class GoldPlan:
    """Each annotator's workload: `hits` HITs with `questions` regular questions each.

    A HIT also contains `gold` gold questions. No annotator gets a gold question twice.
    """

    hits: int
    questions: int
    gold: int

    def answers(self, gold_questions: int, gold: int | None = None) -> int:
        """Return the number of gold answers that an annotator gives if each HIT has this number of gold questions."""
        return min(gold_questions, self.hits * (self.gold if gold is None else gold))

    @property
    def judgements_per_gold(self) -> float:
        return self.questions / self.gold


@dataclass(frozen=True)
class Targets:
    """The highest acceptable probabilities of stopping a careful annotator and of missing a careless annotator."""

    false_stops: float = 0.05
    survivors: float = 0.05


@dataclass(frozen=True)
class KindFigures:
    """The figures for one kind of annotator.

    `judgements_discarded` is the mean number of regular answers of an annotator whom the rule stops. These answers no
    longer count. `judgements_left` is the mean number of regular answers that count, over stopped and other annotators.
    `sprt` is the outcome of the sequential test, or None if there is no such test.
    """

    name: str
    accuracy: float
    stops: Stops
    judgements_discarded: float | None
    judgements_left: float
    sprt: SprtOutcome | None


@dataclass(frozen=True)
class ShareChoice:
    """The smallest minimum for a given number of gold questions per HIT, and whether that minimum meets the targets."""

    gold: int
    choice: Choice
    meets: bool


@dataclass(frozen=True)
class RuleReport:
    """The figures for a quality rule. `runs` is the number of simulated annotators per kind, or 0 for exact figures.

    `choices` are in increasing order of gold questions per HIT. Only the last one can meet the targets. If none does,
    `enough` is a larger number of gold answers that allows a minimum to meet the targets, or None if `tried` gold
    answers are not enough either.
    """

    rule: GoldRule
    plan: GoldPlan
    targets: Targets
    gold_questions: int
    answers: int
    runs: int
    kinds: Sequence[KindFigures]
    curve: Sequence[CurvePoint]
    choices: Sequence[ShareChoice]
    sprt: SequentialTest | None
    enough: int | None = None
    tried: int = 0

    def kind(self, name: str) -> KindFigures:
        return next(kind for kind in self.kinds if kind.name == name)

    @property
    def chosen(self) -> ShareChoice | None:
        """The smallest minimum for the fewest gold questions per HIT that meet the targets, or None."""
        return next((each for each in self.choices if each.meets), None)


def rule_report(
    careful: GoldAnnotator,
    guesser: GoldAnnotator,
    others: Mapping[str, GoldAnnotator],
    rule: GoldRule,
    plan: GoldPlan,
    targets: Targets,
    *,
    seed: int = 1,
) -> RuleReport:
    """Return the figures for a rule. `others` contains additional kinds of careless annotators, by name.

    The half-careless annotator answers half of the questions with care and guesses the others. Raises ValueError if the
    rule needs more gold answers than an annotator gives.
    """
    gold_questions = len(careful.questions)
    answers = plan.answers(gold_questions)
    if answers < rule.minimum:
        raise ValueError(f"the rule needs {rule.minimum} gold answers, but an annotator gives only {answers}")
    kinds = {CAREFUL: careful, HALF: mixed(careful, guesser, 0.5), GUESSER: guesser, **others}
    shares = _gold_shares(plan, gold_questions)
    test = GoldTest(kinds, max(answers, *(plan.answers(gold_questions, gold) for gold in shares)), seed)
    sprt = _sequential(kinds, targets)
    names = list(kinds)
    outcomes: Sequence[SprtOutcome | None] = [None] * len(names)
    if sprt:
        outcomes = sprt_outcomes(sprt, [kinds[name].pass_chances for name in names], answers)
    choices = _choices(test, rule, plan, shares, targets)
    more = MOST_REPEATS * choices[-1].choice.answers
    tried = 0 if choices[-1].meets or not test.is_exact(rule, more) else more
    return RuleReport(
        rule=rule,
        plan=plan,
        targets=targets,
        gold_questions=gold_questions,
        answers=answers,
        runs=0 if test.is_exact(rule) else test.runs,
        kinds=[
            _figures(name, kinds[name].accuracy, test.stops(name, rule).first(answers), plan, outcome)
            for name, outcome in zip(names, outcomes, strict=True)
        ],
        curve=operating_curve(careful, guesser, rule, answers, seed=seed),
        choices=choices,
        sprt=sprt,
        enough=_enough(kinds, rule, choices[-1].choice.answers, tried, targets) if tried else None,
        tried=tried,
    )


def _gold_shares(plan: GoldPlan, gold_questions: int) -> list[int]:
    """Return the possible numbers of gold questions per HIT in increasing order, up to the number beyond which more
    have no effect.
    """
    possible = sorted({-(-plan.questions // block) for block in range(1, plan.questions + 1)} | {plan.gold})
    enough = next((at for at, gold in enumerate(possible) if plan.hits * gold >= gold_questions), len(possible))
    return possible[: enough + 1]


def _sequential(kinds: Mapping[str, GoldAnnotator], targets: Targets) -> SequentialTest | None:
    """Return Wald's test of careful against half-careless annotators, or None if their answers do not differ."""
    careful, half = (float(kinds[name].pass_chances.mean()) for name in (CAREFUL, HALF))
    return SequentialTest(careful, half, targets.false_stops, targets.survivors) if half < careful else None


def _figures(name: str, accuracy: float, stops: Stops, plan: GoldPlan, sprt: SprtOutcome | None) -> KindFigures:
    before = stops.answers_before_stop
    return KindFigures(
        name=name,
        accuracy=accuracy,
        stops=stops,
        judgements_discarded=None if before is None else before * plan.judgements_per_gold,
        judgements_left=(1 - stops.stopped) * len(stops.at) * plan.judgements_per_gold,
        sprt=sprt,
    )


def _choices(
    test: GoldTest, rule: GoldRule, plan: GoldPlan, shares: Sequence[int], targets: Targets
) -> list[ShareChoice]:
    """Return the smallest minimum for each number of gold questions per HIT, up to the first that meets the targets."""
    careless = [name for name in test.annotators if name != CAREFUL]
    choices = []
    for gold in shares:
        answers = plan.answers(len(test.annotators[CAREFUL].questions), gold)
        choice = choose_minimum(
            test, rule, answers, careful=CAREFUL, careless=careless, false_stops=targets.false_stops
        )
        choices.append(ShareChoice(gold, choice, choice.meets(targets.false_stops, targets.survivors)))
        if choices[-1].meets:
            break
    return choices


def _enough(
    kinds: Mapping[str, GoldAnnotator], rule: GoldRule, answers: int, most: int, targets: Targets
) -> int | None:
    """Return a number of gold answers with which some minimum meets the targets, or None if `most` is too small. The
    additional gold questions have the same difficulties as the existing ones. The result is at most a quarter larger
    than necessary.
    """
    repeats = -(-most // len(kinds[CAREFUL].questions))
    repeated = {name: GoldAnnotator([*kind.questions] * repeats, kind.ratios) for name, kind in kinds.items()}
    test, careless = GoldTest(repeated, most), [name for name in kinds if name != CAREFUL]
    while answers < most:
        answers = min(most, -(-answers * 5 // 4))
        choice = choose_minimum(
            test, rule, answers, careful=CAREFUL, careless=careless, false_stops=targets.false_stops
        )
        if choice.meets(targets.false_stops, targets.survivors):
            return answers
    return None
