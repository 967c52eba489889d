"""The `accord align rules` command extracts and counts synchronous grammar rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.printed_tables import PrintedTable
from alignment_ui.words.cli.files import from_option, sentences_option
from alignment_ui.words.cli.phrase_scores import gold_with_sentences
from annotate.cli.options import format_options, note, output_option, print_result, refuse_second_stdin
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from accord_core.words.numerics.rules import RuleCounts

COLUMNS = ("count", "weight", "gaps", "source", "target")
WEIGHT_PLACES = 4


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--kind",
    type=click.Choice(["sure", "possible"]),
    default="sure",
    show_default=True,
    help="Links used to derive the rules: the sure links, or all links.",
)
@click.option("--max-span", type=WholeRange(1), default=10, show_default=True, help="Maximum number of source words.")
@click.option(
    "--max-symbols",
    type=WholeRange(1),
    default=5,
    show_default=True,
    help="Maximum number of words and gaps on the source side.",
)
@click.option("--gaps", type=WholeRange(0, 2), default=2, show_default=True, help="Maximum number of gaps.")
@click.option(
    "--min-gap", type=WholeRange(1), default=1, show_default=True, help="Minimum number of source words in a gap."
)
@click.option("--adjacent-gaps", is_flag=True, help="Allow two adjacent gaps on the source side.")
@click.option("--unaligned", is_flag=True, help="Allow rules in which no link connects words outside the gaps.")
@click.option("--ignore-identical", is_flag=True, help="Exclude rules whose two sides are equal, ignoring case.")
@click.option(
    "--min-count",
    type=WholeRange(1),
    default=1,
    show_default=True,
    help="Minimum number of occurrences of a rule.",
)
@sentences_option(required=False)
@from_option
@format_options
@output_option
def rules(
    file: str,
    kind: str,
    max_span: int,
    max_symbols: int,
    gaps: int,
    min_gap: int,
    adjacent_gaps: bool,
    unaligned: bool,
    ignore_identical: bool,
    min_count: int,
    sentences: tuple[str, ...],
    format_name: str | None,
    output_format: str,
    output: str,
) -> None:
    """Extract synchronous grammar rules from the links in FILE, and count them.

    A rule is a phrase pair in which the gaps [X,1] and [X,2] replace up to two smaller phrase pairs. The default limits
    are those of Chiang (2007). The columns are the rule's count, its weight (each phrase pair shares a weight of 1
    among its rules), the number of gaps, and the two sides.

    \b
    Examples:
        accord align rules gold.json --ignore-identical | head
        accord align rules links.pharaoh --sentences pairs.tsv --gaps 1 --min-gap 2 --min-count 2
    """
    from accord_core.pairs.formats.tabs import tab_line
    from accord_core.pairs.numerics.links import KINDS
    from accord_core.words.numerics.rules import Limits, rule_counts

    refuse_second_stdin(file, *sentences)
    corpus = gold_with_sentences(file, format_name, sentences)
    limits = Limits(max_span, max_symbols, gaps, min_gap, adjacent_gaps, not unaligned)
    chosen = next(each for each in KINDS if each == kind)
    counts = rule_counts(
        ((pair.source or (), pair.target or (), pair.alignment.of_kind(chosen)) for pair in corpus.pairs), limits
    )
    rows = _rows(counts, ignore_identical=ignore_identical, min_count=min_count)
    table = PrintedTable(COLUMNS, rows, places=WEIGHT_PLACES)
    lines = (tab_line(cell or "" for cell in row) for row in [COLUMNS, *table.cells()])
    print_result(output_format, table, text=lines, output=output)
    numbers = [sum(rule.gaps == number for rule in counts.count) for number in range(3)]
    note(
        f"{corpus.name}: {len(counts.count):,} different rules from {counts.phrase_pairs:,} phrase pairs "
        f"({numbers[0]:,} without gaps, {numbers[1]:,} with one gap, {numbers[2]:,} with two gaps)"
    )


def _rows(counts: RuleCounts, *, ignore_identical: bool, min_count: int) -> list[list[str | int | float]]:
    """Return the rules in descending order of count."""
    rows: list[list[str | int | float]] = []
    for rule, count in sorted(counts.count.items(), key=lambda row: (-row[1], row[0])):
        source, target = (" ".join(side) for side in rule)
        if count >= min_count and not (ignore_identical and source.casefold() == target.casefold()):
            rows.append([count, counts.weight[rule], rule.gaps, source, target])
    return rows
