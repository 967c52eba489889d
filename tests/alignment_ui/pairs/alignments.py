"""Functions that read and write word alignments in tests."""

import pytest

from accord_core.exchange.faults import TableError
from accord_core.pairs.formats.corpus import Corpus
from accord_core.pairs.formats.registry import read_alignments, write_alignments


def written(pairs, name, **options):
    return b"".join(
        chunk if isinstance(chunk, bytes) else chunk.encode() for chunk in write_alignments(pairs, name, **options)
    )


def read(text, name=None, sentences=None):
    data = text if isinstance(text, bytes) else text.encode()
    return read_alignments(data, name="file", format_name=name, sentences=sentences)


def links(pairs):
    return [(sorted(pair.alignment.sure), sorted(pair.alignment.possible)) for pair in pairs]


def faults(text, name=None, sentences=None):
    with pytest.raises(TableError) as raised:
        read(text, name, sentences)
    return [(fault.line, fault.column, fault.message) for fault in raised.value.faults]


def sentences_of(pairs):
    return Corpus("pairs.tsv", "table", "own", pairs)
