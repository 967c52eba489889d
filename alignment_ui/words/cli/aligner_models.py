"""The options of `accord align prealign` for extra sentence pairs, for models, and for word vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import all_options, note, place_for_file

if TYPE_CHECKING:
    from accord_core.pairs.formats.aligner_weights import Weights
    from accord_core.pairs.numerics.cells import Vectors
    from accord_core.pairs.numerics.hidden_markov import Pair
    from accord_core.pairs.numerics.learned_lexicon import LearnedLexicon


vectors_option = click.option(
    "--vectors",
    metavar="FILE",
    help="Word vectors from word2vec, fastText or GloVe. The network then also uses the similarity of the vectors.",
)
# The options --extra, --model and --save-model.
learning_options = all_options(
    click.option(
        "--extra",
        metavar="FILE",
        multiple=True,
        help="Extra sentence pairs for training the aligner. Can be repeated.",
    ),
    click.option(
        "--model",
        "models",
        metavar="FILE",
        multiple=True,
        help="Model from accord align train (.json), or from --save-model (.npz). Can be repeated to use both.",
    ),
    click.option(
        "--save-model",
        metavar="FILE.npz",
        callback=place_for_file,
        help="Save the model that the aligner learns from --extra and --model.",
    ),
)


class Models(NamedTuple):
    """What the aligner has learned from extra pairs, and weights that replace the built-in ones."""

    lexicon: LearnedLexicon | None = None
    weights: Weights | None = None


def read_models(paths: Sequence[str]) -> Models:
    """Return the models in the files. Raises a usage error if two files contain models of the same kind."""
    from accord_core.pairs.formats.aligner_models import read_model
    from accord_core.pairs.formats.aligner_weights import read_weights

    models = Models()
    for path in paths:
        data, name = read_bytes(path), source_name(path)
        before = models
        if data.lstrip().startswith(b"{"):
            models = models._replace(weights=read_weights(data, name=name))
            repeated = before.weights is not None
        else:
            models = models._replace(lexicon=read_model(data, name=name))
            repeated = before.lexicon is not None
        if repeated:
            raise click.UsageError(f"{name}: only one model of each kind can be used.")
    return models


def learned_from(
    extra: Sequence[str],
    known: LearnedLexicon | None,
    save_model: str | None,
    *,
    progress: Callable[[float], None] | None = None,
) -> LearnedLexicon | None:
    """Return the lexicon that the aligner learns from the files in the options, added to a `known` lexicon, or None if
    there is neither. Save the lexicon if the option is set.
    """
    from accord_core.pairs.formats.aligner_models import write_model
    from accord_core.pairs.formats.sentences import read_sentences
    from accord_core.pairs.numerics.lexicon_training import learn_lexicon

    learned = known
    pairs = [
        (pair.source or (), pair.target or ())
        for path in extra
        for pair in read_sentences(read_bytes(path), name=source_name(path)).pairs
    ]
    if pairs:
        learned = learn_lexicon(pairs, learned, progress=progress)
    if save_model:
        if learned is None:
            raise click.UsageError("--save-model needs --extra or a --model that --save-model wrote.")
        write_whole(save_model, [write_model(learned)])
    return learned


def read_word_vectors(path: str, pairs: Sequence[Pair], weights: Weights | None = None) -> Vectors:
    """Return the vectors of the pairs' words, and of the word in the `weights` that identifies their vectors. A note on
    standard error shows how many words have a vector.

    Upper and lower case are not distinguished. A word's lower-case form takes precedence if it has its own vector.
    """
    from accord_core.evaluation.formats.word_vectors import open_word_vectors

    tokens = {token for pair in pairs for side in pair for token in side}
    words = {token.casefold() for token in tokens}
    known = {weights.known_vector[0]} if weights and weights.known_vector else set()
    found = open_word_vectors(path, tokens | words | known)
    vectors = {token.casefold(): found[token] for token in sorted(tokens & found.keys(), reverse=True)}
    vectors |= {word: found[word] for word in sorted(words & found.keys())}
    if not vectors:
        raise click.ClickException(f"{source_name(path)}: the file has no vector for any word in the sentences.")
    note(f"{len(vectors):,} of {len(words):,} words have a vector in {source_name(path)}")
    return vectors | {word: found[word] for word in sorted(known & found.keys())}


def known_vector(vectors: Vectors, pairs: Sequence[Pair]) -> tuple[str, list[float]]:
    """Return the most common word with a vector, and its vector, from which the file can be recognised."""
    times = Counter(token.casefold() for pair in pairs for side in pair for token in side)
    word = max(vectors, key=lambda word: (times[word], word))
    return word, vectors[word].tolist()


def check_weights(weights: Weights | None, vectors: Vectors | None, pairs: Sequence[Pair], name: str) -> None:
    """Raise ClickException if the weights do not suit the vectors, or the script of the pairs in the file `name`."""
    from accord_core.pairs.numerics.scripts import script_of

    if weights is None:
        if vectors is not None:
            raise click.UsageError(
                "--vectors needs a --model that accord align train wrote with --vectors. The built-in weights use no "
                "vectors."
            )
        return
    if weights.known_vector is None and vectors is not None:
        raise click.UsageError("The model was trained without vectors. Omit --vectors.")
    if weights.known_vector is not None:
        word, values = weights.known_vector
        if vectors is None or word not in vectors or vectors[word].tolist() != values:
            here = "runs without vectors" if vectors is None else f"has another vector for “{word}”, or none"
            raise click.UsageError(
                f"The model was trained with vectors, but this command {here}. Use the same --vectors as in training."
            )
    script = script_of(pairs)
    if script and weights.script and script != weights.script:
        raise click.ClickException(
            f"{name}: most letters are {script}, but the model was trained on {weights.script} letters. "
            "Train a model on pairs in this script, or omit --model."
        )
