"""How a chunk-alignment study asks for answers, in the terms of the Human Evaluation Datasheet."""

from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE, UNLINKED
from annotate.tasktypes.elicitation import (
    ANNOTATION,
    CONTENT,
    CORRECTNESS,
    MULTIPLE_CHOICE,
    SENTENCE,
    TO_INPUT,
    Elicitation,
)

ELICITATION = Elicitation(
    item=SENTENCE,
    criterion="no name given",
    quality=CORRECTNESS,
    aspect=CONTENT,
    frame=TO_INPUT,
    size=f"{TOP_SCORE + 1} similarity scores and {len(RELATIONS)} types for each link",
    values=f"similarity from 0 to {TOP_SCORE}; {', '.join([*RELATIONS, *UNLINKED])}",
    presented=MULTIPLE_CHOICE,
    form=ANNOTATION,
    intervals="Intervals for agreement come from resampled sentence pairs.",
)
