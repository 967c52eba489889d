"""The `accord evaluate` commands for paraphrase sets, paraphrase tables and contrast sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from annotate.cli_options import output_option, seed_option
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole
from evaluation.cli.figures import (
    difference_line,
    figure_line,
    json_option,
    note,
    note_warnings,
    one_from_standard,
    print_json,
    resamples_option,
)

if TYPE_CHECKING:
    from paraphrase.systems.formats.pham import ParaphraseSets
    from paraphrase.systems.numerics.paraphrase_sets import Floats

TITLES = {"purity": "purity", "entropy": "entropy", "p_vs_np": "P against NP"}


@click.command("paraphrase-sets")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--vectors", metavar="FILE", help="File with one vector per sentence: .npy, CSV, or the text format of word2vec."
)
@click.option(
    "--word-vectors",
    metavar="FILE",
    help="Text file with word vectors. The baseline represents each sentence by the sum of these word vectors.",
)
@click.option(
    "--level",
    type=click.Choice(["set", "group"]),
    default="set",
    show_default=True,
    help="The classes that clusters should match: the sets, or the groups of sets that share a roman numeral.",
)
@click.option(
    "--include-self",
    is_flag=True,
    help="Also compare each sentence with itself, as if it were one of its own paraphrases.",
)
@click.option("--quiet", is_flag=True, help="Do not report the irregularities of DATASET.")
@resamples_option
@seed_option
@json_option
def paraphrase_sets(
    dataset: str,
    vectors: str | None,
    word_vectors: str | None,
    level: Any,
    include_self: bool,
    quiet: bool,
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Score sentence vectors on the paraphrase sets in DATASET.

    The command calculates the purity and the entropy of clusters of the P sentences, and how much closer a P sentence
    is to the other P sentences of its set than to the other sentences of the set (S, D, SD). With --word-vectors, the
    command also scores the sums of word vectors, or scores only these sums if --vectors is not used.

    \b
    Examples:
        accord evaluate paraphrase-sets sets.txt --vectors system.npy
        accord evaluate paraphrase-sets sets.txt --vectors system.csv --word-vectors glove.txt --json
        accord evaluate paraphrase-sets sets.txt --word-vectors glove.txt --level group
    """
    from paraphrase.systems.formats.pham import read_paraphrase_sets
    from paraphrase.systems.formats.vectors import read_vectors, vectors_of_sentences
    from paraphrase.systems.numerics.paraphrase_sets import paraphrase_set_scores

    if vectors is None and word_vectors is None:
        raise click.UsageError(
            "Vectors are missing. Use --vectors FILE for sentence vectors, --word-vectors FILE "
            "for word vectors, or both options."
        )
    one_from_standard(dataset, vectors, word_vectors)
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
    if as_json:
        print_json(figures)
    else:
        write_whole(STANDARD, _set_lines(figures))


@click.command("paraphrase-tables")
@click.argument("labels", metavar="LABELS.csv")
@click.argument("table", metavar="TABLE")
@resamples_option
@seed_option
@json_option
def paraphrase_tables(labels: str, table: str, resamples: int, seed: int, as_json: bool) -> None:
    """Score the paraphrases in TABLE against the labels for each domain.

    LABELS.csv has the columns phrase, paraphrase, domain and label (good, bad or undecided). TABLE has the columns
    phrase and paraphrase, and the column domain if the system distinguishes domains. Pairs without judgements affect
    only the coverage.

    \b
    Examples:
        accord evaluate paraphrase-tables labels-by-domain.csv ppdb.csv
        accord evaluate paraphrase-tables labels-by-domain.csv ppdb.csv --json | jq .domains.biology.precision
    """
    from paraphrase.systems.formats.paraphrase_tables import read_domain_labels, read_table_pairs
    from paraphrase.systems.numerics.paraphrase_tables import table_scores

    one_from_standard(labels, table)
    of_domains = read_domain_labels(read_bytes(labels), name=source_name(labels))
    listed, twice = read_table_pairs(read_bytes(table), list(of_domains), name=source_name(table))
    if twice:
        note(f"{source_name(table)}: {twice:,} rows repeat a pair. Each pair counts once")
    figures = table_scores(of_domains, listed, resamples=resamples, seed=seed)
    if as_json:
        print_json(figures)
    else:
        write_whole(STANDARD, _table_lines(figures))


