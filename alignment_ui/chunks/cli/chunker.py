"""The commands `accord ists chunk` and `accord ists score-chunks` create and score chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import PrintedTable, figure_table
from annotate.cli.options import (
    format_options,
    output_option,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)

if TYPE_CHECKING:
    from accord_core.chunks.numerics.chunk_scores import ChunkScores


@click.command()
@click.argument("sentences", metavar="SENTENCES")
@click.option(
    "--model",
    metavar="NAME",
    help="Tag the tokenised sentences in a plain file, one per line, with this installed spaCy model. Without this "
    "option, SENTENCES is a CoNLL-U file with universal part-of-speech tags.",
)
@click.option(
    "--pairs",
    metavar="ITEMS",
    help="Write an item file with the chunked sentence pairs from ITEMS, which needs the columns id, sentence1 and "
    "sentence2. SENTENCES must be a CoNLL-U file that contains the sentences of the pairs.",
)
@output_option
def chunk(sentences: str, model: str | None, pairs: str | None, output: str) -> None:
    """Divide English sentences into chunks, such as “[ A cat ] [ is standing ] [ on tree branches ] [ . ]”.

    The rules use the universal part-of-speech tags of a CoNLL-U file or of a spaCy model. The result has one sentence
    per line. With --pairs, the result is an item file for a study of chunk alignment.

    \b
    Examples:
        accord ists chunk sent1.conllu -o sent1.chunk.txt
        accord ists chunk sent1.txt --model en_core_web_sm -o sent1.chunk.txt
        accord evaluate parse pairs.csv --model en_core_web_sm -o pairs.conllu
        accord ists chunk pairs.conllu --pairs pairs.csv -o items.jsonl
    """
    from accord_core.chunks.formats.chunk_files import write_chunk_file
    from accord_core.chunks.formats.tagged import read_tagged, tag_sentences
    from accord_core.chunks.numerics.chunker import chunks_of
    from alignment_ui.chunks.chunked_items import chunked_items

    if pairs is not None and (model is not None or sentences == pairs == STANDARD):
        raise click.UsageError("--pairs needs a CoNLL-U file and an item file, and cannot be combined with --model.")
    content, name = read_bytes(sentences), source_name(sentences)
    if pairs is not None:
        names = (source_name(pairs), name)
        write_whole(output, [chunked_items(read_bytes(pairs), content, names=names)])
        return
    tagged = read_tagged(content, name=name) if model is None else tag_sentences(content, name=name, model=model)
    write_whole(output, write_chunk_file((each.forms, chunks_of(each.tokens)) for each in tagged))


@click.command("score-chunks")
@click.argument("gold", metavar="GOLD.chunk.txt")
@click.argument("system", metavar="SYSTEM.chunk.txt")
@click.option("--punctuation", is_flag=True, help="Also count chunks that contain only punctuation.")
@resamples_option("sentences")
@seed_option
@format_options
def score_chunks(gold: str, system: str, punctuation: bool, resamples: int, seed: int, output_format: str) -> None:
    """Score the chunks of SYSTEM.chunk.txt against GOLD.chunk.txt by precision, recall and F1.

    Both files have one sentence with bracketed chunks per line. A chunk is correct if a gold chunk has the same tokens.

    \b
    Examples:
        accord ists score-chunks gold.chunk.txt system.chunk.txt
        accord ists chunk sent1.conllu | accord ists score-chunks sent1.chunk.txt - --format markdown
    """
    from accord_core.chunks.formats.chunk_files import read_same_sentences
    from accord_core.chunks.numerics.chunk_scores import chunk_scores

    refuse_second_stdin(gold, system)
    pairs = read_same_sentences(read_bytes(gold), read_bytes(system), names=(source_name(gold), source_name(system)))
    scores = chunk_scores(pairs, punctuation=punctuation, resamples=resamples, seed=seed)
    print_result(output_format, _table(scores), figures=_figures(scores))


def _table(scores: ChunkScores) -> PrintedTable:
    caption = (
        f"{scores.gold:,} gold chunks, {scores.system:,} chunks of the system, {scores.correct:,} of them correct; "
        f"{scores.correct_sentences:,} of {scores.sentences:,} sentences without an error"
    )
    return figure_table(["figure"], [([each.name], each.as_json()) for each in scores.measures], caption=caption)


def _figures(scores: ChunkScores) -> dict[str, Any]:
    counts = {name: getattr(scores, name) for name in ("gold", "system", "correct", "sentences", "correct_sentences")}
    return counts | {
        each.name.lower(): {"value": each.value, "low": each.low, "high": each.high} for each in scores.measures
    }
