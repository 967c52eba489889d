"""The location of WordNet on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

DEBIAN = Path("/usr/share/wordnet")


def wordnet_folder(others: Iterable[Path] = ()) -> Path | None:
    """Return the folder in WORDNET_DIR, even if it does not exist. If WORDNET_DIR is not set, return the first of
    `others` and Debian's WordNet folder that contains noun files, or None.
    """
    named = os.environ.get("WORDNET_DIR", "").strip()
    if named:
        return Path(named)
    return next((folder for folder in (*others, DEBIAN) if (folder / "data.noun").is_file()), None)
