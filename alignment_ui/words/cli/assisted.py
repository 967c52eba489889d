"""The `accord align assisted` command scores systems' links if people have aligned a random part of the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.faults import Fault, TableError
from alignment_ui.words.cli.files import from_option, read_links
from annotate.cli.options import chosen_systems, format_options, note, print_result, refuse_second_stdin
from evaluation.cli.assisted import drawn_of, drawn_option

if TYPE_CHECKING:
    from accord_core.numerics.labels import Floats
    from accord_core.pairs.formats.corpus import Corpus
    from accord_core.pairs.numerics.links import Alignment


@click.command()
@click.argument("gold", metavar="GOLD")
@click.argument("program", metavar="PROGRAM")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@drawn_option
@from_option
@format_options
def assisted(
    gold: str, program: str, systems: tuple[str, ...], drawn: str | None, format_name: str | None, output_format: str
) -> None:
    """Score each SYSTEM against people's links for a random part of the sentence pairs and a program's links for all
    pairs.

    GOLD contains people's links for the drawn pairs. PROGRAM and each SYSTEM contain links for all pairs. People's
    links correct the program. Pairs are matched by ID, so WPT, TALP and other files without IDs cannot be used as GOLD.
    Systems are ranked by their alignment error rate. Name a system with NAME=FILE.

    \b
    Examples:
        accord align assisted judged.json aligner.json system.json
        accord align assisted judged.json aligner.json new=a.json old=b.json --drawn drawn.csv --json
    """
    from accord_core.pairs.formats.matching import match
    from accord_core.words.numerics.system_scores import ASSISTED, GoldPair, counts_by_pair
    from evaluation.assisted_result import system_figures

    compared = chosen_systems(systems, None)
    refuse_second_stdin(gold, program, *compared.paths, drawn)
    of_people, of_program = read_links(gold, format_name), read_links(program, format_name)
    judged = _judged(of_people, of_program)
    part = drawn_of(drawn, [pair.id for pair in of_people.pairs], list(judged), len(of_program.pairs))

    def against(gold_links: list[Alignment], links: list[Alignment]) -> Floats:
        pairs = [GoldPair((), (), each) for each in gold_links]
        return counts_by_pair(pairs, links, phrases=False, ignore_identical=False)

    counts = {}
    for system in compared.systems:
        matched = match(of_program, read_links(system.path, format_name))
        for message in matched.notes:
            note(message)
        links = [each.alignment for _, each in matched.pairs]
        people = [pair.alignment for pair in of_people.pairs]
        counts[system.name] = (
            against(people, [links[place] for place in judged]),
            against([pair.alignment for pair in of_program.pairs], links),
        )
    result = system_figures(counts, part, ASSISTED)
    print_result(output_format, result.as_table(), figures=result.as_json())


def _judged(gold: Corpus, program: Corpus) -> list[int]:
    """Return the place of each gold pair among the program's pairs. Raises TableError for a pair without a place."""
    if gold.format == "wpt" or "none" in (gold.ids, program.ids):
        raise click.UsageError(
            f"{gold.name} and {program.name} need IDs, and must also name pairs without links. Convert them with "
            "`accord align convert`."
        )
    places = {pair.id: place for place, pair in enumerate(program.pairs)}
    faults = [
        Fault(pair.line, None, f"pair {pair.id} is not in {program.name}")
        for pair in gold.pairs
        if pair.id not in places
    ]
    if faults:
        raise TableError(gold.name, faults)
    return [places[pair.id] for pair in gold.pairs]
