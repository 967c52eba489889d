"""Files (NumPy `.npz` archives without pickled objects) for the lexicon that the built-in aligner learned from extra
sentence pairs.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO

import numpy as np

from accord_core.exchange.arrays import json_array, read_json_array
from accord_core.exchange.faults import TableError
from accord_core.pairs.numerics.learned_lexicon import LearnedLexicon

FORMAT = "accord-aligner"
VERSION = 1
DAMAGED = (  # errors of NumPy, zipfile and json for damaged, encrypted, huge and other archives
    ArithmeticError,
    AttributeError,
    EOFError,
    KeyError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)


def write_model(lexicon: LearnedLexicon) -> bytes:
    """Return the file. Equal lexicons produce identical bytes."""
    head = {"format": FORMAT, "version": VERSION, "pairs": lexicon.pairs, "words": list(lexicon.words)}
    buffer = BytesIO()
    np.savez_compressed(buffer, head=json_array(head), maker=lexicon.maker, made=lexicon.made, count=lexicon.count)
    return buffer.getvalue()


def read_model(data: bytes, *, name: str) -> LearnedLexicon:
    """Return the lexicon in a file. Raises TableError if the file is not such a model, if another version of Accord
    wrote it, or if its arrays are inconsistent.
    """
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            head = read_json_array(file["head"])
            arrays = [np.asanyarray(file[key]) for key in ("maker", "made", "count")]
        if head["format"] != FORMAT:
            raise KeyError(FORMAT)
        version, words, pairs = head["version"], list(map(str, head["words"])), int(head["pairs"])
    except DAMAGED as error:
        raise TableError.of_file(
            name, "the file must be a model that `accord align prealign --save-model` wrote"
        ) from error
    if version != VERSION:
        raise TableError.of_file(
            name, f"this version of Accord reads models of version {VERSION}, not of version {version}"
        )
    maker, made, count = arrays
    numbers = (maker, made)
    fits = all(array.shape == count.shape and array.ndim == 1 and array.dtype.kind == "i" for array in numbers)
    if not (
        fits
        and words == sorted(set(words))
        and all(((array >= 0) & (array < len(words))).all() for array in numbers)
        and count.dtype.kind == "f"
        and (np.isfinite(count) & (count >= 0)).all()
        and (np.diff(maker * len(words) + made) > 0).all()
    ):
        raise TableError.of_file(name, "the arrays of the model do not fit together. Save the model again")
    return LearnedLexicon(words, maker.astype(np.int64), made.astype(np.int64), count.astype(np.float64), pairs)
