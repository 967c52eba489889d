"""The command group `accord ists`, which processes interpretable STS files without a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from alignment_ui.pairs.formats.tabs import tab_line
from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alignment_ui.chunks.formats.ists_check import WaCheck, WaStatistics
    from alignment_ui.chunks.formats.ists_links import BrokenRule
    from alignment_ui.chunks.numerics.chunks import IstsPair
    from alignment_ui.chunks.numerics.scores import IstsScores

FAULTY = 1
TITLES = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def group() -> None:
    """Check and score interpretable STS files in the same way as the official programs."""


@group.command()
@click.argument("file", metavar="FILE.wa")
@click.option("--strict", is_flag=True, help="Also check the rules of the annotation guidelines.")
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    help="Year of the guidelines that --strict checks. Under the 2015 guidelines, a chunk can have only one link. "
    "Under the "
    "2016 guidelines, a chunk can have several links, and ALIC is not used.",
)
@click.option("--stats", is_flag=True, help="Count pairs, links, types and scores of a well-formed file.")
@json_option
@click.pass_context
def check(context: click.Context, file: str, strict: bool, version: str | None, stats: bool, as_json: bool) -> None:
    """Check whether FILE.wa is well-formed, and report every fault with its line number.

    The command checks the rules of the official checker. With --strict, it also checks rules of the guidelines: tokens
    exist, every token is covered, EQUI and no other type has the score 5, and NOALI and ALIC have neither a score nor
    a counterpart.
    The status is 1 if there is a fault.

    \b
    Examples:
        accord ists check system.wa
        accord ists check gold.wa --strict --version 2015 --stats
        accord ists check - --json < system.wa | jq '.faults[].line'
    """
    from alignment_ui.chunks.formats.ists_check import check_wa
    from annotate.exchange.encoding import open_text

    if version is not None and not strict:
        raise click.UsageError("--version chooses among the guidelines; it goes with --strict.")
    name = source_name(file)
    text = open_text(read_bytes(file), name=name).read()
    found = check_wa(text, strict=strict, many_to_many=None if version is None else version == "2016")
    if as_json:
        write_whole(STANDARD, [json.dumps(_check_figures(found, strict, stats), indent=2, ensure_ascii=False), "\n"])
    else:
        write_whole(STANDARD, _check_lines(name, found, strict, stats))
    if found.faults:
        context.exit(FAULTY)


@group.command()
@click.argument("gold", metavar="GOLD.wa")
@click.argument("system", metavar="SYSTEM.wa")
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    default="2016",
    show_default=True,
    help="Year of the official scorer to use. The 2015 scorer does not penalise similar types in the measure Typ+Sco.",
)
@click.option("--by-pair", is_flag=True, help="Also print the figures for each sentence pair.")
@json_option
def score(gold: str, system: str, version: str, by_pair: bool, as_json: bool) -> None:
    """Score the links of SYSTEM.wa against GOLD.wa by the four official measures.

    F1 of token links: of the links alone, with their types, with their scores, and with both. Only the links of
    SYSTEM.wa are read. The tokens are taken from GOLD.wa. Pairs are matched by their ids.

    \b
    Examples:
        accord ists score gold.wa system.wa
        accord ists score gold.wa system.wa --version 2015 --json | jq .f1_typ_sco
        accord ists score gold.wa - --by-pair < system.wa | sort -t "$(printf '\\t')" -k2 -n | head
    """
    from alignment_ui.chunks.formats.ists import read_wa
    from alignment_ui.chunks.numerics.scores import ists_scores

    if gold == STANDARD and system == STANDARD:
        raise click.UsageError("The gold file and the system file cannot both be standard input.")
    pairs_of_gold = read_wa(read_bytes(gold), name=source_name(gold))
    pairs_of_system = read_wa(read_bytes(system), name=source_name(system), tokens=False)
    if not {pair.id for pair in pairs_of_gold} & {pair.id for pair in pairs_of_system}:
        raise click.ClickException(
            f"{source_name(system)} has no sentence pair with an id of {source_name(gold)}: pairs are matched by id"
        )
    _note_missing(pairs_of_gold, pairs_of_system)
    scores = ists_scores(pairs_of_gold, pairs_of_system, version=2015 if version == "2015" else 2016)
    if as_json:
        write_whole(STANDARD, [json.dumps(scores.as_dict(by_pair=by_pair), indent=2, ensure_ascii=False), "\n"])
    else:
        write_whole(STANDARD, _score_table(scores) if by_pair else _score_lines(scores))


def _check_lines(name: str, found: WaCheck, strict: bool, stats: bool) -> Iterator[str]:
    for fault in found.faults:
        yield f"{_place(fault)}{fault.rule}: {fault.message}\n"
    verdict = "not well-formed" if found.malformed else "well-formed"
    if strict:
        verdict += ", against the guidelines" if found.against_guidelines else ", as the guidelines have it"
    number = len(found.faults)
    yield f"{name}: {verdict}" + (f" ({number:,} fault{'s' if number > 1 else ''})" if number else "") + "\n"
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


def _score_lines(scores: IstsScores) -> Iterator[str]:
    figures = scores.total.as_dict()
    yield from (f"{title:<12}{figures[measure]:.4f}\n" for measure, title in TITLES.items())


def _score_table(scores: IstsScores) -> Iterator[str]:
    yield tab_line(["id", *TITLES.values()])
    for name, overlap in [*scores.pairs.items(), ("all", scores.total)]:
        figures = overlap.as_dict()
        yield tab_line([name, *(f"{figures[measure]:.4f}" for measure in TITLES)])


def _note_missing(gold: list[IstsPair], system: list[IstsPair]) -> None:
    ids_of_gold, ids_of_system = {pair.id for pair in gold}, {pair.id for pair in system}
    for missing, where in ((ids_of_gold - ids_of_system, "the system's file"), (ids_of_system - ids_of_gold, "gold")):
        if missing:
            click.echo(
                f"accord: note: {len(missing):,} sentence pairs are not in {where}; they count against it", err=True
            )


def _place(fault: BrokenRule) -> str:
    return "" if fault.line is None else f"line {fault.line}: "
