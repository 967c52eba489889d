"""The `accord sample` command creates items from files of sentences. NumPy is imported only when the command runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import CommandGroup, output_option, place_for_file, seed_option
from annotate.cli.types import NumberRange, WholeRange
from bws.sampling.sentence_cli import sentences as sentences_command

if TYPE_CHECKING:
    from bws.sampling.report import Report
    from bws.sampling.request import RequestError

# The names from bws.sampling.request are repeated here, because importing that module would load NumPy just to show the
# help text. A test compares both lists of names.
STRATEGIES = ("overlap", "buckets", "paraphrase", "match", "bins", "random")
MEASURES = ("overlap", "dice", "idf-dice")
OPTIONS = {"edges": "bins", "quotas": "quota", "window": "overlap"}


@click.group(cls=CommandGroup)
def group() -> None:
    """Extract sentences from texts, and create items from sentences."""


group.add_command(sentences_command)


@group.command()
@click.argument("sentences", metavar="SENTENCES")
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    required=True,
    help="Method for sampling the pairs, as listed above.",
)
@click.option("--pairs", type=WholeRange(1), help="Number of pairs to sample per group.")
@click.option(
    "--quota",
    "quotas",
    multiple=True,
    metavar="NAME=N",
    help="Number of pairs to sample for one group or, with --kinds, for one kind. You can repeat this option.",
)
@click.option(
    "--within",
    multiple=True,
    metavar="COLUMN",
    help="Pair only rows with the same value in this column. You can repeat this option. "
    "The default is the columns `source` and `subset`, if they exist.",
)
@click.option(
    "--words",
    nargs=2,
    type=WholeRange(1),
    metavar="LEAST MOST",
    help="Minimum and maximum sentence length in words. The default is 5 and 25, or no limits if the file has the "
    "column `tokens`, which `accord sample sentences` writes.",
)
@click.option(
    "--overlap",
    nargs=2,
    type=NumberRange(0),
    metavar="LOW HIGH",
    help="Share of the first sentence's words that the second sentence must contain: at least LOW and less than "
    "HIGH. The default limits for the strategy `overlap` are .25 and .75.",
)
@click.option(
    "--length-difference",
    type=NumberRange(0, 1),
    metavar="SHARE",
    help="Maximum difference in length, as a fraction of the length of the longer sentence. The default maximum for "
    "the "
    "strategy `overlap` is .25.",
)
@click.option(
    "--synonyms",
    metavar="FILE",
    help="CSV file with the columns “word” and “synonym”. Before words are compared, each synonym is replaced by the "
    "corresponding word.",
)
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    help="Similarity measure for the buckets and for the report. The default is `dice`, except for the strategy "
    "`overlap`, which uses its own measure.",
)
@click.option("--buckets", type=WholeRange(1), help="Number of buckets (50 by default) or bins (5 by default).")
@click.option(
    "--base",
    type=NumberRange(0, min_open=True),
    default=1.1,
    show_default=True,
    help="Ratio between the numbers of pairs in neighbouring buckets. With a ratio of 1, all buckets have the same "
    "number "
    "of pairs.",
)
@click.option(
    "--examine",
    type=WholeRange(1, 5_000_000),
    default=200_000,
    show_default=True,
    help="Number of random pairs per group for filling the buckets.",
)
@click.option("--match", default="", metavar="COLUMN", help="Column in which both sentences must have the same value.")
@click.option(
    "--kinds",
    default="",
    metavar="COLUMN",
    help="Column to which quotas such as for+against=250 apply (strategy `match` only).",
)
@click.option("--score", default="", metavar="COLUMN", help="Column that contains the score for the bins.")
@click.option(
    "--bins",
    "edges",
    default="",
    metavar="0,1,2,…",
    help="Bounds of the bins in ascending order. A bin contains its upper bound, and the first bin also contains its "
    "lower bound. If you omit this option, all bins have the same width.",
)
@click.option("--reuse", is_flag=True, help="Allow a sentence to appear in several pairs.")
@seed_option
@output_option
@click.option("--report", metavar="FILE.json", callback=place_for_file, help="Write the report to FILE.json.")
def pairs(
    sentences: str,
    synonyms: str | None,
    overlap: tuple[float, float] | None,
    length_difference: float | None,
    within: tuple[str, ...],
    quotas: tuple[str, ...],
    edges: str,
    output: str,
    report: str | None,
    **options: Any,
) -> None:
    """Sample pairs from SENTENCES, or from a file of pairs, for a relatedness study.

    SENTENCES is a CSV or JSON Lines file with a column text (or sentence1 and sentence2 for pairs), or a list with one
    sentence per line. The result is an item file. Standard error shows the word overlap of these and of random pairs.

    \b
    overlap     pairs of sentences of similar length that share a quarter to
                three quarters of their words
    buckets     random or existing pairs, with more pairs of high overlap
                than of low overlap
    paraphrase  existing pairs, drawn at random
    match       sentences with the same value in a column, by quotas
    bins        existing pairs, with equal numbers from each bin of a score
    random      any two sentences

    \b
    Examples:
        accord sample pairs captions.csv --strategy overlap --pairs 750 -o items.csv
        accord sample pairs reviews.txt --strategy buckets --measure idf-dice --pairs 1000
        accord sample pairs tweets.csv --strategy match --match target \\
            --kinds stance --quota for+for=250 --quota for+against=250
    """
    from accord_core.bws.sampling.formats.sentences import read_sentences, read_synonyms
    from accord_core.exchange.csvtext import write_csv
    from accord_core.exchange.tables import Limits
    from bws.sampling.pairs import make_pairs
    from bws.sampling.request import Request, RequestError, read_edges, read_quotas, window_of

    low, high = overlap or (None, None)
    try:
        request = Request(
            quotas=read_quotas(quotas),
            edges=read_edges(edges),
            within=within or None,
            window=window_of(options["strategy"], low, high, length_difference),
            **options,
        )
        replaced = read_synonyms(read_bytes(synonyms), name=source_name(synonyms)) if synonyms else {}
        table = read_sentences(read_bytes(sentences), name=source_name(sentences), limits=Limits())
        sample = make_pairs(table, request, replaced)
    except RequestError as error:
        _refuse(error)
    _tell(sample.report)
    if not sample.rows:
        raise click.ClickException(f"{source_name(sentences)}: no pair could be sampled. The report shows the reason.")
    if report is not None:
        write_whole(report, [json.dumps(sample.report.as_dict(), indent=2, ensure_ascii=False), "\n"])
    write_whole(output, write_csv(sample.rows, sample.columns))


def _refuse(error: RequestError) -> NoReturn:
    option = OPTIONS.get(error.field, error.field)
    raise click.UsageError(f"--{option}: {error}.") from error


def _tell(report: Report) -> None:
    for line in report.lines():
        click.echo(line, err=True)
