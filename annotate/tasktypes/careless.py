"""Functions that test whether an annotator's agreement with others is at chance level, and return the figures for
reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord_core.numerics.careless import Agreement, ChanceTest, chance_tests
from accord_core.numerics.printed import coefficient, p_value

from .figures import Flag


@dataclass(frozen=True)
class ChanceFigures:
    """The results of the chance test for one annotator. The figures are None if there are too few shared questions or
    annotators for the test.
    """

    chance: float | None = None
    low: float | None = None
    high: float | None = None
    flags: Sequence[Flag] = ()

    @property
    def own(self) -> dict[str, float | None]:
        """The additional figures by name, for `Person.own`."""
        return {"agreement_low": self.low, "agreement_high": self.high, "chance_agreement": self.chance}


def chance_figures(agreements: Sequence[Agreement | None]) -> list[ChanceFigures]:
    """Return each annotator's figures in the order of `agreements`, and flag agreement at chance level."""
    figures = []
    for agreement, test in zip(agreements, chance_tests(agreements), strict=True):
        if agreement is None or test is None:
            figures.append(ChanceFigures())
            continue
        flags = [_flag(agreement, test)] if test.flagged else []
        chance, low, high = (round(figure, 4) for figure in (agreement.chance, test.low, test.high))
        figures.append(ChanceFigures(chance, low, high, flags))
    return figures


def _flag(agreement: Agreement, test: ChanceTest) -> Flag:
    return Flag(
        "Agreement at chance",
        f"The agreement with other annotators is {coefficient(agreement.observed, 2)} on {agreement.questions:,} "
        f"shared questions (95% interval {coefficient(test.low, 2)} to {coefficient(test.high, 2)}). Without "
        f"reading the questions, it would be {coefficient(agreement.chance, 2)}. A typical annotator in this study "
        f"reaches {coefficient(test.expected, 2)} ({p_value(test.p)}).",
        p=test.p,
    )
