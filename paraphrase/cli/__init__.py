"""The command group `accord paraphrase`, which creates items and quality-control questions from files, without a
server.
"""

import click

from annotate.cli_options import output_option, seed_option
from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole


@click.group()
def group() -> None:
    """Create items for paraphrase studies, and create quality-control questions from WordNet."""


@group.command()
@click.argument("sentences", metavar="SENTENCES")
@click.argument("paraphrases", metavar="PARAPHRASES")
@click.option("--per", type=click.IntRange(1), metavar="N", help="Maximum number of sentences per phrase and domain.")
@seed_option
@output_option
def items(sentences: str, paraphrases: str, per: int | None, seed: int, output: str) -> None:
    """Find the phrases of PARAPHRASES in SENTENCES.

    SENTENCES has the columns sentence and domain, and id if wanted; PARAPHRASES has phrase and paraphrase, and score if
    wanted. Both are CSV or JSON Lines. Phrases match whole words, the longest first, and a sentence is used once. The
    result is items in JSON Lines, each with the whole list of its phrase's paraphrases.

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


@group.command("quality-control")
@click.option(
    "--wordnet",
    required=True,
    metavar="DIR",
    envvar="WORDNET_DIR",
    help="Folder that contains index.noun, data.noun and the other WordNet files. The default is WORDNET_DIR.",
)
@click.option("--count", type=click.IntRange(1), default=50, show_default=True, help="Number of questions.")
@seed_option
@output_option
def quality_control(wordnet: str, count: int, seed: int, output: str) -> None:
    """Draw quality-control questions from WordNet.

    A question is an example sentence of a synset with one of its words marked, three other words of the synset, and
    three random words as common as these that WordNet does not place near the marked one. The result is CSV: read it,
    edit it, and bring it into a study as gold. Debian's package wordnet-base has the folder /usr/share/wordnet.

    \b
    Examples:
        accord paraphrase quality-control --wordnet /usr/share/wordnet --count 60 --seed 1 -o quality-control.csv
        WORDNET_DIR=~/wordnet/dict accord paraphrase quality-control | head
    """
    from paraphrase.formats.quality_control import write_quality_control
    from paraphrase.formats.wordnet import read_wordnet
    from paraphrase.numerics.quality_control import TooFewQuestions, draw_quality_control

    try:
        questions = draw_quality_control(read_wordnet(wordnet), count, seed=seed)
    except TooFewQuestions as error:
        raise click.ClickException(f"{wordnet}: {error}") from error
    write_whole(output, write_quality_control(questions))
