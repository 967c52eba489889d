"""The `accord evaluate baseline` command predicts the relatedness of sentence pairs from their words."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import output_option

PLACES = 6
MEASURES = ("dice", "idf-dice", "length")


@click.command()
@click.argument("items", metavar="ITEMS")
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    default="dice",
    show_default=True,
    help="Measure: the share of common words (dice), also weighted by rarity (idf-dice), or the shorter sentence's "
    "length divided by the longer one's (length).",
)
@output_option
def baseline(items: str, measure: str, output: str) -> None:
    """Predict the relatedness of the sentence pairs in ITEMS from their words or lengths.

    ITEMS has the columns id, sentence1 and sentence2. The result has the columns item and score, with scores from 0 to
    1, which `accord evaluate relatedness` reads. You can also use the result as the true values in a simulation.

    \b
    Examples:
        accord evaluate baseline items.csv -o dice.csv
        accord evaluate baseline items.csv --measure length -o length.csv
        accord study simulate STUDY --truth dice.csv
    """
    from accord_core.evaluation.formats.pairs import read_pairs
    from accord_core.evaluation.numerics.features import text_features
    from accord_core.exchange.csvtext import write_csv

    pairs = read_pairs(read_bytes(items), name=source_name(items))
    features = text_features([one for one, _ in pairs.values()], [other for _, other in pairs.values()])
    predictions = {
        "dice": features["dice"],
        "idf-dice": features["idf_dice"],
        "length": 1 - features["length_difference"],
    }[measure]
    rows = zip(pairs, (f"{value:.{PLACES}f}" for value in predictions.tolist()), strict=True)
    write_whole(output, write_csv(rows, ["item", "score"]))
