"""The questions about a study that only its authors can answer. Each question is asked once, and all documents use the
same answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LONGEST = 10_000  # characters of an answer


@dataclass(frozen=True)
class Question:
    """A question with its name, label and help. If it has `choices`, the answer is one of their keys."""

    name: str
    label: str
    help: str
    choices: Mapping[str, str] | None = None
    short: bool = False  # whether the answer is a line instead of a paragraph


@dataclass(frozen=True)
class Group:
    title: str
    questions: tuple[Question, ...]


YES_NO = {"yes": "Yes", "no": "No"}
# The answers of the Human Evaluation Datasheet 3.0 about a quality criterion.
QUALITY = {"correctness": "1. Correctness", "goodness": "2. Goodness", "feature": "3. Feature"}
ASPECT = {"form": "1. Form of output", "content": "2. Content of output", "both": "3. Both form and content of output"}
FRAME = {
    "own": "1. Quality of output in its own right",
    "input": "2. Quality of output relative to the input",
    "external": "3. Quality of output relative to a system-external frame of reference",
}

GROUPS = (
    Group(
        "Texts",
        (
            Question(
                "rationale",
                "Curation rationale",
                "State which texts were chosen, why, and where they come from. If they are a sample, state how it was "
                "drawn.",
            ),
            Question("sources", "Source datasets", "Cite the datasets from which the texts come, with their licences."),
            Question("variety", "Language variety", "State the language, its region and its register."),
            Question("speakers", "Speaker demographic", "Describe the people who wrote or spoke the texts."),
            Question("situation", "Speech situation", "State when, where and for whom the texts were written."),
            Question("characteristics", "Text characteristics", "Genre and topics."),
            Question(
                "preprocessing",
                "Preprocessing",
                "Describe how the texts were cleaned, tokenised or changed before the import.",
            ),
            Question(
                "capture",
                "Capture quality",
                "Describe faults caused by the way in which the texts were recorded, such as scanner errors.",
            ),
            Question(
                "systems",
                "Systems that wrote the texts",
                "Name the systems, with their type of input and their task. If people wrote the texts, state this.",
            ),
            Question(
                "sensitive",
                "Personal or offensive content",
                "State whether the texts name people or contain offensive content, and what was done about it.",
            ),
        ),
    ),
    Group(
        "Annotators",
        (
            Question(
                "annotators",
                "Annotator demographic",
                "If you surveyed the annotators, describe their age, gender and first language.",
            ),
            Question("experts", "Are the annotators experts in the domain?", "", YES_NO),
            Question("known", "Did the researchers know annotators before the study?", "", YES_NO),
            Question(
                "recruitment",
                "Recruitment",
                "Describe how annotators heard of the study, such as a course, a mailing list or a platform’s pool.",
            ),
            Question("pay", "Pay", "State why the pay is adequate where the annotators live."),
        ),
    ),
    Group(
        "Design",
        (
            Question("registration", "Preregistration", "URL of the preregistration, if there is one.", short=True),
            Question(
                "power",
                "Power analysis",
                "State the method, its result and where its code is. Without an answer, documents state “N/A”.",
            ),
            Question(
                "conditions",
                "Conditions",
                "If annotators worked in a place that you chose, describe it. Without an answer, documents state that "
                "they worked where and when they chose.",
            ),
            Question("quality", "Type of quality", "Whether outputs can be correct, or only better or worse.", QUALITY),
            Question("aspect", "Judged aspect", "", ASPECT),
            Question("frame", "Frame of reference", "What annotators compare a text with.", FRAME),
            Question(
                "criterion",
                "Standard name of the criterion",
                "The name of what was judged in a published list of quality criteria, such as QCET.",
                short=True,
            ),
        ),
    ),
    Group(
        "Use and ethics",
        (
            Question("uses", "Intended uses", "State the tasks for which the data is made."),
            Question(
                "limits",
                "Limits and biases",
                "State what the data does not cover, and which uses are not intended.",
            ),
            Question("impact", "Social impact", "State who could be harmed or helped by uses of the data."),
            Question(
                "ethics",
                "Ethical review",
                "Name the committee that approved the study, or state why no approval was needed.",
            ),
            Question(
                "special",
                "Special categories of personal data",
                "State whether texts or answers contain data on health, religion, politics, origin, sexuality, "
                "biometrics or unions.",
            ),
            Question("assessment", "Impact assessment", "Summarise it and give its URL, or state that none exists."),
            Question("funding", "Funding and conflicts of interest", "Name who paid for the data."),
        ),
    ),
    Group(
        "Publication",
        (
            Question("paper", "Paper", "URL or citation of the paper that reports the study.", short=True),
            Question("maintenance", "Maintenance", "State who corrects the data, and how users report errors."),
            Question("contact_name", "Contact author", "Published with the documents.", short=True),
            Question("contact_affiliation", "Affiliation", "", short=True),
            Question("contact_email", "E-mail address", "", short=True),
        ),
    ),
)
QUESTIONS = {question.name: question for group in GROUPS for question in group.questions}


def checked_answers(raw: Mapping[str, Any]) -> dict[str, str]:
    """Return the answers without surrounding whitespace and without empty ones, in the order of the questions.

    Raises ValueError, with the name of the question and a sentence, if a question does not exist or an answer is not
    text, too long, or none of the choices.
    """
    for name, text in raw.items():
        question = QUESTIONS.get(name)
        if question is None:
            raise ValueError(name, f"There is no question {name}. Questions: {', '.join(QUESTIONS)}.")
        if not isinstance(text, str):
            raise ValueError(name, f"The answer to {name} must be text.")
        if len(text) > LONGEST:
            raise ValueError(name, f"The answer to {name} has {len(text):,} characters. The maximum is {LONGEST:,}.")
        if question.choices and text.strip() and text.strip() not in question.choices:
            raise ValueError(name, f"The answer to {name} must be one of: {', '.join(question.choices)}.")
    texts = {name: raw[name].strip() for name in QUESTIONS if name in raw}
    return {name: text for name, text in texts.items() if text}
