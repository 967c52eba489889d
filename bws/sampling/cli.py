"""`accord sample`: items made from sentences, on plain files. numpy is imported only inside commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

import click

from annotate.cli_options import output_option, place_for_file, seed_option
from annotate.exchange.files import read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from bws.sampling.report import Report
    from bws.sampling.request import RequestError

# These copies of the names in bws.sampling.request let the help text start without NumPy. A test compares them.
STRATEGIES = ("overlap", "buckets", "paraphrase", "match", "bins", "random")
MEASURES = ("overlap", "dice", "idf-dice")
OPTIONS = {"edges": "bins", "quotas": "quota", "window": "overlap"}


@click.group()
def group() -> None:
    """Make items from sentences."""


@group.command()
@click.argument("sentences", metavar="SENTENCES")
@click.option("--strategy", type=click.Choice(STRATEGIES), required=True, help="How pairs are found; see below.")
@click.option("--pairs", type=click.IntRange(1), help="Pairs to make of each group.")
@click.option(
    "--quota", "quotas", multiple=True, metavar="NAME=N",
    help="Pairs to make of one group, or with --kinds of one kind; may be repeated.",
)  # fmt: skip
@click.option(
    "--within", multiple=True, metavar="COLUMN",
    help="Pair only rows of the same group, which is the value of this column; may be repeated. "
    "Without it: source and subset, where they are.",
)  # fmt: skip
@click.option(
    "--words", nargs=2, type=click.IntRange(1), default=(5, 25), show_default=True, metavar="LEAST MOST",
    help="How long a sentence may be.",
)  # fmt: skip
@click.option(
    "--overlap", nargs=2, type=click.FloatRange(0), metavar="LOW HIGH",
    help="LOW ≤ share of the first sentence's words that the second has < HIGH; .25 and .75 for overlap.",
)  # fmt: skip
@click.option(
    "--length-difference", type=click.FloatRange(0, 1), metavar="SHARE",
    help="How far lengths may differ, as a share of the longer one; .25 for overlap.",
)  # fmt: skip
@click.option("--synonyms", metavar="FILE", help="Words to be replaced before words are compared: word,synonym.")
@click.option(
    "--measure", type=click.Choice(MEASURES),
    help="What buckets and the report go by; dice unless said otherwise, for overlap its own.",
)  # fmt: skip
@click.option("--buckets", type=click.IntRange(1), help="How many buckets (50) or bins (5).")
@click.option(
    "--base", type=click.FloatRange(0, min_open=True), default=1.1, show_default=True,
    help="Each bucket gives so many times the pairs of the one below it; 1: all alike.",
)  # fmt: skip
@click.option(
    "--examine", type=click.IntRange(1, 5_000_000), default=200_000, show_default=True,
    help="Random pairs of a group that buckets are made of.",
)  # fmt: skip
@click.option("--match", default="", metavar="COLUMN", help="Both sentences have the same value here.")
@click.option("--kinds", default="", metavar="COLUMN", help="With match: what quotas such as for+against=250 speak of.")
@click.option("--score", default="", metavar="COLUMN", help="The outside score that bins are made of.")
@click.option(
    "--bins", "edges", default="", metavar="0,1,2,…",
    help="Where bins begin, and where the last one ends. Without it they are equally wide.",
)  # fmt: skip
@click.option("--reuse", is_flag=True, help="A sentence may be in several pairs.")
@seed_option
@output_option
@click.option("--report", metavar="FILE.json", callback=place_for_file, help="Write the report as JSON.")
def pairs(
    sentences: str, synonyms: str | None, overlap: tuple[float, float] | None, length_difference: float | None,
    within: tuple[str, ...], quotas: tuple[str, ...], edges: str, output: str, report: str | None, **asked: Any,
) -> None:  # fmt: skip
    """Make pairs of SENTENCES, or choose among pairs, for a study of relatedness.

    SENTENCES is CSV (commas, semicolons or tabs) or JSON Lines with a column text, or sentence1 and sentence2 where
    rows are pairs; or one sentence a line. The result is a file of items. What came of it is told on standard error:
    how words overlap in these pairs, and how they would in random ones.

    \b
    overlap     each sentence with the first, in a random order, that shares
                a quarter to three quarters of its words and is about as long
    buckets     more pairs of high overlap than of low, from random pairs or
                from pairs that are given
    paraphrase  of pairs that are given, at random
    match       sentences with the same value of a column, by quotas
    bins        of pairs that are given, equally many from each bin of a score
    random      any two sentences

    \b
    Examples:
        accord sample pairs captions.csv --strategy overlap --pairs 750 -o items.csv
        accord sample pairs reviews.txt --strategy buckets --measure idf-dice --pairs 1000
        accord sample pairs tweets.csv --strategy match --match target \\
            --kinds stance --quota for+for=250 --quota for+against=250
    """
    from annotate.exchange.csvtext import write_csv
    from annotate.exchange.tables import Limits
    from bws.sampling.formats.sentences import read_sentences, read_synonyms
    from bws.sampling.pairs import make_pairs
    from bws.sampling.request import Request, RequestError, read_edges, read_quotas, window_of

    low, high = overlap or (None, None)
    try:
        request = Request(
            quotas=read_quotas(quotas), edges=read_edges(edges), within=within or None,
            window=window_of(asked["strategy"], low, high, length_difference), **asked,
        )  # fmt: skip
        replaced = read_synonyms(read_bytes(synonyms), name=source_name(synonyms)) if synonyms else {}
        table = read_sentences(read_bytes(sentences), name=source_name(sentences), limits=Limits())
        sample = make_pairs(table, request, replaced)
    except RequestError as error:
        _refuse(error)
    _tell(sample.report)
    if not sample.rows:
        raise click.ClickException(f"{source_name(sentences)}: not one pair could be made; the report says why.")
    if report is not None:
        write_whole(report, [json.dumps(sample.report.as_dict(), indent=2, ensure_ascii=False), "\n"])
    write_whole(output, write_csv(sample.rows, sample.columns))


def _refuse(error: RequestError) -> NoReturn:
    option = OPTIONS.get(error.field, error.field)
    raise click.UsageError(f"--{option}: {error}.") from error


def _tell(report: Report) -> None:
    for line in report.lines():
        click.echo(line, err=True)
