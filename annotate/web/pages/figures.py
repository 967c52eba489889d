"""The figures at the top of a page, each with a value and one line. Everything else is behind the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotate.models import Report
from annotate.numerics.printed import annotators, coefficient, interval, with_noun
from annotate.tasktypes import Headline


@dataclass(frozen=True)
class Figure:
    """A figure with its name, its value and at most one `line`.

    `beside` follows the value in small type, for example a total or an interval. Behind the value are the `notes`, the
    explanation with this name, a link to the `rows` from which the figure comes (label, address within the study), and
    a `sentence` for a paper. The main figure of a study also has its values in earlier reports.
    """

    name: str
    value: str
    beside: str = ""
    line: str = ""
    notes: Sequence[str] = ()
    rows: tuple[str, str] | None = None
    sentence: str = ""
    is_main: bool = False
    explanation: str = field(kw_only=True)


def main_figure(headline: Headline, report: Report, line: str = "", notes: Sequence[str] = ()) -> Figure:
    """Return the main figure of a report. By default, its line is about its uncertainty."""
    return Figure(
        headline.name,
        interval(headline.low, headline.high),
        line=line or headline.doubt,
        notes=[note for note in (headline.doubt if line else "", *notes, headline.caption) if note],
        explanation="headline",
        sentence=main_sentence(headline, report),
        is_main=True,
    )


def main_sentence(headline: Headline, report: Report) -> str:
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
    return f"{_subject(headline.name)} was {value}, based on {basis(report)}."


def basis(report: Report) -> str:
    """Return the numbers of judgements and annotators in a report, such as “267 judgements by 12 annotators”."""
    judgements, number = with_noun(report.result["judgements"], "judgement"), report.result.get("annotators")
    simulated = report.parameters.get("simulated_annotators", 0)
    return judgements if number is None else f"{judgements} by {annotators(number, simulated)}"


def _subject(name: str) -> str:
    """Return the name of a figure as the subject of a sentence. Names of authors have no article."""
    if "’" in name.split()[0]:
        return name
    return f"The {name if name[1:2].isdigit() else name[0].lower() + name[1:]}"
