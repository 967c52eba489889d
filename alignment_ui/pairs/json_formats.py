"""The JSON formats shared by both alignment tasks, for the API reference."""

from __future__ import annotations

from annotate.tasktypes.formats import TEXT, integer, listed

TOKENS = listed(TEXT, minItems=1)
NUMBER = integer(0)  # of a token or a chunk, starting at 0
LOG = listed(
    listed({}, minItems=4, maxItems=4),
    description="The steps in which the annotator drew the links. Each step contains the number of milliseconds since "
    "the question was shown, the operation, the input method, and the links.",
)
