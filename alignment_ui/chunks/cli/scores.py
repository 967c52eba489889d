"""The `accord ists score` command, which scores the links in a file using the official measures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from alignment_ui.pairs.formats.tabs import tab_line
from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alignment_ui.chunks.numerics.chunks import IstsPair
    from alignment_ui.chunks.numerics.scores import IstsScores

TITLES = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}


@click.command()
@click.argument("gold", metavar="GOLD.wa")
@click.argument("system", metavar="SYSTEM.wa")
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    default="2016",
    show_default=True,
    help="Year of the official scorer to use. The 2015 scorer does not penalise similar types in the Typ+Sco measure.",
)
@click.option("--by-pair", is_flag=True, help="Also print the figures for each sentence pair.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(gold: str, system: str, version: str, by_pair: bool, as_json: bool) -> None:
    """Score the links of SYSTEM.wa against GOLD.wa using the four official measures.

    The four measures are the F1 of token links without types and scores, with types, with scores, and with both. From
    SYSTEM.wa, the command reads only the links. The tokens come from GOLD.wa. Sentence pairs are matched by ID.

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
            f"{source_name(system)} and {source_name(gold)} have no sentence "
            "pair with the same ID. Pairs are matched by ID"
        )
    _note_missing(pairs_of_gold, pairs_of_system)
    scores = ists_scores(pairs_of_gold, pairs_of_system, version=2015 if version == "2015" else 2016)
    if as_json:
        write_whole(STANDARD, [json.dumps(scores.as_dict(by_pair=by_pair), indent=2, ensure_ascii=False), "\n"])
    else:
        write_whole(STANDARD, _score_table(scores) if by_pair else _score_lines(scores))


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
                f"accord: note: {len(missing):,} sentence pairs are missing from {where}. These pairs lower the scores",
                err=True,
            )
