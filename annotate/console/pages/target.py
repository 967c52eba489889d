"""The sentences about the target of a study on the overview page."""

from __future__ import annotations

from dataclasses import dataclass

from accord_core.numerics.planning import MOST_PER_QUESTION
from accord_core.numerics.printed import coefficient, count, interval, with_noun
from annotate.models import Study
from annotate.prolific.selectors.settings import pauses_places, places_are_open
from annotate.studies.selectors import Target, savings_sentences


@dataclass(frozen=True)
class TargetPanel:
    """The panel about the target. `state` is the level of its label: good, warn or an empty string. `outlook` contains
    the sentences about the judgements that are still needed, and each entry of `details` is a further paragraph.
    """

    title: str
    state: str
    label: str
    outlook: list[str]
    details: list[list[str]]


def target_panel(study: Study, target: Target | None) -> TargetPanel | None:
    """Return the panel about the target of an opened study, or None without a target."""
    if target is None or study.is_draft:
        return None
    title = f"{target.figure.label}: {target.figure.direction} {_figure(target.value)}"
    state, label = _label(target)
    details = [_so_far(target), _pause(study, target)]
    return TargetPanel(title, state, label, _outlook(target), [sentences for sentences in details if sentences])


def _label(target: Target) -> tuple[str, str]:
    if target.reached:
        return "good", "reached"
    if target.is_out_of_reach or target.falls_short:
        return "warn", "out of reach" if target.is_out_of_reach else "too few judgements planned"
    return "", "not reached yet"


def _outlook(target: Target) -> list[str]:
    """Return sentences about the judgements still needed."""
    if target.is_undefined:
        return ["The study’s reports do not contain this figure. The next report shows whether it can be calculated."]
    if target.attained is None:
        return ["The first prediction appears after the first report with this figure."]
    if target.needed is None:
        return [f"The first prediction appears when the questions have {target.figure.fewest} judgements on average."]
    if target.reached:
        return ["The study has reached its target."]
    sentences = []
    if target.missing:
        missing = with_noun(target.missing, "judgement is,judgements are")
        sentences.append(f"{missing} missing until each question has the minimum of {target.minimum}.")
    if target.is_out_of_reach:
        sentences.append(
            f"Even {MOST_PER_QUESTION} judgements per question would give only about {_figure(target.most)}. Choose "
            "another target, or improve the questions and the guidelines."
        )
        if target.attained.floor >= target.value:
            sentences.append(
                "Further judgements of the same questions cannot reach the target, but more questions can."
            )
    elif target.needed.judgements is None or target.needed.low is None or target.needed.high is None:
        sentences.append("The figure is still too uncertain to predict the number of judgements.")
    elif target.needed.reached:
        sentences.append("The figure has already reached the target.")
    else:
        low, high = count(rounded(target.needed.low)), count(rounded(target.needed.high))
        needed = with_noun(rounded(target.needed.judgements), "more judgement is,more judgements are")
        sentences.append(f"About {needed} needed (95% interval: {low} to {high}).")
        sentences.append(_planned(target))
    return sentences


def _planned(target: Target) -> str:
    if target.falls_short:
        plans = f"The study plans only {count(target.planned)} more" if target.planned else "The study plans no more"
        return f"{plans}, which would give about {_figure(target.at_end)}. Add judgements to reach the target."
    return f"The study plans {count(target.planned)} more."


def _so_far(target: Target) -> list[str]:
    attained = target.attained
    if attained is None:
        return []
    limit = "lower" if attained.kind == "reliability" else "upper"
    ends = interval(attained.low, attained.high)
    scope = " for the annotators of the study" if attained.kind == "reliability" else ""
    figure, careful = _figure(attained.value), _figure(attained.careful_value)
    return [
        f"After {with_noun(target.judgements, 'judgement')}, the figure is {figure} (95% interval{scope}: {ends}).",
        f"To allow for chance, Accord compares the {limit} 80% limit, which is {careful}, with the target.",
    ]


def _pause(study: Study, target: Target) -> list[str]:
    """Return sentences about pausing at the target, and about the resulting savings."""
    if target.paused_at is None:
        if not target.pauses:
            return ["Accord does not pause the study at the target."]
        stay_open = study.recruitment == Study.Recruitment.PROLIFIC and not pauses_places(study)
        on_prolific = " Places on Prolific stay open." if stay_open else ""
        return [f"Accord pauses the study when it reaches the target.{on_prolific}"]
    if study.state == Study.State.OPEN:
        return [
            f"Accord paused the study on {_moment(target)}, and a member opened the study again.",
            "Accord does not pause the study again at the same target.",
        ]
    sentences = [f"Accord paused the study on {_moment(target)}.", *savings_sentences(study)]
    if study.state == Study.State.PAUSED and places_are_open(study):
        sentences.append("Places on Prolific are still open. Pause the study on Prolific, too.")
    return sentences


def rounded(number: int) -> int:
    """Return a prediction with two significant digits."""
    return number if number < 100 else int(float(f"{number:.1e}"))


def _figure(value: float | None) -> str:
    """Format a figure with three decimal places, or with two if the third is 0."""
    places = 2 if value is not None and round(value, 3) == round(value, 2) else 3
    return coefficient(value, places)


def _moment(target: Target) -> str:
    at = target.paused_at
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M} UTC" if at else ""
