"""Integrity indicators: the share of careless and automated annotators that each indicator finds at 1% false alarms.

    script/bench careless_answers

An indicator finds an annotator if the value is more unusual than the values of 99% of honest annotators with a mouse or
a touch screen. The false alarms are also measured for honest annotators who use only the keyboard, a screen reader or
dictation. An indicator with more than 1% false alarms in one of these groups is not shown in the console, and the
benchmark fails if `SHOWN` in accord_core/numerics/signs.py differs from the measurement.

All people are simulated, with 60 answers each. The groups below state the assumptions. The answers of a person do not
depend on the input device, so all honest groups give the same answers. They also read and decide with the same chance
deviations, so that only the input device makes a difference.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.signs import HIGH, SHOWN, AnswersGiven, sign_values, unusualness

Floats = NDArray[np.float64]
Draws = np.random.Generator

ANSWERS = 60
HONEST, CARELESS = 2_000, 500  # people per group
MOST = 0.01  # false alarms
ANY = "any shown indicator"
EVENTS = 6  # intervals between the events of one answer


@dataclass(frozen=True)
class Group:
    """The assumptions about one group of people. Times are in seconds, and shares are shares of people or answers."""

    name: str
    # the time on a question: reading or listening, deciding, and operating the page
    characters: float = 24.0  # read per second: 238 words per minute (Brysbaert 2019)
    pace: float = 0.35  # SD of a person's logarithmic pace
    deciding: float = 4.0
    deciding_spread: float = 0.55  # SD of the logarithm from answer to answer
    operating: float = 2.0
    operating_spread: float = 0.3  # SD of the logarithm from person to person
    fixed_time: tuple[float, float] | None = None  # a uniform time that does not depend on the question
    # other windows
    looks_up: float = 0.04  # mean share of answers with a look into another window, very different between people
    dialogs: float = 0.0  # share of answers with a dialog of an assistive technology
    dialog_seconds: float = 2.0
    leaves: float = 0.0  # share of answers that are fetched from another window, for people who do so
    leaving: float = 0.0  # share of people who fetch answers from another window
    # input
    pointer: float = 0.7  # share of people with a mouse, whose paths can be measured
    pressing: float = 1.0  # share of people whose answers need presses or clicks
    press_every: float = 1.6
    press_spread: float = 0.6  # SD of the logarithm of the time between presses
    typing: float = 0.15  # share of people who answer with keys
    key_every: float = 0.9
    key_spread: float = 0.6
    scripted: float = 0.005  # share of people with an extension that creates events
    webdriver: float = 0.0
    pasting: float = 0.002  # share of answers with a comment that is pasted or dictated into the field
    # answers
    quality: float = 0.68  # mean agreement
    random_answers: bool = False
    same_answer: float = 0.0  # share of answers that repeat the person's favourite answer


HONEST_GROUPS = (
    Group("mouse and touch"),
    # Some people are faster with keys than with a mouse. For people with motor impairments, each action takes longer.
    # Extensions for keyboard users click links by script, some of them after a delay.
    # Practised people press keys more evenly.
    Group(
        "keyboard only",
        operating=2.2,
        operating_spread=0.7,
        pointer=0,
        pressing=0,
        typing=1,
        key_spread=0.45,
        scripted=0.03,
    ),
    # Experienced listeners use high speech rates, but hear parts of the question several times and have to move through
    # the page. Dialogs of a screen reader, such as a list of elements, take the focus from the page.
    Group(
        "screen reader",
        characters=28,
        pace=0.3,
        deciding=5,
        operating=8,
        operating_spread=0.5,
        dialogs=0.04,
        dialog_seconds=2,
        pointer=0,
        press_every=4,
        typing=0.5,
        key_every=1.2,
    ),
    # Spoken commands take about the same time. A quarter of the people use an extension that clicks by script. Text is
    # often inserted from the clipboard, and dialogs for corrections take the focus from the page.
    Group(
        "dictation",
        operating=7,
        operating_spread=0.4,
        dialogs=0.05,
        dialog_seconds=2.5,
        pointer=0.1,
        press_every=2.4,
        press_spread=0.4,
        typing=0,
        scripted=0.25,
        pasting=0.01,
    ),
)
CARELESS_GROUPS = (
    Group("random clicks", fixed_time=(1.5, 6), random_answers=True),
    Group("always the same answer", fixed_time=(1.5, 6), same_answer=0.95, random_answers=True),
    # A script in the page waits for a random time and then sends its events at equal intervals. Three in ten scripts
    # run under WebDriver.
    Group(
        "script with untrusted events",
        fixed_time=(4, 9),
        looks_up=0,
        pointer=0,
        press_every=0.15,
        press_spread=0.05,
        typing=0,
        scripted=1,
        webdriver=0.3,
        random_answers=True,
    ),
    # Time and answers are plausible. One in five people uses another device, which leaves no trace on the page.
    Group("language model, copied by hand", leaving=0.8, leaves=0.85, quality=0.66, deciding=6),
)


def main() -> None:
    found, alarms = measure()
    shares = found | alarms
    print(f"{'share found':18}" + "".join(f"{name[:16]:>18}" for name in shares) + "  shown")
    for name in (*HIGH, ANY):
        row = "".join(f"{shares[group][name]:18.1%}" for group in shares)
        print(f"{name:18}{row}  {'yes' if name in SHOWN else 'no' if name in HIGH else ''}")
    if shown(alarms) != SHOWN:
        sys.exit(f"The measurement shows other indicators: {sorted(shown(alarms))}")


def shown(alarms: Mapping[str, Mapping[str, float]]) -> frozenset[str]:
    """Return the indicators with at most 1% false alarms in every honest group."""
    return frozenset(name for name in HIGH if all(alarms[group.name][name] <= MOST for group in HONEST_GROUPS))


def measure(
    honest: int = HONEST, careless: int = CARELESS
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Return the share of people that each indicator finds, for the careless groups and for the honest groups.

    In a study, all annotators are compared with each other. Here, every group is compared with the usual annotators, so
    that the groups do not change each other's result.
    """
    usual = simulate(HONEST_GROUPS[0], honest)
    limits = _limits(sign_values(usual, honest))
    found = {group.name: _shares(group, careless, usual, limits) for group in CARELESS_GROUPS}
    return found, {group.name: _shares(group, honest, usual, limits) for group in HONEST_GROUPS}


