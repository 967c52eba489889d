"""A random draw of the questions for people, for studies in which a program answers every question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.numerics.assisted_draw import drawn_questions
from accord_core.numerics.draws import draw
from annotate.models import Study, Upload
from annotate.server.refusals import Refused
from annotate.tasktypes import QuestionDraft
from annotate.tasktypes.options import share_for_people


def drawn_for_people(
    study: Study, questions: Sequence[QuestionDraft]
) -> tuple[Sequence[QuestionDraft], Sequence[QuestionDraft]]:
    """Return the questions for people and the questions only for programs, both in the order of the design.

    Every question has the same probability. `accord evaluate draw` draws the same questions with the study's seed.
    """
    share = share_for_people(study.options)
    if share == 1 or not questions:
        return questions, []
    uniform = np.array([draw(study.seed, "assisted", question.ref) for question in questions])
    drawn = drawn_questions(np.full(len(questions), share), uniform)
    drawn[np.argmin(uniform)] = True  # at least one question, also if the share of few questions rounds to 0
    chosen = list(zip(questions, drawn.tolist(), strict=True))
    return [one for one, of_draw in chosen if of_draw], [one for one, of_draw in chosen if not of_draw]


def refuse_added_items(study: Study, purpose: str) -> None:
    """Raise `Refused` (`people-share`) for further items of an opened study in which people answer only a part of the
    questions. The draw is made once, before the study opens, so that its probabilities are known.
    """
    if purpose == Upload.Purpose.ITEMS and not study.is_draft and share_for_people(study.options) < 1:
        raise Refused(
            "people-share",
            "People answer a random part of this study’s questions, which was drawn before the study opened. Copy the "
            "study, and import the new items into the copy.",
        )
