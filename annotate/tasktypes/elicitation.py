"""The way in which a task type asks for an answer, in the terms of the Human Evaluation Datasheet (HEDS 3.0, Belz and
Thomson 2024), section 4. An empty string means that only a study's authors can answer the question.
"""

from __future__ import annotations

from dataclasses import dataclass

NO_INSTRUMENT = "N/A"


@dataclass(frozen=True)
class Elicitation:
    """`item` is the kind of text that annotators judge (question 2.2 of HEDS), and `criterion` the name on annotators'
    pages for what they judge. `quality`, `aspect` and `frame` answer the questions 4.1.1 to 4.1.3, and `mode` answers
    4.2.2. `size` and `values` answer 4.3.3 and 4.3.4, `presented` 4.3.5, `task` 4.3.6, and `form` 4.3.8. `intervals`
    is a sentence on how the uncertainty of results is calculated (4.3.10).
    """

    item: str = ""
    criterion: str = ""
    quality: str = ""
    aspect: str = ""
    frame: str = ""
    mode: str = "1. Absolute"
    size: str = NO_INSTRUMENT
    values: str = NO_INSTRUMENT
    presented: str = "4. N/A (there is no rating instrument)"
    task: str = NO_INSTRUMENT
    form: str = ""
    intervals: str = ""


CORRECTNESS, FEATURE = "1. Correctness", "3. Feature"
CONTENT, FORM_AND_CONTENT = "2. Content of output", "3. Both form and content of output"
OWN_RIGHT, TO_INPUT = "1. Quality of output in its own right", "2. Quality of output relative to the input"
RELATIVE = "2. Relative"
MULTIPLE_CHOICE, CHECK_BOXES, OTHER = "1. Multiple-choice options", "2. Check-boxes", "5. Other (please describe)"
RANKING = "3. Relative quality estimation (including ranking)"
ANNOTATION = "6. Evaluation through post-editing/annotation"
LABELLING = "7. Output classification or labelling"
SENTENCE = "text: sentence"
PHRASE = "text: subsentential unit of text"
