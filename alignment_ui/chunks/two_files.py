"""Functions that convert the two sentence files of interpretable STS into items of a chunk alignment study."""

from __future__ import annotations

from accord_core.chunks.formats.chunk_files import ChunkedSentence, read_sentence_pairs, write_chunks
from alignment_ui.chunks.items import in_json_lines
from annotate.tasktypes import ItemDraft


def items_of(source: bytes, target: bytes, names: tuple[str, str], *, dataset: str, column: str) -> bytes:
    """Return the pairs as items in JSON Lines format, with the dataset name in `column`. Raises TableError."""
    pairs = read_sentence_pairs(source, target, names=names)
    return in_json_lines(_items(pairs, dataset, column)).encode()


def _items(pairs: list[tuple[ChunkedSentence, ChunkedSentence]], dataset: str, column: str) -> list[ItemDraft]:
    items = []
    for number, (first, second) in enumerate(pairs, start=1):
        content = {"source": _as_table(first), "target": _as_table(second)}
        key = f"{dataset}:{number}" if dataset else str(number)
        items.append(ItemDraft(key, content, {column: dataset} if dataset else {}))
    return items


def _as_table(sentence: ChunkedSentence) -> str:
    """Return a sentence in the notation of item tables."""
    if sentence.chunks is None:
        return " ".join(sentence.tokens)
    return write_chunks(sentence.tokens, sentence.chunks)