@click.command()
@click.argument("sentences", metavar="SENTENCES")
@click.option(
    "--adjectives",
    type=click.Choice(["both", "with", "without"]),
    default="both",
    show_default=True,
    help="Choose whether nouns are swapped together with their adjectives, on their own, or in both ways.",
)
@output_option
def contrast(sentences: str, adjectives: Any, output: str) -> None:
    """Create sentences that look similar to those in SENTENCES but have a different meaning.

    The sentence “A man plays a guitar” has three kinds of variants: S swaps the nouns (“A guitar plays a man”), D
    changes a determiner to no (“No man plays a guitar”), and SD does both. If SENTENCES contains paraphrase sets, the
    variants of the P sentences are added to their sets. If SENTENCES contains one sentence per line, the result is CSV.
    Sentences that are not of the form NP V NP are reported and not changed.

    \b
    Examples:
        accord evaluate contrast sets.txt -o with-contrasts.txt
        accord evaluate contrast sentences.txt --adjectives with -o contrasts.csv
    """
    from paraphrase.systems.contrast_files import contrasts_of_file

    contrasts = contrasts_of_file(read_bytes(sentences), name=source_name(sentences), adjectives=adjectives)
    note_warnings(source_name(sentences), contrasts.warnings)
    for fault in contrasts.outside:
        note(f"{source_name(sentences)}, {fault}")
    write_whole(output, contrasts.chunks)
    note(
        f"{contrasts.variants:,} variants of {contrasts.sentences - len(contrasts.outside):,} of "
        f"{contrasts.sentences:,} sentences"
    )


def _sums(sets: ParaphraseSets, path: str, dataset: str) -> Floats:
    """Return the bag-of-words vectors of all sentences."""
    import sys

    import numpy as np

    from paraphrase.systems.formats.vectors import read_word_vectors
    from paraphrase.systems.numerics.paraphrase_sets import sums_of_words

    texts = [each.text for each in sets.sentences]
    words = {form for text in texts for word in text.split() for form in (word, word.lower())}
    if path == STANDARD:
        vector_of = read_word_vectors(sys.stdin.buffer, words, name=source_name(path))
    else:
        with open(path, "rb") as lines:
            vector_of = read_word_vectors(lines, words, name=path)
    sums, unknown = sums_of_words(texts, vector_of.get)
    bad = [
        Fault(each.line, None, f"the words of “{each.text}” have no vector in {source_name(path)}")
        for each, total in zip(sets.sentences, sums, strict=True)
        if total is None or not total.any()
    ]
    if bad:
        raise TableError(dataset, bad)
    if unknown:
        note(f"{source_name(path)}: no vector for {', '.join(sorted(unknown))}. The sums exclude these words")
    return np.stack([total for total in sums if total is not None])


def _set_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{figures['sentences']:,} sentences in {figures['sets']:,} sets; {figures['paraphrases']:,} P sentences in "
        f"{figures['clusters']:,} clusters, one for each {figures['level']}\n"
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


def _figure_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    for name, title in TITLES.items():
        low, high = figures["intervals"][name] or (None, None)
        reason = figures.get("reasons", {}).get(name)
        yield figure_line(title, {"value": figures[name], "low": low, "high": high, "reason": reason})


def _table_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    for name, scores in figures["domains"].items():
        coverage = "" if scores["coverage"] is None else f" ({scores['coverage']:.1%})"
        yield (
            f"{name}: {scores['listed']:,} pairs listed, {scores['judged']:,} of them judged{coverage}, "
            f"{scores['undecided']:,} undecided; {scores['good']:,} pairs are good\n"
        )
        for figure, title in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
            yield figure_line(title, scores[figure])
    for each in figures["contrasts"]:
        yield (
            f"good in {each['good_in']}, bad in {each['bad_in']}: {each['pairs']:,} pairs, listed "
            f"{each['listed_where_good']:,} where good, {each['listed_where_bad']:,} where bad, "
            f"{each['told_apart']:,} distinguished\n"
        )
