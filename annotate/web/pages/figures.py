"""The figures at the top of a page, each with a value and one line. Everything else is behind the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from accord_core.numerics.printed import annotators, coefficient, interval, with_noun
from annotate.models import Report
from annotate.tasktypes import Headline


@dataclass(frozen=True)
class Meter:
    """A bar that is filled to `filled` percent, with a line at `mark` percent."""

    filled: float
    mark: float | None = None

    @classmethod
    def of(cls, part: float | Decimal, whole: float | Decimal) -> Meter:
        return cls.up_to_one(float(part) / float(whole) if whole else 0.0)

    @classmethod
    def up_to_one(cls, share: float | None, mark: float | None = None) -> Meter:
        """Return the meter of a figure of at most 1. If the figure is negative or unknown, the meter is empty."""
        return cls(_filled(share or 0.0), None if mark is None else _filled(mark))


@dataclass(frozen=True)
class Figure:
    """A figure with its name, its value and at most one `line`.

    `beside` follows the value in small type, for example a total or an interval. Behind the value are the `notes`, the
    explanation with this name, a link to the `rows` from which the figure comes (label, address within the study), and
    a `sentence` for a paper. The main figure of a study also has its values in earlier reports. A `meter` stands below
    the value, and an `action` (label, ID of its form) follows the line.
    """

    name: str
    value: str
    beside: str = ""
    line: str = ""
    notes: Sequence[str] = ()
    rows: tuple[str, str] | None = None
    sentence: str = ""
    is_main: bool = False
    meter: Meter | None = None
    action: tuple[str, str] | None = None
    explanation: str = field(kw_only=True)


def main_figure(headline: Headline, report: Report, line: str = "", notes: Sequence[str] = ()) -> Figure:
    """Return the main figure of a report. By default, its line is about its uncertainty."""
    return Figure(
        headline.name,
        interval(headline.low, headline.high),
        line=line or headline.doubt,
        notes=[note for note in (headline.doubt if line else "", *notes, headline.caption) if note],
        explanation="headline",
        sentence=main_sentence(headline, basis(report)),
        is_main=True,
    )


def main_sentence(headline: Headline, based_on: str) -> str:
    """Return the main figure as a sentence for a paper, or an empty string if it is undefined."""
    defined = [end for end in headline.ends if end.value is not None]
    if not defined:
        return ""
    if len(defined) > 1:
        ends = sorted(defined, key=lambda end: end.value or 0)
        value = "between " + " and ".join(f"{coefficient(end.value)} ({end.label})" for end in ends)
    else:
        value = coefficient(defined[0].value)
        if headline.doubt.startswith("95%"):
            value += f" ({headline.doubt.rstrip('.')})"
        elif headline.doubt.startswith(("Mean of", "Field:")):
            value += f" ({headline.doubt[0].lower()}{headline.doubt[1:].rstrip('.')})"
    return f"{_subject(headline.name)} was {value}, based on {based_on}."


def basis(report: Report) -> str:
    """Return the numbers of judgements and annotators in a report, such as “267 judgements by 12 annotators”."""
    judgements, number = with_noun(report.result["judgements"], "judgement"), report.result.get("annotators")
    simulated = report.parameters.get("simulated_annotators", 0)
    return judgements if number is None else f"{judgements} by {annotators(number, simulated)}"


def _filled(share: float) -> float:
    return min(100.0, max(0.0, round(100 * share, 2)))


def _subject(name: str) -> str:
    """Return the name of a figure as the subject of a sentence. Names of authors have no article."""
    if "’" in name.split()[0]:
        return name
    return f"The {name if name[1:2].isdigit() else name[0].lower() + name[1:]}"
