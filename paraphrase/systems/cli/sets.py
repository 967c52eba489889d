"""The `accord evaluate paraphrase-sets` command scores sentence vectors on paraphrase sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import PrintedTable, figure_table
from accord_core.numerics.printed import with_noun
from annotate.cli.options import (
    format_options,
    note,
    place_for_file,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from evaluation.cli.figures import difference_line, figure_line, note_warnings

if TYPE_CHECKING:
    from accord_core.paraphrase.systems.formats.pham import ParaphraseSets
    from accord_core.paraphrase.systems.numerics.paraphrase_sets import Floats

TITLES = {"purity": "purity", "entropy": "entropy", "p_vs_np": "P against NP"}


@click.command("paraphrase-sets")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--vectors", metavar="FILE", help="File with one vector per sentence, in .npy, CSV or word2vec text format."
)
@click.option(
    "--word-vectors",
    metavar="FILE",
    help="File with word vectors. The baseline represents each sentence by the sum of these word vectors.",
)
@click.option(
    "--level",
    type=click.Choice(["set", "group"]),
    default="set",
    show_default=True,
    help="The classes that the clusters should match: the sets, or the groups of sets that share a Roman numeral.",
)
@click.option(
    "--include-self",
    is_flag=True,
    help="Also compare each sentence with itself, as if it were one of its own paraphrases.",
)
@click.option(
    "--sentences",
    "sentences_to",
    metavar="FILE.csv",
    callback=place_for_file,
    help="Write each P sentence's figure “P against NP” to FILE.csv, also separately for S, D and SD sentences.",
)
@click.option("--quiet", is_flag=True, help="Do not report the irregularities of DATASET.")
@resamples_option()
@seed_option
@format_options
def paraphrase_sets(
    dataset: str,
    vectors: str | None,
    word_vectors: str | None,
    level: Any,
    include_self: bool,
    sentences_to: str | None,
    quiet: bool,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score sentence vectors on the paraphrase sets in DATASET.

    The measures are the purity and entropy of clusters of the P sentences, and how much closer a P sentence is to the
    others of its set than to the S, D and SD sentences. --word-vectors also scores the sums of word vectors.

    \b
    Examples:
        accord evaluate paraphrase-sets sets.txt --vectors system.npy
        accord evaluate paraphrase-sets sets.txt --vectors system.csv --word-vectors glove.txt --json
        accord evaluate paraphrase-sets sets.txt --word-vectors glove.txt --level group
    """
    from accord_core.evaluation.formats.vectors import read_vectors, vectors_of_sentences
    from accord_core.paraphrase.systems.formats.comparison_files import write_comparisons
    from accord_core.paraphrase.systems.formats.pham import read_paraphrase_sets
    from accord_core.paraphrase.systems.numerics.paraphrase_sets import paraphrase_set_scores, sentence_comparisons

    if vectors is None and word_vectors is None:
        raise click.UsageError(
            "Vectors are missing. Use --vectors FILE for sentence vectors, --word-vectors FILE "
            "for word vectors, or both options."
        )
    refuse_second_stdin(dataset, vectors, word_vectors)
    sets = read_paraphrase_sets(read_bytes(dataset), name=source_name(dataset))
    if not quiet:
        note_warnings(source_name(dataset), sets.warnings)
    vector_sets = []
    if vectors is not None:
        read = read_vectors(read_bytes(vectors), name=source_name(vectors))
        texts = [each.text for each in sets.sentences]
        vector_sets.append(vectors_of_sentences(read, texts, name=source_name(vectors)))
    if word_vectors is not None:
        vector_sets.append(_sums(sets, word_vectors, source_name(dataset)))
    figures = paraphrase_set_scores(
        sets, *vector_sets, level=level, include_self=include_self, seed=seed, resamples=resamples
    )
    if sentences_to is not None:
        rows = sentence_comparisons(sets, vector_sets[0], include_self=include_self)
        write_whole(sentences_to, write_comparisons(sets, rows))
    print_result(output_format, _set_table(figures), text=_set_lines(figures), figures=figures)


def _sums(sets: ParaphraseSets, path: str, dataset: str) -> Floats:
    """Return the bag-of-words vectors of all sentences."""
    import numpy as np

    from accord_core.evaluation.formats.word_vectors import open_word_vectors
    from accord_core.paraphrase.systems.numerics.paraphrase_sets import sums_of_words

    texts = [each.text for each in sets.sentences]
    words = {form for text in texts for word in text.split() for form in (word, word.lower())}
    vector_of = open_word_vectors(path, words)
    sums, unknown = sums_of_words(texts, vector_of.get)
    bad = [
        Fault(each.line, None, f"the words of “{each.text}” have no vector in {source_name(path)}")
        for each, total in zip(sets.sentences, sums, strict=True)
        if total is None or not total.any()
    ]
    raise_faults(dataset, bad)
    if unknown:
        note(f"{source_name(path)}: no vector for {', '.join(sorted(unknown))}. The sums exclude these words")
    return np.stack([total for total in sums if total is not None])


def _set_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{figures['sentences']:,} sentences in {with_noun(figures['sets'], 'set')}; {figures['paraphrases']:,} P "
        f"sentences in {with_noun(figures['clusters'], 'cluster')}, one for each {figures['level']}\n"
    )
    yield from _figure_lines(figures)
    left_out = figures["left_out"]
    if any(left_out.values()):
        yield (
            f"  P against NP excludes {left_out['without_second_p']:,} P sentences "
            "without another P sentence in the set, "
            f"and {left_out['without_np']:,} without an NP sentence\n"
        )
    if "baseline" in figures:
        yield "sums of word vectors\n"
        yield from _figure_lines(figures["baseline"])
        yield difference_line("difference in P against NP", figures["difference"])


def _set_table(figures: Mapping[str, Any]) -> PrintedTable:
    rows = [(["sentence vectors", title], each) for title, each in _set_figures(figures)]
    if "baseline" in figures:
        rows += [(["sums of word vectors", title], each) for title, each in _set_figures(figures["baseline"])]
        rows.append((["difference", TITLES["p_vs_np"]], figures["difference"]))
    caption = f"{figures['paraphrases']:,} P sentences in {figures['sets']:,} sets, {figures['clusters']:,} clusters"
    return figure_table(["system", "figure"], rows, caption=caption)


def _figure_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield from (figure_line(title, figure) for title, figure in _set_figures(figures))


def _set_figures(figures: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, title in TITLES.items():
        low, high = figures["intervals"][name] or (None, None)
        reason = figures.get("reasons", {}).get(name)
        yield title, {"value": figures[name], "low": low, "high": high, "reason": reason}
    for kind, figure in figures["p_vs_np_by_kind"].items():
        yield f"P against {kind}", figure
