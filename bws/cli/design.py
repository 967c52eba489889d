"""The `accord bws tuples` command draws balanced tuples from an item file."""

from __future__ import annotations

import json

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import output_option, place_for_file, seed_option
from annotate.cli.types import NumberRange, WholeRange


@click.command()
@click.argument("items", metavar="ITEMS")
@click.option("--size", type=WholeRange(3, 6), default=4, show_default=True, help="Items per tuple.")
@click.option(
    "--factor",
    type=NumberRange(0, min_open=True),
    default=2.0,
    show_default=True,
    help="Tuples for each item.",
)
@seed_option
@output_option
@click.option("--report", metavar="FILE.json", callback=place_for_file, help="Write the design report to FILE.json.")
def tuples(items: str, size: int, factor: float, seed: int, output: str, report: str | None) -> None:
    """Draw balanced tuples from ITEMS.

    ITEMS is a list with one item per line, or a CSV or JSON Lines file with a column id. Items marked as gold_only are
    excluded. Each line of the result is one tuple: items or IDs, separated by tabs.

    \b
    Examples:
        accord bws tuples items.csv -o tuples.tsv --report design.json
        accord bws tuples words.txt --size 5 --factor 1.5 --seed 7
        cut -f1 lexicon.tsv | accord bws tuples - | shuf | head -100
    """
    from accord_core.bws.formats import read_item_names, write_tuples
    from accord_core.bws.numerics.design import DesignError, best_worst_design, describe_design

    names = read_item_names(read_bytes(items), name=source_name(items))
    try:
        design = best_worst_design(len(names), size=size, factor=factor, seed=seed)
    except DesignError as error:
        raise click.ClickException(f"{source_name(items)}: {error}") from error
    if report is not None:
        facts = describe_design(design, len(names), seed=seed).as_dict()
        write_whole(report, [json.dumps(facts, indent=2), "\n"])
    write_whole(output, write_tuples([names[item] for item in row] for row in design.tolist()))
