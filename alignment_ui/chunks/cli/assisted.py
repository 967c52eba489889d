"""The `accord ists assisted` command scores systems' links if people have annotated a random part of the pairs."""

from __future__ import annotations

import click

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import chosen_systems, format_options, print_result, refuse_second_stdin
from evaluation.cli.assisted import drawn_of, drawn_option


@click.command()
@click.argument("gold", metavar="GOLD.wa")
@click.argument("program", metavar="PROGRAM.wa")
@click.argument("systems", metavar="SYSTEM.wa...", nargs=-1, required=True)
@drawn_option
@format_options
def assisted(gold: str, program: str, systems: tuple[str, ...], drawn: str | None, output_format: str) -> None:
    """Score each SYSTEM.wa against people's annotations of a random part of the sentence pairs and a program's
    annotations of all pairs.

    GOLD.wa contains people's annotations of the drawn pairs. PROGRAM.wa and each SYSTEM.wa contain all pairs. People's
    annotations correct the program. The figures are the four official F1 values of 2016. Pairs are matched by ID, and
    systems are ranked by F1 Typ+Sco. Name a system with NAME=FILE.

    \b
    Examples:
        accord ists assisted judged.wa program.wa system.wa
        accord ists assisted judged.wa program.wa new=a.wa old=b.wa --drawn drawn.csv --json
    """
    from accord_core.chunks.formats.ists import read_wa
    from accord_core.chunks.numerics.score_sums import ASSISTED, sums_by_pair
    from accord_core.chunks.numerics.scores import ists_scores
    from evaluation.assisted_result import system_figures

    compared = chosen_systems(systems, None)
    refuse_second_stdin(gold, program, *compared.paths, drawn)
    of_people = read_wa(read_bytes(gold), name=source_name(gold))
    of_program = read_wa(read_bytes(program), name=source_name(program))
    ids, places = [pair.id for pair in of_people], {pair.id: place for place, pair in enumerate(of_program)}
    missing = f"is not in {source_name(program)}"
    raise_faults(source_name(gold), [Fault(None, None, f"pair {key} {missing}") for key in ids if key not in places])
    part = drawn_of(drawn, ids, [places[key] for key in ids], len(of_program))
    counts = {}
    for system in compared.systems:
        name = source_name(system.path)
        links = {pair.id: pair for pair in read_wa(read_bytes(system.path), name=name, tokens=False)}
        raise_faults(name, [Fault(None, None, f"pair {key} is missing") for key in places if key not in links])
        counts[system.name] = (
            sums_by_pair(ists_scores(of_people, [links[key] for key in ids]), ids),
            sums_by_pair(ists_scores(of_program, [links[key] for key in places]), list(places)),
        )
    result = system_figures(counts, part, ASSISTED)
    print_result(output_format, result.as_table(), figures=result.as_json())
