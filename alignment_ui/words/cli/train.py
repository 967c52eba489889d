"""The `accord align train` command trains the weights of the built-in aligner on a user's own aligned pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import figure_table
from alignment_ui.words.cli.aligner_models import known_vector, read_word_vectors, vectors_option
from alignment_ui.words.cli.files import from_option, read_links
from annotate.cli.options import (
    format_options,
    place_for_file,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from annotate.cli.support import progress_bar

if TYPE_CHECKING:
    from accord_core.words.numerics.trained_weights import Trained


@click.command()
@click.argument("pairs", metavar="PAIRS")
@click.argument("links", metavar="LINKS")
@click.option(
    "-o",
    "--output",
    metavar="MODEL.json",
    required=True,
    callback=place_for_file,
    help="File for the model, which is written either completely or not at all.",
)
@vectors_option
@resamples_option()
@seed_option
@from_option
@format_options
def train(
    pairs: str,
    links: str,
    output: str,
    vectors: str | None,
    resamples: int,
    seed: int,
    format_name: str | None,
    output_format: str,
) -> None:
    """Train the weights of the built-in aligner on PAIRS with the links in LINKS.

    PAIRS has two columns of tokenised sentences, or another format for sentence pairs. LINKS has an alignment format,
    such as Pharaoh. A file with sentences and links, such as jacana JSON, can be used for both.

    The result shows the alignment error rate (AER) of the built-in and the new weights on pairs that the new weights
    were not trained on. Five folds of pairs take turns: weights are trained on four folds and align the fifth. The
    model in MODEL.json is trained on all pairs. Use it with accord align prealign --model.

    \b
    Examples:
        accord align train pairs.tsv pairs.pharaoh -o model.json
        accord align train gold.json gold.json --vectors glove.txt -o model.json
    """
    from accord_core.pairs.formats.aligner_weights import Weights, write_weights
    from accord_core.pairs.formats.sentences import read_sentences
    from accord_core.pairs.numerics.scripts import script_of
    from accord_core.words.numerics.trained_weights import FEWEST, train_weights

    refuse_second_stdin(pairs, links, vectors)
    sentences = read_sentences(read_bytes(pairs), name=source_name(pairs))
    aligned = [pair for pair in read_links(links, format_name, sentences).pairs if pair.source and pair.target]
    linked = sum(bool(pair.alignment.links) for pair in aligned)
    if linked < FEWEST:
        raise click.ClickException(
            f"{source_name(links)}: only {linked:,} sentence pairs have links. Training needs at least {FEWEST}. "
            "Cross-validation trains on four fifths of them, and weights from 40 pairs make many more errors than "
            "weights from several hundred."
        )
    words = [(pair.source or (), pair.target or ()) for pair in aligned]
    found = read_word_vectors(vectors, words) if vectors else None
    with progress_bar("Training") as progress:
        trained = train_weights(
            words,
            [pair.alignment for pair in aligned],
            seed=seed,
            resamples=resamples,
            vectors=found,
            say=progress,
        )
    known = None if found is None else known_vector(found, words)
    model = Weights(trained.network, len(aligned), script_of(words), seed, known)
    write_whole(output, [write_weights(model)])
    table = figure_table(
        ["weights"],
        _rows(trained),
        caption=f"Cross-validated AER of {len(aligned):,} sentence pairs",
        notes=list(_conclusions(trained)),
        places=4,
    )
    print_result(output_format, table, figures=_as_json(trained, len(aligned)))


def _rows(trained: Trained) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    for name, figure in trained.aer.items():
        yield [name], figure
    for (one, other), figure in trained.differences.items():
        yield [f"{one} − {other}"], figure


def _conclusions(trained: Trained) -> Iterator[str]:
    """For each comparison, yield a sentence that states whether the new weights are better."""
    for (_, other), difference in trained.differences.items():
        than = {"built-in": "the built-in weights"}.get(other, "new weights without vectors")
        if difference["high"] is None:
            yield f"Without resamples, the result does not show whether the new weights are better than {than}."
        elif difference["high"] < 0:
            yield f"The new weights are better than {than}: the interval of the difference is below 0."
        elif difference["low"] > 0:
            yield f"The new weights are worse than {than}: the interval of the difference is above 0."
        else:
            yield f"The new weights are not better than {than}: the interval of the difference contains 0."


def _as_json(trained: Trained, pairs: int) -> dict[str, Any]:
    return {
        "pairs": pairs,
        "aer": trained.aer,
        "differences": [{"one": one, "other": other, **figure} for (one, other), figure in trained.differences.items()],
    }
