"""Draw a sample of pairs from the contents of the sentence file and the synonym file."""

from __future__ import annotations

from annotate.exchange.tables import Limits
from bws.sampling.formats.sentences import read_sentences, read_synonyms
from bws.sampling.pairs import Sample, make_pairs
from bws.sampling.request import Request

File = tuple[str, bytes]
"""The name and the contents of a file."""


def sample_files(sentences: File, synonyms: File | None, request: Request, limits: Limits) -> Sample:
    """Draw the sample. Raises TableError for an invalid file, and RequestError for an impossible request."""
    table = read_sentences(sentences[1], name=sentences[0], limits=limits)
    return make_pairs(table, request, read_synonyms(synonyms[1], name=synonyms[0]) if synonyms else None)
