"""The `accord evaluate word-vectors` command predicts relatedness from pooled word vectors (STR-2021, §6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import note, output_option, refuse_second_stdin

if TYPE_CHECKING:
    from accord_core.evaluation.numerics.pooling import Pooling

PLACES = 6


@click.command("word-vectors")
@click.argument("items", metavar="ITEMS")
@click.argument("vectors", metavar="VECTORS")
@click.option(
    "--pooling",
    type=click.Choice(["mean", "max"]),
    default="mean",
    show_default=True,
    help="Method for combining word vectors into a sentence vector: their mean, or the maximum in each dimension.",
)
@output_option
def word_vectors(items: str, vectors: str, pooling: Pooling, output: str) -> None:
    """Predict the relatedness of the sentence pairs in ITEMS from the word vectors in VECTORS.

    The prediction is the cosine similarity of the two sentence vectors. ITEMS has the columns id, sentence1 and
    sentence2. VECTORS comes from word2vec (text or binary), fastText or GloVe, and can be compressed with gzip.
    Standard error shows how many tokens have a vector.

    \b
    Examples:
        accord evaluate word-vectors items.csv GoogleNews-vectors-negative300.bin.gz -o word2vec.csv
        accord evaluate word-vectors items.csv glove.txt --pooling max -o glove-max.csv
        accord evaluate relatedness scores.csv word2vec.csv glove-max.csv --items items.csv
    """
    import numpy as np

    from accord_core.evaluation.formats.pairs import read_pairs
    from accord_core.evaluation.formats.word_vectors import open_word_vectors
    from accord_core.evaluation.numerics.pooling import cosines, coverage, forms, pooled
    from accord_core.evaluation.numerics.treebank import treebank_tokens
    from accord_core.exchange.csvtext import write_csv

    refuse_second_stdin(items, vectors)
    pairs = read_pairs(read_bytes(items), name=source_name(items))
    sentences = [treebank_tokens(pair[side]) for side in (0, 1) for pair in pairs.values()]
    vector_of = open_word_vectors(vectors, forms(token for tokens in sentences for token in tokens))
    if not vector_of:
        raise click.ClickException(f"{source_name(vectors)}: the file has no vector for any token in the items.")
    values = pooled(sentences, vector_of, pooling)
    similarity = cosines(values[: len(pairs)], values[len(pairs) :])
    counted = coverage(sentences, vector_of)
    note(
        f"{counted.covered:,} of {counted.tokens:,} tokens ({counted.covered / counted.tokens:.1%}) and "
        f"{counted.covered_types:,} of {counted.types:,} distinct tokens have a vector"
    )
    missing = int(np.isnan(similarity).sum())
    if missing:
        note(f"in {missing:,} items, no token of a sentence has a vector. The prediction for these items is 0")
    rows = zip(pairs, (f"{value:.{PLACES}f}" for value in np.nan_to_num(similarity).tolist()), strict=True)
    write_whole(output, write_csv(rows, ["item", "score"]))
