"""The datasheet for datasets (Gebru, Morgenstern, Vecchione, Vaughan, Wallach, Daumé III and Crawford 2021,
Communications of the ACM 64(12)). The questions are shortened, and those that only concern images or continuous
collection are omitted.
"""

from __future__ import annotations

from reporting.forms import answers
from reporting.forms.answers import plain
from reporting.forms.basis import Basis
from reporting.forms.entries import Answer, Ask, Form, Section, filled_form

SLUG, TITLE = "datasheet", "Datasheet"
SOURCE = "Questions after Gebru et al. (2021), Datasheets for Datasets."


def datasheet(basis: Basis) -> Form:
    return filled_form(SLUG, TITLE, SOURCE, SECTIONS, basis)


def _creators(basis: Basis) -> Answer:
    return answers.text_at(basis, "release.creators")


def _instances(basis: Basis) -> Answer:
    return [basis.say("Items of the task “{type}”, with the answers of annotators.", type="task.name")]


def _contents(basis: Basis) -> Answer:
    said = plain("Each item consists of its text and metadata, and each answer of its value, its time and a pseudonym.")
    if not basis.get("rows.metadata"):
        return said
    return [*said, basis.say("Metadata columns: {columns}.", columns="rows.metadata")]


def _missing(basis: Basis) -> Answer:
    missing = basis.get("rows.questions") - basis.get("counts.questions")
    if missing:
        return [
            basis.say(
                "{judged} of {questions:question} have a judgement.",
                judged="counts.questions",
                questions="rows.questions",
            )
        ]
    return plain("Every question has a judgement.")


def _noise(basis: Basis) -> Answer:
    return [*answers.agreement(basis), *answers.adjudication(basis)]


def _raw(basis: Basis) -> Answer:
    return plain("Yes: the folder raw contains all answers, with the reason if an answer does not count.")


def _distributed(basis: Basis) -> Answer:
    said = plain("As a folder with tables, raw annotations, report, checksums and Croissant metadata.")
    return [*said, *answers.text_at(basis, "release.url")]


def _versions(basis: Basis) -> Answer:
    if not basis.get("release.version"):
        return []
    return [basis.say("This is version {version}.", version="release.version")]


SECTIONS = (
    Section(
        "Motivation",
        (
            Ask("", "For what purpose was the dataset created?", author=("rationale", "uses")),
            Ask("", "Who created the dataset?", _creators, ("contact_affiliation",), settled_by="The release"),
            Ask("", "Who funded the creation of the dataset?", author=("funding",)),
        ),
    ),
    Section(
        "Composition",
        (
            Ask("", "What do the instances represent?", _instances, ("characteristics",)),
            Ask("", "How many instances are there?", answers.task),
            Ask("", "Is the dataset a sample from a larger set?", author=("rationale",)),
            Ask("", "What data does each instance consist of?", _contents),
            Ask("", "Is there a label or target associated with each instance?", answers.aggregation),
            Ask("", "Is any information missing from individual instances?", _missing),
            Ask("", "Are there errors, sources of noise, or redundancies in the dataset?", _noise, ("capture",)),
            Ask("", "Does the dataset rely on external resources?", author=("sources",)),
            Ask("", "Does the dataset contain confidential data?", author=("sensitive",)),
            Ask("", "Might data in the dataset be offensive or cause anxiety?", author=("sensitive",)),
            Ask("", "Does the dataset identify subpopulations?", answers.demographics, ("speakers",)),
            Ask("", "Is it possible to identify individuals from the dataset?", answers.people_data, ("sensitive",)),
            Ask("", "Does the dataset contain data that might be considered sensitive?", author=("special",)),
        ),
    ),
    Section(
        "Collection process",
        (
            Ask("", "How was the data associated with each instance acquired?", answers.task, ("situation",)),
            Ask("", "What mechanisms or procedures were used to collect the data?", answers.collected),
            Ask("", "If the dataset is a sample, what was the sampling strategy?", answers.selection, ("rationale",)),
            Ask(
                "",
                "Who was involved in the data collection process, and how were they compensated?",
                lambda basis: [*answers.annotators(basis), *answers.pay(basis)],
                ("recruitment", "pay"),
            ),
            Ask("", "Over what timeframe was the data collected?", answers.days),
            Ask("", "Were any ethical review processes conducted?", answers.review, ("ethics",)),
            Ask("", "Did the individuals consent to the collection and use of their data?", answers.consent),
            Ask("", "Has an analysis of the potential impact on data subjects been conducted?", author=("assessment",)),
        ),
    ),
    Section(
        "Preprocessing, cleaning and labeling",
        (
            Ask(
                "", "Was any preprocessing, cleaning or labeling of the data done?", answers.quality, ("preprocessing",)
            ),
            Ask("", "Was the raw data saved in addition to the preprocessed data?", _raw),
        ),
    ),
    Section(
        "Uses",
        (
            Ask("", "Has the dataset been used for any tasks already?", author=("paper",)),
            Ask("", "What other tasks could the dataset be used for?", author=("uses",)),
            Ask("", "Could anything about the dataset have an impact on future uses?", author=("impact",)),
            Ask("", "Are there tasks for which the dataset should not be used?", author=("limits",)),
        ),
    ),
    Section(
        "Distribution",
        (
            Ask("", "How will the dataset be distributed?", _distributed),
            Ask("", "Under which licence will the dataset be distributed?", answers.licence, settled_by="The release"),
            Ask("", "Have any third parties imposed restrictions on the data?", author=("sources",)),
        ),
    ),
    Section(
        "Maintenance",
        (
            Ask("", "Who will be supporting, hosting or maintaining the dataset?", author=("maintenance",)),
            Ask("", "How can the owner or curator be contacted?", author=("contact_name", "contact_email")),
            Ask("", "Will the dataset be updated?", _versions, ("maintenance",), settled_by="The release"),
        ),
    ),
)
