"""The `accord paraphrase quality-control` command draws quality-control questions from WordNet."""

from __future__ import annotations

import click

from accord_core.exchange.files import write_whole
from annotate.cli.options import output_option, seed_option
from annotate.cli.types import WholeRange


@click.command("quality-control")
@click.option(
    "--wordnet",
    required=True,
    metavar="DIR",
    envvar="WORDNET_DIR",
    help="Folder that contains index.noun, data.noun and the other WordNet files. The default is WORDNET_DIR.",
)
@click.option("--count", type=WholeRange(1), default=50, show_default=True, help="Number of questions.")
@seed_option
@output_option
def quality_control(wordnet: str, count: int, seed: int, output: str) -> None:
    """Draw quality-control questions from WordNet.

    Each question has an example sentence with one marked word, three synonyms, and three random words of similar
    frequency that are not neighbours of the marked word in WordNet. Edit the CSV file before you import it as gold
    questions. The Debian package wordnet-base contains the folder /usr/share/wordnet.

    \b
    Examples:
        accord paraphrase quality-control --wordnet /usr/share/wordnet --count 60 --seed 1 -o quality-control.csv
        WORDNET_DIR=~/wordnet/dict accord paraphrase quality-control | head
    """
    from accord_core.paraphrase.formats.quality_control import write_quality_control
    from accord_core.paraphrase.formats.wordnet import read_wordnet
    from accord_core.paraphrase.numerics.quality_control import TooFewQuestions, draw_quality_control

    try:
        questions = draw_quality_control(read_wordnet(wordnet), count, seed=seed)
    except TooFewQuestions as error:
        raise click.ClickException(f"{wordnet}: {error}") from error
    write_whole(output, write_quality_control(questions))
