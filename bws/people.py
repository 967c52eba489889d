"""Figures for each annotator, such as gold accuracy, agreement with others, screen positions, and time."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord_core.bws.numerics.careless import PositionBias, agreement_with_others, median_seconds, position_bias
from accord_core.bws.numerics.scoring import Judgements
from accord_core.numerics.careless import Agreement
from accord_core.numerics.printed import p_value
from annotate.tasktypes import ChanceFigures, Columns, Flag, Person, chance_figures
from bws.annotator_model import AnnotatorModel


def annotator_figures(
    columns: Columns, judgements: Judgements, names: list[str], seed: int, model: AnnotatorModel
) -> list[Person]:
    """Return one row for each annotator who has gold answers or counted judgements. Undefined figures are None.

    Each row contains `position_bias` for the report page of best–worst scaling, and the reliability from the `model`.
    """
    size = judgements.items.shape[1]
    who = columns["annotator"]
    agreement = agreement_with_others(judgements)
    seconds = median_seconds(who, columns["seconds"]) if len(who) else np.array([])
    # Positions are shuffled, so an annotator who does not read the items agrees with another choice in one of k cases.
    tested = chance_figures(
        [
            Agreement(float(share), 1 / size, int(shared)) if shared else None
            for share, shared in zip(agreement.share, agreement.judgements, strict=True)
        ]
    )
    rows = []
    for number, name in enumerate(names):
        own = who == number
        gold = columns["gold_passed"][columns["gold_annotator"] == number]
        if not own.any() and not len(gold):
            continue
        bias = position_bias(columns["best_place"][own], columns["worst_place"][own], size, seed=seed)
        chance = tested[number] if number < len(tested) else ChanceFigures()
        places = np.bincount(columns["best_place"][own], minlength=size).tolist()
        rows.append(
            Person(
                name,
                judgements=int(own.sum()),
                gold_given=len(gold),
                gold_right=int(gold.sum()),
                agreement=_figure(agreement.share, number),
                shared=int(agreement.judgements[number]) if number < len(agreement.judgements) else 0,
                median_seconds=_figure(seconds, number),
                places=places,
                places_note="No answers that count"
                if not own.any()
                else "Too few answers for a test"
                if bias is None
                else f"{_test(bias)}, with a cautious significance level",
                flags=[
                    *chance.flags,
                    *([_flag(places, bias)] if bias is not None and bias.flagged else []),
                ],
                own={
                    **chance.own,
                    **model.of(number),
                    "position_bias_p": None if bias is None else bias.p,
                    "position_bias": None
                    if bias is None
                    else {"chi2": round(bias.chi2, 3), "degrees": bias.degrees, "p": bias.p, "flagged": bias.flagged},
                },
            )
        )
    return rows


def _flag(places: list[int], bias: PositionBias) -> Flag:
    most, level = max(places), sum(places) / len(places)
    return Flag(
        "Position bias",
        f"The best item was at position {places.index(most) + 1} in {most:,} of {sum(places):,} answers. By chance "
        f"alone, the best item would be at this position in about {level:.0f} answers ({_test(bias, degrees=True)}).",
        p=bias.p,
    )


def _test(bias: PositionBias, *, degrees: bool = False) -> str:
    return f"χ² = {bias.chi2:.1f}, {f'{bias.degrees} df, ' if degrees else ''}{p_value(bias.p)}"


def _figure(values: Any, number: int) -> float | None:
    if number >= len(values) or not np.isfinite(values[number]):
        return None
    return round(float(values[number]), 4)
