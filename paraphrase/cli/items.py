"""The `accord paraphrase items` command finds phrases in sentences."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.numbers import is_whole_number
from annotate.cli.options import note, output_option, refuse_second_stdin, seed_option
from annotate.cli.types import WholeRange


def limits_by_domain(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> int | dict[str, int] | None:
    """Return one limit for all domains, a limit for each named domain, or None."""
    limits: dict[str, int] = {}
    for value in values:
        domain, _sign, number = value.rpartition("=")
        if not is_whole_number(number) or int(number) < 1 or domain in limits:
            message = (
                f"{value} is not a valid limit. Enter a single number, such as 15000, or one limit for each domain, "
                "such as biology=15000."
            )
            raise click.BadParameter(message)
        limits[domain] = int(number)
    if "" in limits and len(limits) > 1:
        raise click.BadParameter("use either one limit for all domains or a limit for each named domain.")
    return limits.get("") or limits or None


@click.command()
@click.argument("sentences", metavar="SENTENCES")
@click.argument("paraphrases", metavar="PARAPHRASES")
@click.option("--per", type=WholeRange(1), metavar="N", help="Maximum number of sentences per phrase and domain.")
@click.option(
    "--per-domain",
    "per_domain",
    multiple=True,
    metavar="[DOMAIN=]N",
    callback=limits_by_domain,
    help="Maximum number of sentences in each domain, or in the named domain. You can repeat this option.",
)
@seed_option
@output_option
def items(
    sentences: str,
    paraphrases: str,
    per: int | None,
    per_domain: int | dict[str, int] | None,
    seed: int,
    output: str,
) -> None:
    """Create items from the sentences in SENTENCES that contain a phrase from PARAPHRASES.

    Both files are CSV or JSON Lines. SENTENCES has the columns sentence (or text), domain (or source) and optionally
    id, and PARAPHRASES has phrase, paraphrase and optionally score. Phrases match whole words, the longest phrase takes
    precedence, and each sentence is used only once. Each item in the result has all paraphrases of its phrase.

    \b
    Examples:
        accord paraphrase items sentences.csv ppdb.csv -o items.jsonl
        accord paraphrase items sentences.csv ppdb.csv --per 10 --seed 7 -o items.jsonl
        accord paraphrase items sentences.csv ppdb.csv --per-domain biology=15000 --per-domain general=10000
    """
    from paraphrase.two_files import make_items

    refuse_second_stdin(sentences, paraphrases)
    result = make_items(
        read_bytes(sentences),
        read_bytes(paraphrases),
        names=(source_name(sentences), source_name(paraphrases)),
        per=per,
        per_domain=per_domain,
        seed=seed,
    )
    if not result.items:
        raise click.ClickException(
            f"none of the {result.phrases:,} phrases occurs in any of the {result.sentences:,} sentences"
        )
    write_whole(output, [result.json_lines])
    note(
        f"{len(result.items):,} of {result.sentences:,} sentences, "
        f"{len(result.sentences_by_phrase):,} of {result.phrases:,} phrases, {result.candidates:,} candidates"
    )
