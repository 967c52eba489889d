"""The `accord evaluate features` command, which correlates features of sentence pairs with scores (STR-2021, Table 4),
and the `accord evaluate parse` command, which parses the sentences.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.tables import find_column
from annotate.cli.options import (
    format_options,
    note,
    output_option,
    place_for_file,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from annotate.cli.types import NumberRange

if TYPE_CHECKING:
    from accord_core.evaluation.formats.pairs import Pairs
    from accord_core.evaluation.formats.predictions import ScoreFile
    from accord_core.evaluation.numerics.features import Floats

SMALL = 0.1
# The columns in score files that contain scores in another form, or the counts from which scores are calculated.
OF_SCORES = {
    "signed_score", "standard_error", "rank", "appearances", "best", "worst", "maxdiff", "maxdiff_standard_error",
}  # fmt: skip


@click.command()
@click.argument("scores", metavar="SCORES.csv")
@click.option(
    "--items", metavar="FILE", help="Item file with the sentences and columns, if they are not in SCORES.csv."
)
@click.option("--parses", metavar="FILE.conllu", help="Parses of the sentences in CoNLL-U format.")
@click.option(
    "--word-vectors",
    metavar="FILE",
    help="Word vectors from word2vec, fastText or GloVe. With word vectors, Accord also calculates the features for "
    "related words.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="COLUMN",
    help="Numeric column to use as a feature. You can repeat this option. The default is every numeric column.",
)
@click.option(
    "--share",
    type=NumberRange(0, 1),
    default=SMALL,
    show_default=True,
    help="Exclude a part of speech unless more than this share of the pairs contains it in both sentences.",
)
@click.option(
    "--values",
    metavar="FILE",
    callback=place_for_file,
    help="Write each feature's value for each item to FILE.",
)
@resamples_option()
@seed_option
@format_options
def features(
    scores: str,
    items: str | None,
    parses: str | None,
    word_vectors: str | None,
    columns: tuple[str, ...],
    share: float,
    values: str | None,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Correlate features of sentence pairs with the scores in SCORES.csv.

    The features are the word overlap, the sentence lengths and numeric columns. With --parses and --word-vectors,
    related words by part of speech, subjects and objects are added. The command prints each feature's Spearman
    correlation with an interval and the number of items, because some items lack some features.

    \b
    Examples:
        accord evaluate features scores.csv --items items.csv
        accord evaluate parse items.csv --model en_core_web_sm -o items.conllu
        accord evaluate features scores.csv --items items.csv --parses items.conllu \\
            --word-vectors GoogleNews-vectors-negative300.bin.gz --format latex
    """
    import numpy as np

    from accord_core.evaluation.formats.feature_tables import feature_rows, features_table, value_columns
    from accord_core.evaluation.formats.predictions import read_scores, with_items
    from accord_core.evaluation.numerics.features import feature_correlations, text_features

    refuse_second_stdin(scores, items, parses, word_vectors)
    file = read_scores(read_bytes(scores), name=source_name(scores))
    if items is not None:
        file = with_items(file, read_bytes(items), name=source_name(items))
    arrays: dict[str, Floats] = {}
    if file.sentences is not None:
        first, second = ([pair[side] for pair in file.sentences] for side in (0, 1))
        arrays |= text_features(first, second)
        arrays |= _parsed(dict(zip(file.items, file.sentences, strict=True)), parses, word_vectors, share)
    elif parses is not None or word_vectors is not None:
        raise click.UsageError("Parses and word vectors can be used only if the sentences are known. Add --items FILE.")
    arrays |= _columns(file, columns, OF_SCORES | arrays.keys(), source_name(scores))
    if not arrays:
        raise click.ClickException(f"{source_name(scores)}: there are no sentences and no numeric columns.")
    figures = feature_correlations(arrays, np.array(file.scores), resamples=resamples, seed=seed)
    omitted = [name for name in arrays if name not in {row["name"] for row in figures}]
    if omitted:
        note(f"fewer than ten items have a value for {', '.join(omitted)}, so these features are omitted")
    rows = feature_rows(figures)
    print_result(output_format, features_table(rows, len(file.items)), figures=rows)
    if values is not None:
        from accord_core.exchange.csvtext import write_csv

        write_whole(values, write_csv(*value_columns(file.items, arrays)))


@click.command()
@click.argument("items", metavar="ITEMS")
@click.option("--model", required=True, metavar="NAME", help="Name of an installed spaCy model, or its folder.")
@output_option
def parse(items: str, model: str, output: str) -> None:
    """Parse the sentences in ITEMS with a spaCy model, and write CoNLL-U.

    ITEMS has the columns id, sentence1 and sentence2. The command needs the extra spacy: pip install
    'accord-annotation[spacy]'. You can also parse the sentences with another program that writes CoNLL-U.

    \b
    Example:
        accord evaluate parse items.csv --model en_core_web_sm -o items.conllu
    """
    from accord_core.evaluation.formats.pairs import read_pairs
    from accord_core.exchange.conllu import write_conllu
    from accord_core.exchange.parses import parse_with_spacy

    pairs = read_pairs(read_bytes(items), name=source_name(items))
    write_whole(output, write_conllu(parse_with_spacy(pairs, model)))


def _parsed(pairs: Pairs, parses: str | None, word_vectors: str | None, share: float) -> dict[str, Floats]:
    """Return the features from parses and word vectors, or an empty dictionary if there are no such files."""
    from accord_core.evaluation.numerics.parsed_features import parsed_features
    from accord_core.evaluation.numerics.pooling import cosines, forms, pooled
    from accord_core.evaluation.numerics.treebank import treebank_tokens
    from accord_core.exchange.conllu import read_conllu
    from accord_core.exchange.parses import parses_of

    if parses is None and word_vectors is None:
        return {}
    if parses is None:
        tokens = [[treebank_tokens(pair[side]) for pair in pairs.values()] for side in (0, 1)]
        vectors = _vectors(word_vectors or "", forms(each for side in tokens for line in side for each in line))
        return {"related:all": cosines(pooled(tokens[0], vectors), pooled(tokens[1], vectors))}
    first, second = parses_of(
        read_conllu(read_bytes(parses), name=source_name(parses)), pairs, name=source_name(parses)
    )
    vector_of = None
    if word_vectors is not None:
        vector_of = _vectors(word_vectors, forms(word.form for line in (*first, *second) for word in line))
    return parsed_features(first, second, vector_of, share=share)


def _vectors(path: str, words: Collection[str]) -> dict[str, Floats]:
    from accord_core.evaluation.formats.word_vectors import open_word_vectors

    vectors = open_word_vectors(path, words)
    if not vectors:
        raise click.ClickException(f"{source_name(path)}: the file has no vector for any token of the items.")
    return vectors


def _columns(file: ScoreFile, requested: tuple[str, ...], known: Collection[str], name: str) -> dict[str, Floats]:
    """Return the requested columns, or all numeric columns except the `known` features. Raises TableError if a
    requested column is missing or contains no numbers.
    """
    from accord_core.evaluation.numerics.features import numeric_column

    columns = {}
    for each in requested or (column for column in file.columns if column.casefold() not in known):
        column = find_column(list(file.columns), each)
        values = None if column is None else numeric_column(file.columns[column])
        if values is not None:
            columns[f"column:{column}"] = values
        elif requested:
            available = ", ".join(file.columns) or "none"
            message = (
                "the column is missing, or does not contain at least three different numbers. "
                f"The columns are {available}"
            )
            raise TableError(name, [Fault(None, each, message)])
    return columns
