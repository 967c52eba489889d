"""Draw a sample of pairs from the contents of the sentence and synonym files."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import PurePath

from accord_core.bws.sampling.formats.sentences import read_sentences, read_synonyms
from accord_core.bws.sampling.formats.texts import read_texts
from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits
from bws.sampling.pairs import Sample, make_pairs
from bws.sampling.request import WORDS, Request
from bws.sampling.sentences import SourceTexts, make_sentences, sentence_splitter

File = tuple[str, bytes]
"""The name and the contents of a file."""


def sample_files(
    sentences: File, synonyms: File | None, request: Request, limits: Limits, *, split: bool = False
) -> Sample:
    """Draw the sample. With `split`, the file contains texts, which are first split into sentences.

    Raises TableError for an invalid file, RequestError for an impossible request, and MissingExtraError if the texts
    cannot be split.
    """
    replaced = read_synonyms(synonyms[1], name=synonyms[0]) if synonyms else None
    if split:
        return _sample_texts(sentences, replaced, request, limits)
    table = read_sentences(sentences[1], name=sentences[0], limits=limits)
    return make_pairs(table, request, replaced)


def _sample_texts(texts: File, replaced: dict[str, str] | None, request: Request, limits: Limits) -> Sample:
    """Draw the sample from the sentences of the given texts. The length limits of the request count tokens, and the
    report also counts the sentences that are too short, too long or repeated.
    """
    name, data = texts
    stem = PurePath(name).stem
    source = SourceTexts(read_texts(data, name=name, limits=limits), stem, stem)
    sentences = make_sentences([source], sentence_splitter(), request.words or WORDS)
    if not sentences.rows:
        raise TableError.of_file(name, f"no sentence has {' to '.join(map(str, request.words or WORDS))} tokens")
    table = "".join(write_csv(sentences.rows, sentences.columns)).encode()
    sample = make_pairs(read_sentences(table, name=name, limits=limits), replace(request, words=None), replaced)
    excluded: Counter[str] = Counter()
    for counts in sentences.counts.values():
        excluded.update(counts.excluded)
    read = sum(counts.sentences for counts in sentences.counts.values())
    report = replace(sample.report, read=read, left_out=dict(excluded) | sample.report.left_out)
    return replace(sample, report=report)
