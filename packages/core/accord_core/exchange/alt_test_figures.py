"""The figures of the alternative annotator test as JSON, as lines of text and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from accord_core.exchange.printed_tables import PrintedTable
from accord_core.numerics.printed import coefficient, percent

if TYPE_CHECKING:
    from accord_core.numerics.alternative_annotator import AltTest

COLUMNS = (
    "system",
    "annotator",
    "questions",
    "system_advantage",
    "own_advantage",
    "p",
    "p_corrected",
    "wins",
    "p_published",
)
RATES = ("false_wins", "missed_wins")  # of the t-test; those of the published test end in `_published`


def alt_test_figures(test: AltTest) -> dict[str, Any]:
    """Return the figures of a test in their JSON format."""
    rates = test.error_rates
    further = {"passes": test.passes, "passes_published": test.passes_published}
    return asdict(test) | further | {"error_rates": None if rates is None else rates._asdict()}


def alt_test_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the figures of one system as lines of text."""
    wins, tested = sum(each["wins"] for each in figures["annotators"]), len(figures["annotators"])
    yield f"  {verdict(figures)}\n"
    yield f"  winning rate           {figures['winning_rate']:.3f}  ({wins} of {tested} annotators)\n"
    yield f"  advantage probability  {figures['advantage']:.3f}\n"
    yield f"  ε                      {figures['epsilon']:g}\n"
    for each in figures["annotators"]:
        yield (
            f"  {each['annotator']}: system {each['system_advantage']:.3f}, annotator {each['own_advantage']:.3f}, "
            f"{each['questions']:,} questions, corrected p {each['p_corrected']:.4f}"
            f"{', the system wins' if each['wins'] else ''}\n"
        )
    yield from (f"  {sentence}\n" for sentence in published_sentences(figures))
    if figures["left_out"]:
        yield (
            f"  Annotators with fewer than {figures['fewest_questions']} questions are excluded: "
            f"{', '.join(figures['left_out'])}\n"
        )


def published_sentences(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield sentences with the result of the published procedure and the error rates of both tests, or none if both
    procedures use the same test.
    """
    rates = figures.get("error_rates")
    if rates is None:
        return
    passes = "passes" if figures["passes_published"] else "does not pass"
    yield (
        "As published, with Wilcoxon’s test for annotators with fewer than 30 questions, the winning rate is "
        f"{coefficient(figures['winning_rate_published'])}, which {passes}."
    )
    few, ties = rates["questions"], percent(rates["ties"])
    false, missed = (f"{percent(rates[name])}{_wilcoxon(rates[f'{name}_published'])}" for name in RATES)
    yield (
        f"With {few} questions and {ties} ties, a system that is exactly ε worse than an annotator wins in "
        f"{false} of comparisons. A system as good as the annotator does not win in {missed}."
    )


def _wilcoxon(rate: float) -> str:
    return f" (Wilcoxon’s test: {percent(rate)})"


def verdict(figures: Mapping[str, Any]) -> str:
    """Return the result of the test in one sentence."""
    if figures["passes"]:
        return "The system passes the test: it wins against at least half of the annotators."
    return "The system does not pass the test: it wins against fewer than half of the annotators."


def alt_test_table(results: Mapping[str, Mapping[str, Any]]) -> PrintedTable:
    """Return a table with one row per system and annotator. `results` maps the systems to their figures."""
    return PrintedTable(
        list(COLUMNS),
        [
            [system, *(_cell(each[name]) for name in COLUMNS[1:])]
            for system, figures in results.items()
            for each in figures["annotators"]
        ],
        notes=[
            f"{system}: winning rate {figures['winning_rate']:.3f}, advantage probability {figures['advantage']:.3f}, "
            f"ε {figures['epsilon']:g}. {' '.join([verdict(figures), *published_sentences(figures)])}"
            for system, figures in results.items()
        ],
        places_of={"p": 4, "p_corrected": 4, "p_published": 4},
    )


def _cell(value: Any) -> Any:
    return ("yes" if value else "no") if isinstance(value, bool) else value
