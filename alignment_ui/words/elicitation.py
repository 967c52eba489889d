"""How a word-alignment study asks for answers, in the terms of the Human Evaluation Datasheet."""

from annotate.tasktypes.elicitation import ANNOTATION, CONTENT, CORRECTNESS, SENTENCE, TO_INPUT, Elicitation

ELICITATION = Elicitation(
    item=SENTENCE,
    criterion="no name given",
    quality=CORRECTNESS,
    aspect=CONTENT,
    frame=TO_INPUT,
    task="Annotators link the corresponding words of two sentences, and mark each link as sure or possible. Accord "
    "records the links.",
    form=ANNOTATION,
    intervals="Intervals for agreement come from resampled sentence pairs.",
)
