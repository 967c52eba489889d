"""How a study of paraphrases asks for answers, in the terms of the Human Evaluation Datasheet."""

from annotate.tasktypes.elicitation import (
    CHECK_BOXES,
    CORRECTNESS,
    FORM_AND_CONTENT,
    LABELLING,
    PHRASE,
    TO_INPUT,
    Elicitation,
)

ELICITATION = Elicitation(
    item=PHRASE,
    criterion="no name given",
    quality=CORRECTNESS,
    aspect=FORM_AND_CONTENT,
    frame=TO_INPUT,
    size="two for each candidate",
    values="can replace the phrase in the sentence, cannot replace it",
    presented=CHECK_BOXES,
    form=LABELLING,
    intervals="Intervals for agreement come from resampled questions.",
)
