"""Files that a word-alignment study can be downloaded as, in the formats of the field."""

from __future__ import annotations

from annotate.tasktypes import Export

EXPORTS: tuple[Export, ...] = ()
