"""The responsible NLP research checklist of ACL Rolling Review: the questions that a dataset and its annotation answer.
The questions are shortened.
"""

from __future__ import annotations

from reporting.forms import answers
from reporting.forms.answers import plain
from reporting.forms.basis import Basis
from reporting.forms.entries import Answer, Ask, Form, Section, filled_form

SLUG, TITLE = "acl-checklist", "Responsible NLP research checklist"
SOURCE = (
    "Answers to the questions about data and annotators (sections A, B and D) of the checklist of ACL Rolling Review. "
    "Add the section of your paper to each answer."
)


def acl_checklist(basis: Basis) -> Form:
    return filled_form(SLUG, TITLE, SOURCE, SECTIONS, basis)


def _statistics(basis: Basis) -> Answer:
    return [*answers.task(basis), *answers.per_question(basis)]


def _documentation(basis: Basis) -> Answer:
    said = [basis.say("Languages: {languages}.", languages="counts.languages")]
    return [*said, *plain("The data statement describes texts and annotators.")]


def _instructions(basis: Basis) -> Answer:
    names = ("instructions", "examples", "consent")
    read = [f"{name}.md" for name in names if basis.get(f"facts.{name}")]
    return plain(f"The full texts are in {', '.join(read)}.") if read else []


SECTIONS = (
    Section(
        "A For every submission",
        (
            Ask("A1", "Did you describe the limitations of your work?", author=("limits",)),
            Ask("A2", "Did you discuss any potential risks of your work?", author=("impact",)),
        ),
    ),
    Section(
        "B Did you use or create scientific artifacts?",
        (
            Ask("B1", "Did you cite the creators of artifacts you used?", author=("sources",)),
            Ask(
                "B2",
                "Did you discuss the license or terms for use and/or distribution of any artifacts?",
                answers.licence,
                ("sources",),
                settled_by="The release",
            ),
            Ask("B3", "Did you discuss the intended use of the artifacts you create?", author=("uses",)),
            Ask(
                "B4",
                "Did you check whether the data contains information that names or uniquely identifies individual "
                "people or offensive content, and protect or anonymize it?",
                answers.people_data,
                ("sensitive",),
            ),
            Ask(
                "B5",
                "Did you provide documentation of the artifacts, such as domains, languages and demographic groups?",
                _documentation,
                ("characteristics", "variety"),
            ),
            Ask("B6", "Did you report relevant statistics, such as the number of examples?", _statistics),
        ),
    ),
    Section(
        "D Did you use human annotators?",
        (
            Ask("D1", "Did you report the full text of instructions given to participants?", _instructions),
            Ask(
                "D2",
                "Did you report how you recruited and paid participants, and discuss if such payment is adequate?",
                lambda basis: [*answers.recruitment(basis), *answers.pay(basis)],
                ("recruitment", "pay"),
            ),
            Ask("D3", "Did you discuss how consent was obtained from people whose data you use?", answers.consent),
            Ask(
                "D4",
                "Was the data collection protocol approved (or determined exempt) by an ethics review board?",
                answers.review,
                ("ethics",),
            ),
            Ask(
                "D5",
                "Did you report the basic demographic and geographic characteristics of the annotator population?",
                answers.demographics,
                ("annotators",),
            ),
        ),
    ),
)
