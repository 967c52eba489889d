"""The `accord paraphrase items` command, which finds phrases in sentences."""

from __future__ import annotations

import click

from annotate.cli_options import output_option, seed_option
from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole


@click.command()
@click.argument("sentences", metavar="SENTENCES")
@click.argument("paraphrases", metavar="PARAPHRASES")
@click.option("--per", type=click.IntRange(1), metavar="N", help="Maximum number of sentences per phrase and domain.")
@seed_option
@output_option
def items(sentences: str, paraphrases: str, per: int | None, seed: int, output: str) -> None:
    """Find the phrases of PARAPHRASES in SENTENCES.

    SENTENCES has the columns sentence and domain, and optionally id. PARAPHRASES has the columns phrase and paraphrase,
    and optionally score. Both files are CSV or JSON Lines. Phrases match whole words, the longest phrase takes
    precedence, and each sentence is used only once. The result is a JSON Lines file of items, each with all paraphrases
    of its phrase.

    \b
    Examples:
        accord paraphrase items sentences.csv ppdb.csv -o items.jsonl
        accord paraphrase items sentences.csv ppdb.csv --per 10 --seed 7 -o items.jsonl
    """
    from paraphrase.two_files import make_items

    if sentences == paraphrases == STANDARD:
        raise click.UsageError("Sentences and paraphrases cannot both be read from standard input.")
    result = make_items(
        read_bytes(sentences),
        read_bytes(paraphrases),
        names=(source_name(sentences), source_name(paraphrases)),
        per=per,
        seed=seed,
    )
    if not result.items:
        raise click.ClickException(
            f"none of the {result.phrases:,} phrases occurs in any of the {result.sentences:,} sentences"
        )
    write_whole(output, [result.json_lines])
    click.echo(
        f"accord: note: {len(result.items):,} of {result.sentences:,} sentences, "
        f"{len(result.sentences_by_phrase):,} of {result.phrases:,} phrases, {result.candidates:,} candidates",
        err=True,
    )