def _limits(values: Mapping[str, Floats]) -> dict[str, float]:
    return {name: float(np.nanquantile(unusualness(name, values[name]), 1 - MOST, method="higher")) for name in HIGH}


def _shares(group: Group, people: int, usual: AnswersGiven, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the share of a group that each indicator finds among usual annotators, and the share for any indicator."""
    own = simulate(group, people)
    first = int(usual.annotator.max()) + 1
    both = {name: np.concatenate([getattr(usual, name), getattr(own, name)]) for name in vars(usual)}
    both["annotator"][len(usual.annotator) :] += first
    values = sign_values(AnswersGiven(**both), first + people)
    beyond = {name: unusualness(name, values[name][first:]) > limits[name] for name in HIGH}
    shares = {name: float(flags.mean()) for name, flags in beyond.items()}
    return shares | {ANY: float(np.any([beyond[name] for name in SHOWN], axis=0).mean())}


# ── simulation ────────────────────────────────────────────────────────────────────────────────────────────────────
def simulate(group: Group, people: int, seed: int = 1) -> AnswersGiven:
    """Return simulated answers with the figures that the activity summaries of these answers would contain."""
    answering, reading, working = (np.random.default_rng([seed, people, part]) for part in range(3))
    code, agreement = _answers(group, people, answering)
    summarized = _summarized(people, answering)
    length = np.exp(reading.normal(np.log(260), 0.4, (people, ANSWERS)))
    away, losses = _other_windows(group, people, working)
    press = _intervals(people, group.press_every, group.press_spread, working, _some(group.pressing, people, working))
    key = _intervals(people, group.key_every, group.key_spread, working, _some(group.typing, people, working))
    scripted = _some(group.scripted, people, working)
    columns = {
        "seconds": _seconds(group, length, reading),
        "length": length,
        "code": code,
        "agreement": agreement,
        "webdriver": np.broadcast_to(_some(group.webdriver, people, working), length.shape).astype(np.float64),
        "untrusted": scripted * working.poisson(4, length.shape).astype(np.float64),
        "focus_losses": losses,
        "unfocused_seconds": away,
        "pasted": (working.random(length.shape) < group.pasting).astype(np.float64),
        "straightness": _straightness(group, people, working),
        "presses": np.full(length.shape, EVENTS + 1.0),
        "press_median": press[0],
        "press_iqr": press[1],
        "keys": np.full(length.shape, EVENTS + 1.0),
        "key_median": key[0],
        "key_iqr": key[1],
    }
    given = AnswersGiven(
        annotator=np.repeat(np.arange(people), ANSWERS),
        summarized=summarized.ravel().astype(np.float64),
        **{name: column.ravel() for name, column in columns.items()},
    )
    without = np.where(given.summarized == 1, 1.0, np.nan)
    from_summaries = list(columns)[4:]
    return replace(given, **{name: getattr(given, name) * without for name in from_summaries})


def _some(share: float, people: int, draws: Draws) -> Floats:
    """Return 1 for the given share of people and 0 for the others, as an array (people, 1)."""
    return (draws.random((people, 1)) < share).astype(np.float64)


def _answers(group: Group, people: int, draws: Draws) -> tuple[NDArray[np.int64], Floats]:
    """Return the best and the worst of four items as one of 12 codes, and the agreement with two other annotators."""
    quality = np.clip(draws.normal(0, 0.07, (people, 1)) + (0.25 if group.random_answers else group.quality), 0.1, 0.95)
    agreement = draws.binomial(4, np.broadcast_to(quality, (people, ANSWERS))) / 4
    code = draws.integers(0, 12, (people, ANSWERS))
    favourite, keeps = draws.integers(0, 12, (people, 1)), draws.random((people, ANSWERS))
    return np.where(keeps < group.same_answer, favourite, code), agreement


def _summarized(people: int, draws: Draws) -> Floats:
    """Return whether an answer has a summary. One page in 200 is an old copy, or its browser blocks the module."""
    blocked = draws.random((people, 1)) < 0.005
    return (~blocked & (draws.random((people, ANSWERS)) > 0.002)).astype(np.float64)


def _seconds(group: Group, length: Floats, draws: Draws) -> Floats:
    people = len(length)
    if group.fixed_time:
        return draws.uniform(*group.fixed_time, length.shape)
    pace = np.exp(draws.normal(0, group.pace, (people, 1)))
    operating = group.operating * np.exp(draws.normal(0, group.operating_spread, (people, 1)))
    reading = length / group.characters * np.exp(draws.normal(0, 0.35, length.shape))
    deciding = group.deciding * np.exp(draws.normal(0, group.deciding_spread, length.shape))
    return (reading + deciding) * pace + operating * np.exp(draws.normal(0, 0.25, length.shape))


def _other_windows(group: Group, people: int, draws: Draws) -> tuple[Floats, Floats]:
    """Return the seconds in other windows, and the number of focus losses."""
    shape = people, ANSWERS
    looking = draws.beta(0.5, 12, (people, 1)) * (group.looks_up / 0.04)
    looks = draws.random(shape) < looking
    dialogs = draws.random(shape) < group.dialogs
    leaves = draws.random(shape) < group.leaves * _some(group.leaving, people, draws)
    seconds = (
        looks * np.exp(draws.normal(np.log(10), 0.8, shape))
        + dialogs * np.exp(draws.normal(np.log(group.dialog_seconds), 0.4, shape))
        + leaves * np.exp(draws.normal(np.log(14), 0.4, shape))
    )
    return seconds, (looks.astype(np.float64) + dialogs + leaves)


def _intervals(people: int, every: float, spread: float, draws: Draws, uses: Floats) -> tuple[Floats, Floats]:
    """Return the median and the interquartile range of the time between events in each answer, in milliseconds."""
    own = every * np.exp(draws.normal(0, 0.3, (people, 1, 1)))
    typical = spread * np.exp(draws.normal(0, 0.15, (people, 1, 1)))
    times = 1000 * own * np.exp(typical * draws.normal(0, 1, (people, ANSWERS, EVENTS)))
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75], axis=2)
    known = np.where(uses > 0, 1.0, np.nan)
    return middle * known, (high - low) * known


def _straightness(group: Group, people: int, draws: Draws) -> Floats:
    """Return the straightness of a hand's paths. A touch screen, a keyboard and a jumping pointer leave no paths."""
    own = np.clip(draws.normal(0.86, 0.05, (people, 1)), 0.5, 0.99)
    paths = np.clip(draws.normal(0, 0.06, (people, ANSWERS)) + own, 0.1, 1)
    return paths * np.where(_some(group.pointer, people, draws) > 0, 1.0, np.nan)


if __name__ == "__main__":
    main()
