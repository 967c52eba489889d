"""The `accord ists check` command checks whether a `.wa` file is well-formed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from accord_core.exchange.printed_tables import PrintedTable
from annotate.cli.options import format_options, print_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_core.chunks.formats.ists_check import WaCheck, WaStatistics
    from accord_core.chunks.formats.ists_links import BrokenRule

FAULTY = 1


@click.command()
@click.argument("file", metavar="FILE.wa")
@click.option("--strict", is_flag=True, help="Also check the rules in the annotation guidelines.")
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    help="Year of the guidelines that --strict checks. Under the 2015 guidelines, a chunk can have only one link. "
    "Under the 2016 guidelines, a chunk can have several links, and ALIC is not used.",
)
@click.option("--stats", is_flag=True, help="Count the pairs, links, types and scores in a well-formed file.")
@format_options
@click.pass_context
def check(
    context: click.Context, file: str, strict: bool, version: str | None, stats: bool, output_format: str
) -> None:
    """Check whether FILE.wa is well-formed, and report every error with its line number.

    The rules are those of the official checker and, with --strict, also of the guidelines: tokens exist, each is in one
    chunk, EQUI and only EQUI has a score of 5, and NOALI and ALIC have neither a score nor a counterpart. The exit
    status is 1 if the file contains an error.

    \b
    Examples:
        accord ists check system.wa
        accord ists check gold.wa --strict --version 2015 --stats
        accord ists check gold.wa --stats --format latex
        accord ists check - --json < system.wa | jq '.faults[].line'
    """
    from accord_core.chunks.formats.ists_check import check_wa
    from accord_core.exchange.encoding import open_text
    from accord_core.exchange.faults import TableError
    from accord_core.pairs.formats.registry import of_annotation_tool

    if version is not None and not strict:
        raise click.UsageError("--version selects the year of the guidelines and needs --strict.")
    name = source_name(file)
    data = read_bytes(file)
    if tool := of_annotation_tool(data):
        raise TableError.of_file(
            name, f"the file is in the format {tool}. Convert it to .wa first, with accord ists convert"
        )
    text = open_text(data, name=name).read()
    found = check_wa(text, strict=strict, many_to_many=None if version is None else version == "2016")
    print_result(
        output_format,
        _table(name, found, strict, stats),
        text=_check_lines(name, found, strict, stats),
        figures=_check_figures(found, strict, stats),
    )
    if found.faults:
        context.exit(FAULTY)


def _check_lines(name: str, found: WaCheck, strict: bool, stats: bool) -> Iterator[str]:
    yield from (f"{_described(fault)}\n" for fault in found.faults)
    yield f"{_verdict(name, found, strict)}\n"
    if stats and found.statistics is not None:
        yield from _statistics_lines(found.statistics)
    elif stats:
        yield "The statistics require a well-formed file.\n"


def _statistics_lines(statistics: WaStatistics) -> Iterator[str]:
    for title, name, count in _counts(statistics):
        yield f"  {f'{title} {name}'.strip():<20}{count:>7,}\n"


def _counts(statistics: WaStatistics) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, name and value of each count."""
    yield "sentence pairs", "", statistics.pairs
    yield "with links", "", statistics.pairs_with_links
    yield "links", "", statistics.links
    for title, counts in (("type", statistics.types), ("flag", statistics.flags), ("score", statistics.scores)):
        yield from ((title, name, count) for name, count in counts.items())


def _table(name: str, found: WaCheck, strict: bool, stats: bool) -> PrintedTable:
    """Return the counts of a well-formed file if `stats` is set, or otherwise the file's errors."""
    verdict = _verdict(name, found, strict)
    if stats and found.statistics is not None:
        notes = [*map(_described, found.faults), verdict]
        return PrintedTable(["kind", "name", "count"], [list(row) for row in _counts(found.statistics)], notes=notes)
    notes = [verdict, *(["The statistics require a well-formed file."] if stats else [])]
    rows = [[fault.line, fault.rule, fault.message] for fault in found.faults]
    return PrintedTable(["line", "rule", "message"], rows, notes=notes)


def _verdict(name: str, found: WaCheck, strict: bool) -> str:
    verdict = "not well-formed" if found.malformed else "well-formed"
    if strict:
        verdict += ", does not follow the guidelines" if found.against_guidelines else ", follows the guidelines"
    number = len(found.faults)
    return f"{name}: {verdict}" + (f" ({number:,} error{'s' if number > 1 else ''})" if number else "")


def _check_figures(found: WaCheck, strict: bool, stats: bool) -> dict[str, object]:
    figures: dict[str, object] = {"well_formed": not found.malformed}
    if strict:
        figures["follows_guidelines"] = not found.against_guidelines
    figures["faults"] = [fault._asdict() for fault in found.faults]
    if stats:
        figures["stats"] = None if found.statistics is None else found.statistics.as_dict()
    return figures


def _described(fault: BrokenRule) -> str:
    place = "" if fault.line is None else f"line {fault.line}: "
    return f"{place}{fault.rule}: {fault.message}"
