"""The comparison of a study with its repeats as JSON, with its conclusion in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord_core.compare.label_agreement import several_studies
from accord_core.compare.predicted import DRAWS
from accord_core.compare.scores import order_upheld
from accord_core.compare.variation import small_sample_variation
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.group_agreement import agreement_of_counts
from annotate.tasktypes import Outcome, QuestionDraft
from annotate.tasktypes.program_figures import agreement_of
from releases.compare.figures import Compared, compare
from releases.compare.points import points
from releases.compare.runs import CannotCompare, Matching, Run, between, match, within
from releases.compare.settings import differences
from releases.compare.wording import conclusion

Json = Any
Pairs = Iterator[tuple[QuestionDraft, list[tuple[Json, Json]]]]
Say = Callable[[float, str], None]
RESAMPLES = 1_000


def comparison(
    runs: Sequence[Run],
    *,
    resamples: int = RESAMPLES,
    draws: int = DRAWS,
    seed: int = 1,
    progress: Say = lambda share, text: None,
) -> dict[str, Json]:
    """Compare the first run with each of the others. Raises `CannotCompare`."""
    original, *repeats = runs
    matchings = [match(original, repeat) for repeat in repeats]
    common = _common_outcomes(runs)
    outcomes = []
    for number, (outcome, *others) in enumerate(common):
        progress(number / len(common), f"comparing {outcome.name}")
        kept = [_without(outcome, matching.changed) for matching in matchings]
        found = [
            compare(mine, other, resamples=resamples, draws=draws, seed=seed)
            for mine, other in zip(kept, others, strict=True)
        ]
        shown = {"points": [points(mine, other) for mine, other in zip(kept, others, strict=True)]}
        measures = _reproducibility([outcome, *others], matchings, resamples, seed)
        outcomes.append(_outcome(outcome, found) | measures | shown)
    result = {
        "task_type": original.task.slug,
        "runs": [_run(run) for run in runs],
        "matching": [_matching(each) for each in matchings],
        "settings": differences(runs),
        "outcomes": outcomes,
        "agreement": _agreement(runs, matchings, resamples, seed),
        "resamples": resamples,
        "draws": draws,
        "seed": seed,
    }
    return {"conclusion": conclusion(result), **result}


def _common_outcomes(runs: Sequence[Run]) -> list[list[Outcome]]:
    """Return the outcomes of all runs by name, such as the fields of a form."""
    by_name = [{outcome.name: outcome for outcome in run.outcomes} for run in runs]
    names = [outcome.name for outcome in runs[0].outcomes if all(outcome.name in named for named in by_name)]
    if not names:
        raise CannotCompare("The studies have no fields with the same names, so their results cannot be compared.")
    return [[named[name] for named in by_name] for name in names]


def _without(outcome: Outcome, changed: Sequence[str]) -> Outcome:
    """Return the outcome without the values of units whose items have other contents in the repeat."""
    if not changed:
        return outcome
    gone = set(changed)
    units = zip(outcome.clusters, outcome.values, strict=True)
    return replace(outcome, values=[None if cluster in gone else value for cluster, value in units])


def _run(run: Run) -> dict[str, Json]:
    return {
        "name": run.name,
        "title": run.data.facts["title"],
        "items": len(run.contents),
        "questions": len(run.data.questions),
        "judgements": len(run.judgements),
        "annotators": run.annotators,
        "decisions": len(run.data.decisions) + len(run.data.keep_both),
    }


def _matching(matching: Matching) -> dict[str, Json]:
    return {
        "items": matching.shared,
        "changed": len(matching.changed),
        "only_original": matching.only_original,
        "only_repeat": matching.only_repeat,
        "questions": matching.questions,
    }


def _outcome(outcome: Outcome, found: Sequence[Sequence[Compared]]) -> dict[str, Json]:
    return {
        "name": outcome.name,
        "units": outcome.units,
        "predictable": outcome.redraw is not None,
        "note": outcome.annotations.note if outcome.annotations and outcome.redraw else "",
        "figures": [
            {
                "name": figures[0].name,
                "label": figures[0].label,
                "repeats": [
                    each.figure.as_figure()
                    | {
                        "predicted": None if each.predicted is None else each.predicted._asdict(),
                        "place": each.place,
                    }
                    for each in figures
                ],
            }
            for figures in zip(*found, strict=True)
        ],
    }


def _reproducibility(
    outcomes: Sequence[Outcome], matchings: Sequence[Matching], resamples: int, seed: int
) -> dict[str, Json]:
    """Return the measures of QRA++ for the units that have a value in all runs."""
    changed = {key for matching in matchings for key in matching.changed}
    values = [dict(zip(each.keys, each.values, strict=True)) for each in outcomes]
    cluster = dict(zip(outcomes[0].keys, outcomes[0].clusters, strict=True))
    keys = [
        key
        for key in outcomes[0].keys
        if cluster[key] not in changed and all(own.get(key) is not None for own in values)
    ]
    if outcomes[0].annotations is not None or not keys:
        return {"units_in_all": len(keys)}
    table = [[own[key] for key in keys] for own in values]
    if not outcomes[0].are_scores:
        several = several_studies(table, [cluster[key] for key in keys], resamples=resamples, seed=seed)
        return {"units_in_all": len(keys), "labels": {name: each.as_figure() for name, each in several.items()}}
    scores = np.array(table, dtype=np.float64)
    variation = [small_sample_variation(column) for column in (scores.T + 1) / 2]
    defined = [each for each in variation if each is not None]
    pairs, upheld = zip(*(order_upheld(scores[0], other) for other in scores[1:]), strict=True)
    return {
        "units_in_all": len(keys),
        "cv": {"mean": float(np.mean(defined)) if defined else None, "items": len(defined)},
        "findings": [{"findings": total, "upheld": kept} for total, kept in zip(pairs, upheld, strict=True)],
    }


def _agreement(runs: Sequence[Run], matchings: Sequence[Matching], resamples: int, seed: int) -> list[dict[str, Json]]:
    """Return each agreement figure: within each run, and between annotators of the original and of each repeat on the
    questions that they share.
    """
    original, *repeats = runs
    figures = agreement_of(original.task)
    own = [_figures(original, within(run, list(run.data.questions)), resamples, seed) for run in runs]
    across = [
        _figures(original, between(original, repeat, matching), resamples, seed)
        for repeat, matching in zip(repeats, matchings, strict=True)
    ]
    rows = []
    for place, (name, label) in enumerate(figures.figures.items()):
        values = [each[place].value for each in own]
        shifted = [value - figures.least.get(name, 0.0) for value in values if value is not None]
        rows.append(
            {
                "name": name,
                "label": label,
                "within": [each[place].as_figure() for each in own],
                "between": [each[place].as_figure() for each in across],
                "cv": small_sample_variation(shifted) if len(shifted) == len(runs) else None,
            }
        )
    return rows


def _figures(original: Run, pairs: Pairs, resamples: int, seed: int) -> list[Coefficient]:
    """Return the agreement figures. All pairs of answers to a question together have the weight of one pair, as in the
    comparison with programs.
    """
    agreement, options = agreement_of(original.task), original.data.facts["options"]
    counts = [
        np.mean([agreement.counts(question.payload, *two, options) for two in answers], axis=0)
        for question, answers in pairs
        if answers
    ]
    if not counts:
        return [Coefficient(None, reason="no question in common")] * len(agreement.figures)
    return agreement_of_counts(np.array(counts), agreement.estimate, resamples=resamples, seed=seed)
