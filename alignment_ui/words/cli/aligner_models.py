"""The options of `accord align prealign` for extra sentence pairs and for models learned from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from annotate.cli.options import all_options, place_for_file
from annotate.exchange.files import read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from alignment_ui.pairs.numerics.learned_lexicon import LearnedLexicon


# The options --extra, --model and --save-model.
learning_options = all_options(
    click.option(
        "--extra",
        metavar="FILE",
        multiple=True,
        help="Extra sentence pairs for training the aligner. Can be repeated.",
    ),
    click.option("--model", metavar="FILE.npz", help="Saved model that the aligner learned from extra pairs."),
    click.option(
        "--save-model",
        metavar="FILE.npz",
        callback=place_for_file,
        help="Save the model that the aligner learns from --extra and --model.",
    ),
)


def learned_from(
    extra: Sequence[str],
    model: str | None,
    save_model: str | None,
    *,
    progress: Callable[[float], None] | None = None,
) -> LearnedLexicon | None:
    """Return the lexicon that the aligner learns from the files in the options, or None if no files are given. Save the
    lexicon if the option is set.
    """
    from alignment_ui.pairs.formats.aligner_models import read_model, write_model
    from alignment_ui.pairs.formats.sentences import read_sentences
    from alignment_ui.pairs.numerics.lexicon_training import learn_lexicon

    if save_model and not (extra or model):
        raise click.UsageError("--save-model needs --extra or --model.")
    learned = read_model(read_bytes(model), name=source_name(model)) if model else None
    pairs = [
        (pair.source or (), pair.target or ())
        for path in extra
        for pair in read_sentences(read_bytes(path), name=source_name(path)).pairs
    ]
    if pairs:
        learned = learn_lexicon(pairs, learned, progress=progress)
    if save_model and learned is not None:
        write_whole(save_model, [write_model(learned)])
    return learned
