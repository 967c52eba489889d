"""Services that read uploaded releases. A small zip file can unpack to gigabytes, so larger ones are read in a process
with limits.
"""

from __future__ import annotations

import io

from django.conf import settings

from annotate.tasktypes import StudyData
from annotate.toolkit import read_bounded
from releases.contents.archive import LARGEST, unpacked_size
from releases.contents.raw import data_in_zip
from releases.contents.source import Source, source_in_zip


def uploaded_source(file: bytes, name: str, key: str) -> Source:
    """Read the recipe from an uploaded zip file. Raises `UnreadableRelease`, and `Refused` (`memory` or `time`) at a
    limit.
    """
    # The size of the sealed files is known only after decryption.
    size = LARGEST if key else unpacked_size(io.BytesIO(file), name)
    return read_bounded(name, size, source_in_zip, file, name, key, settings.LIMIT_UPLOAD_BYTES)


def uploaded_data(file: bytes, name: str) -> StudyData:
    """Read the raw rows from an uploaded zip file. Raises `UnreadableRelease`, LookupError, TypeError, ValueError or
    RecursionError, and `Refused` (`memory` or `time`) at a limit.
    """
    size = unpacked_size(io.BytesIO(file), name)
    return read_bounded(name, size, data_in_zip, file, name, settings.LIMIT_UPLOAD_BYTES)
