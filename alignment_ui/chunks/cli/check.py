"""The `accord ists check` command, which checks whether a `.wa` file is well-formed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alignment_ui.chunks.formats.ists_check import WaCheck, WaStatistics
    from alignment_ui.chunks.formats.ists_links import BrokenRule

FAULTY = 1


@click.command()
@click.argument("file", metavar="FILE.wa")
@click.option("--strict", is_flag=True, help="Also check the rules in the annotation guidelines.")
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    help="Year of the guidelines for the option --strict. Under the 2015 guidelines, a chunk can have only one "
    "link. Under the 2016 guidelines, a chunk can have several links, and ALIC is not used.",
)
@click.option("--stats", is_flag=True, help="Count the pairs, links, types and scores in a well-formed file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(context: click.Context, file: str, strict: bool, version: str | None, stats: bool, as_json: bool) -> None:
    """Check whether FILE.wa is well-formed, and report every error with its line number.

    The command checks the rules of the official checker. With --strict, the command also checks rules of the
    guidelines: tokens exist, every token is in a chunk, EQUI always has a score of 5 and no other type has this score,
    and NOALI and ALIC have neither a score nor a counterpart. The exit status is 1 if the file contains an error.

    \b
    Examples:
        accord ists check system.wa
        accord ists check gold.wa --strict --version 2015 --stats
        accord ists check - --json < system.wa | jq '.faults[].line'
    """
    from alignment_ui.chunks.formats.ists_check import check_wa
    from annotate.exchange.encoding import open_text

    if version is not None and not strict:
        raise click.UsageError("--version selects the year of the guidelines and needs --strict.")
    name = source_name(file)
    text = open_text(read_bytes(file), name=name).read()
    found = check_wa(text, strict=strict, many_to_many=None if version is None else version == "2016")
    if as_json:
        write_whole(STANDARD, [json.dumps(_check_figures(found, strict, stats), indent=2, ensure_ascii=False), "\n"])
    else:
        write_whole(STANDARD, _check_lines(name, found, strict, stats))
    if found.faults:
        context.exit(FAULTY)


def _check_lines(name: str, found: WaCheck, strict: bool, stats: bool) -> Iterator[str]:
    for fault in found.faults:
        yield f"{_place(fault)}{fault.rule}: {fault.message}\n"
    verdict = "not well-formed" if found.malformed else "well-formed"
    if strict:
        verdict += ", does not follow the guidelines" if found.against_guidelines else ", follows the guidelines"
    number = len(found.faults)
    yield f"{name}: {verdict}" + (f" ({number:,} error{'s' if number > 1 else ''})" if number else "") + "\n"
    if stats and found.statistics is not None:
        yield from _statistics_lines(found.statistics)
    elif stats:
        yield "The statistics require a well-formed file.\n"


def _statistics_lines(statistics: WaStatistics) -> Iterator[str]:
    yield f"  {'sentence pairs':<20}{statistics.pairs:>7,}\n"
    yield f"  {'with links':<20}{statistics.pairs_with_links:>7,}\n"
    yield f"  {'links':<20}{statistics.links:>7,}\n"
    for title, counts in (("type", statistics.types), ("flag", statistics.flags), ("score", statistics.scores)):
        for name, count in counts.items():
            yield f"  {title + ' ' + name:<20}{count:>7,}\n"


def _check_figures(found: WaCheck, strict: bool, stats: bool) -> dict[str, object]:
    figures: dict[str, object] = {"well_formed": not found.malformed}
    if strict:
        figures["follows_guidelines"] = not found.against_guidelines
    figures["faults"] = [fault._asdict() for fault in found.faults]
    if stats:
        figures["stats"] = None if found.statistics is None else found.statistics.as_dict()
    return figures


def _place(fault: BrokenRule) -> str:
    return "" if fault.line is None else f"line {fault.line}: "
