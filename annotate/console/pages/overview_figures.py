"""The figures of the overview: judgements, spending, the main figure, and gold accuracy or annotators."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from accord_core.numerics.printed import (
    NONE,
    coefficient,
    count,
    interval,
    money,
    percent,
    places_of,
    share_of,
    with_noun,
)
from annotate.core.selectors.pace import Finish, Pace
from annotate.core.selectors.progress import Progress
from annotate.models import Study
from annotate.recruiting.selectors import not_joined
from annotate.results.selectors.reports import Snapshot
from annotate.web.pages.charts import pass_mark_of_shares
from annotate.web.pages.figures import Figure, Meter, main_sentence


@dataclass(frozen=True)
class Outlook:
    """The pace of the study and its expected end, or the reason why it has none."""

    pace: Pace
    finish: Finish | None
    why_no_end: str
    of_pilot: bool


def judgements_figure(progress: Progress, outlook: Outlook) -> Figure:
    if progress.slots_open:
        # An open slot is not always available: in a pilot or a paused study, annotators cannot claim it.
        line = f"HITs taken: {count(progress.slots - progress.slots_open)} of {count(progress.slots)}"
        line += f", {count(progress.open_hits)} of them open" if progress.open_hits else ""
    else:
        line = "All HITs are taken" if progress.slots else "No HITs yet"
    open_hits = with_noun(progress.open_hits, "open HIT")
    return Figure(
        "Counted judgements",
        count(progress.judgements),
        f"of {count(progress.wanted)}",
        line,
        _ends(outlook),
        rows=(open_hits, "open-hits/") if progress.open_hits else None,
        sentence=f"We collected {with_noun(progress.judgements, 'judgement')}." if progress.judgements else "",
        meter=Meter.of(progress.judgements, progress.wanted),
        explanation="judgements",
    )


def spent_figure(study: Study, progress: Progress) -> Figure:
    spend, affordable = progress.spend, progress.spend.affordable(study.reward)
    expected = progress.expected_cost(study.reward)
    total = f"Expected total: about {money(expected, study.currency)}" if expected > spend.spent else ""
    line, notes = total, []
    if spend.cap is not None:
        line = f"Budget cap: {money(spend.cap, study.currency)}"
        if affordable is not None and affordable < progress.slots_open:
            line = f"The budget cap allows {with_noun(affordable, 'more HIT')}."
        committed = f"{money(spend.committed, study.currency)} of the budget cap of {money(spend.cap, study.currency)}"
        notes = [f"Committed: {committed}", total]
    notes.append(f"Reward per HIT: {money(study.reward, study.currency)}")
    if progress.wage:
        notes.append(f"Actual hourly wage (median): {money(progress.wage.hourly, study.currency)}")
    if study.planned_hourly_wage is not None:
        notes.append(f"Planned hourly wage: {money(study.planned_hourly_wage, study.currency)}")
    spent = money(spend.spent, study.currency)
    return Figure(
        "Spent",
        spent,
        line=line,
        notes=[note for note in notes if note],
        sentence=f"Annotators earned {spent} in total." if spend.spent else "",
        meter=Meter.of(spend.spent, expected) if spend.cap is None else Meter.of(spend.committed, spend.cap),
        explanation="spent",
    )


def reliability_figure(
    name: str,
    latest: Snapshot | None,
    *,
    judgements: int,
    behind: bool,
    forecast: str,
    has_target: bool,
    usual_targets: Collection[float] = (),
    may_calculate: bool,
) -> Figure:
    """Return the main figure of the latest report. If the report is `behind` the data, the line says so and offers a
    new calculation. `has_target` is true if the study has a target of its own, which the page shows elsewhere. A
    target in `usual_targets` is called the usual one, because perhaps nobody has chosen it.
    """
    calculate = ("Calculate now", "compute") if may_calculate else None
    if latest is None:
        line = "Not calculated yet" if judgements else "No judgements yet"
        action = calculate if judgements else None
        return Figure(name, NONE, line=line, meter=Meter(0), action=action, is_main=True, explanation="headline")
    headline, forecast = latest.headline, "" if has_target else forecast
    at = f"{latest.created_at:%-d %b, %H:%M} UTC"
    old = f"From {with_noun(latest.judgements, 'judgement')}, {at}"
    new = f"Calculated {at}, from all counted judgements"
    target = ""
    if headline.target is not None and not has_target:
        usual = "usual " if headline.target in usual_targets else ""
        target = f"{usual}target {coefficient(headline.target, places_of(headline.target))}"
    line = old if behind else forecast or headline.doubt
    notes = [headline.doubt, forecast, "" if behind else new, headline.caption]
    return Figure(
        name,
        interval(headline.low, headline.high),
        target,
        line,
        [note for note in notes if note and note != line],
        sentence=main_sentence(headline, with_noun(latest.judgements, "judgement")),
        meter=Meter.up_to_one(headline.high, headline.target),
        action=calculate if behind else None,
        is_main=True,
        explanation="headline",
    )


def gold_figure(study: Study, progress: Progress) -> Figure:
    """Return the gold accuracy or, in a study without gold questions, the number of active annotators. In a closed
    study, the number is not called active.
    """
    active = f"Active annotators: {count(progress.standings['active'])}"
    at_work = f"Annotators at work (last 15 minutes): {count(progress.at_work)}"
    stopped = f"Stopped annotators: {count(progress.standings['stopped'])}"
    notes = [at_work, active, stopped]
    if progress.simulated:
        notes.append(f"Simulated annotators: {count(progress.simulated)}")
    rows = ("Annotators", "annotators/")
    right, given, pass_mark = progress.gold_right, progress.gold_given, pass_mark_of_shares(study)
    if given and progress.standings["stopped"]:
        notes[2] = f"{stopped}. Their gold answers are included"
    mark = f"Pass mark: {percent(pass_mark)}" if pass_mark and study.gold_block else ""
    if given:
        accuracy = share_of(right, given)
        counts = f"{count(right)} of {count(given)}"
        as_percent = "%" in accuracy
        share = f"{accuracy} ({counts}) of the" if as_percent else accuracy
        return Figure(
            "Gold accuracy",
            accuracy,
            counts if as_percent else "",
            mark,
            notes,
            rows,
            f"{share} answers to gold questions were accepted as correct.",
            meter=Meter.up_to_one(right / given, pass_mark or None),
            explanation="gold_accuracy",
        )
    if study.gold_block:
        notes = [mark, *notes] if mark else notes
        return Figure("Gold accuracy", NONE, "", "No gold answers yet", notes, rows, explanation="gold_accuracy")
    absent = not_joined(study)
    line = f"Not joined yet: {count(absent)}" if absent else "No gold questions"
    number = count(progress.standings["active"] + progress.simulated_active)
    kinds = [] if study.state in (Study.State.CLOSED, Study.State.ARCHIVED) else ["active"]
    if progress.simulated_active:
        kinds.append(f"{count(progress.simulated_active)} simulated")
    return Figure("Annotators", number, ", ".join(kinds), line, [at_work, stopped, *notes[3:]], rows, explanation="")


def _ends(outlook: Outlook) -> Sequence[str]:
    """Return the pace of the study, and the expected end with its interval."""
    pace, finish, notes = outlook.pace, outlook.finish, []
    if pace.last_day:
        per_hour = f"{pace.per_hour:,.1f}".removesuffix(".0")
        notes.append(f"Last 24 hours: {with_noun(pace.last_day, 'judgement')}, {per_hour} per hour")
    if finish:
        end = f"{_time(finish.at)} UTC" if finish.at else "in more than a year"
        notes.append(f"Expected end{' of the pilot' if outlook.of_pilot else ''}: {end}")
        if finish.low:
            high = _time(finish.high) if finish.high else "more than a year from now"
            notes.append(f"90% interval: {_time(finish.low)} to {high}")
    elif outlook.why_no_end:
        notes.append(f"Expected end: {outlook.why_no_end}")
    return notes


def _time(at: datetime) -> str:
    return f"{at:%a %-d %b, %H:%M}"
