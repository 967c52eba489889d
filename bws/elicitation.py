"""How a best–worst study asks for answers, in the terms of the Human Evaluation Datasheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes.elicitation import CONTENT, FEATURE, OWN_RIGHT, RANKING, RELATIVE, SENTENCE, Elicitation
from bws.options import OPTIONS

DEFAULT = {option.name: option.default for option in OPTIONS}


def elicitation(options: Mapping[str, Any]) -> Elicitation:
    """Return the declaration for a study with these options. Only the authors of another wording know what it asks."""
    about_relatedness = all(options.get(name) == DEFAULT[name] for name in ("most", "least", "noun"))
    most, least, noun = (options.get(name, DEFAULT[name]) for name in ("most", "least", "noun"))
    return Elicitation(
        item=SENTENCE if about_relatedness else "",
        criterion=f"{most}, {least}",
        quality=FEATURE if about_relatedness else "",
        aspect=CONTENT if about_relatedness else "",
        frame=OWN_RIGHT,
        mode=RELATIVE,
        task=f"Annotators see several items at once, and choose the {noun} that is {most} and the {noun} that is "
        f"{least}. Accord records both choices and the order of the items on the screen.",
        form=RANKING,
        intervals="Intervals for the reliability come from resampled tuples and annotators.",
    )
