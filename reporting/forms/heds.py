"""The Human Evaluation Datasheet 3.0 (HEDS; Belz and Thomson 2024, arXiv 2412.07940). Numbers and questions are those
of the authors' online form (nlp-heds.github.io), for one quality criterion.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from reporting.forms import answers
from reporting.forms.answers import plain, text_at
from reporting.forms.basis import Basis
from reporting.forms.entries import Answer, Ask, Form, Section, filled_form
from reporting.preregistration.departures import KEY as PREREGISTRATIONS
from reporting.preregistration.departures import PATH as PREREGISTRATION
from reporting.sentences import Sentence

SLUG, TITLE = "heds", "Human Evaluation Datasheet (HEDS 3.0)"
SOURCE = "Questions of HEDS 3.0 (Belz and Thomson 2024), answered for one quality criterion."
CONTACT = ("contact_name", "contact_affiliation", "contact_email")


def heds(basis: Basis) -> Form:
    return filled_form(SLUG, TITLE, SOURCE, SECTIONS, basis)


def _from(path: str) -> Callable[[Basis], Answer]:
    return lambda basis: text_at(basis, path)


def _resources(basis: Basis) -> Answer:
    said = list(plain("The release contains the items, the questions, the texts for annotators and all answers."))
    return [*said, *_from("release.url")(basis)]


def _output(basis: Basis) -> Answer:
    return [basis.say("Annotated items: {item}.", item="task.item")] if basis.get("task.item") else []


def _payment(basis: Basis) -> Answer:
    paid = Decimal(basis.get("facts.reward") or 0) > 0
    return [*plain("Paid (monetary compensation)." if paid else "Not paid."), *answers.pay(basis)]


def _researchers(basis: Basis) -> Answer:
    number = basis.get("facts.members_annotated")
    if number is None:
        return []
    if number:
        return [basis.say("Yes: {members:member} of the study’s team.", members="facts.members_annotated")]
    return plain("No: no account of the study’s team is among the annotators.")


def _quality_types(basis: Basis) -> Answer:
    kinds = []
    if basis.get("counts.gold_answers"):
        kinds.append("Automatic quality checking methods are used during and/or after evaluation.")
        if basis.get("facts.rule_threshold"):
            kinds.append("Evaluators are excluded if they fail quality checks (often or badly enough).")
    if basis.get("counts.decided") or basis.get("counts.kept"):
        kinds.append("Manual quality checking methods are used during/post evaluation.")
    return [Sentence(kind) for kind in kinds or ["None of the above (no quality assurance methods used)."]]


def _measure(basis: Basis) -> Answer:
    """Return the sentences on agreement, with how it was measured."""
    return answers.agreement(basis) if basis.get("result.headline.name") else plain("InterAA not assessed")


def _repeats(basis: Basis) -> Answer:
    """Return the sentence on repeated questions, which follows the sentences on agreement."""
    return answers.agreement(basis)[-1:] if basis.get("result.repeats") else plain("IntraAA not assessed")


def _interface(basis: Basis) -> Answer:
    return plain("The release contains the texts for annotators, and all questions in raw/questions.jsonl.")


def _shown(basis: Basis) -> Answer:
    if not basis.get("task.question"):
        return plain("Each page shows a question. The instructions can be opened at any time.")
    return [
        basis.say(
            "Each page shows the question “{question}” with its items. The instructions can be opened at any time.",
            question="task.question",
        )
    ]


def _freedom(basis: Basis) -> Answer:
    minutes = basis.get("facts.lease_minutes")
    if not minutes:
        return []
    return [
        basis.say(
            "None of the above: annotators chose when to begin each set of {questions:question}, had {minutes:minute} "
            "for it, and could continue later.",
            questions="facts.questions_per_hit",
            minutes="facts.lease_minutes",
        )
    ]


def _asking(basis: Basis) -> Answer:
    return plain(
        "Evaluators can ask questions during the evaluation: pages for annotators offer a comment on each question, a "
        "report of a problem, and messages to the researchers."
    )


def _place(basis: Basis) -> Answer:
    return plain("Evaluators carry out assessments at a place of their own choosing.")


def _conditions(basis: Basis) -> Answer:
    return plain("Annotators used their own devices, at times and places of their own choosing.")


def _subjective(basis: Basis) -> Answer:
    return plain("Subjective: annotators judge.")


def _intrinsic(basis: Basis) -> Answer:
    return plain("Intrinsic: no effect outside the items is measured.")


def _definition(basis: Basis) -> Answer:
    if not basis.get("facts.instructions"):
        return []
    return plain("The instructions for annotators are in instructions.md.")


def _personal(basis: Basis) -> Answer:
    handled = answers.people_data(basis)
    if not handled:
        return []
    return [*plain("Yes: answers under pseudonyms are personal data."), *handled]


def _no_power(basis: Basis) -> Answer:
    return plain("N/A: Accord contains no power analysis of this study.")


def _registered(basis: Basis) -> Answer:
    if basis.get(f"facts.{PREREGISTRATIONS}"):
        return plain(f"Yes: {PREREGISTRATION} contains the plan, and what the study did differently.")
    return plain("No: Accord contains no preregistration of this study.")


SECTIONS = (
    Section(
        "1 Main reference and supplementary resources",
        (
            Ask("1.1.1", "Where can the main reference for the evaluation experiment be found?", author=("paper",)),
            Ask("1.1.2", "Which experiment is this form being completed for?", _from("facts.title")),
            Ask("1.2", "Where can the resources that were used in the evaluation experiment be found?", _resources),
            Ask("1.3.1.1", "Name of the person completing this sheet.", author=CONTACT[:1]),
            Ask("1.3.1.2", "Affiliation of the person completing this sheet.", author=CONTACT[1:2]),
            Ask("1.3.1.3", "Email address of the person completing this sheet.", author=CONTACT[2:]),
            Ask("1.3.2.1", "Name of the contact author.", author=CONTACT[:1]),
            Ask("1.3.2.2", "Affiliation of the contact author.", author=CONTACT[1:2]),
            Ask("1.3.2.3", "Email address of the contact author.", author=CONTACT[2:]),
        ),
    ),
    Section(
        "2 Evaluated system(s)",
        (
            Ask("2.1", "What type of input do the evaluated system(s) take?", author=("systems",)),
            Ask("2.2", "What type of output do the evaluated system(s) generate?", _output, ("systems",)),
            Ask("2.3", "What is the task that the evaluated system(s) perform?", author=("systems",)),
            Ask(
                "2.4", "What are the language(s) of the inputs accepted by the evaluated system(s)?", answers.languages
            ),
            Ask("2.5", "What are the language(s) of the outputs produced by the evaluated system?", answers.languages),
        ),
    ),
    Section(
        "3.1 Sample of system outputs (test set)",
        (
            Ask(
                "3.1.1",
                "How many system outputs (or other evaluation items) are evaluated per system?",
                answers.items,
            ),
            Ask(
                "3.1.2",
                "How are system outputs (or other evaluation items) selected for inclusion?",
                answers.selection,
                ("rationale",),
            ),
            Ask(
                "3.1.3.1",
                "What method of statistical power analysis was used to determine the appropriate sample size?",
                _no_power,
                ("power",),
                assumes=True,
            ),
            Ask("3.1.3.2", "What is the statistical power of the sample?", _no_power, ("power",), assumes=True),
            Ask(
                "3.1.3.3",
                "Where can other researchers find details of any code used in the power analysis performed?",
                _no_power,
                ("power",),
                assumes=True,
            ),
        ),
    ),
    Section(
        "3.2 Evaluators",
        (
            Ask(
                "3.2.1",
                "How many evaluators are there in this experiment?",
                lambda basis: [basis.say("{number}", number="counts.annotators")],
            ),
            Ask("3.2.2.1", "Are the evaluators in this experiment domain experts?", author=("experts",)),
            Ask("3.2.2.2", "Did participants receive any form of payment?", _payment),
            Ask("3.2.2.3", "Were any of the participants previously known to the authors?", author=("known",)),
            Ask(
                "3.2.2.4",
                "Were any of the researchers running the experiment among the participants?",
                _researchers,
            ),
            Ask("3.2.3", "How are evaluators recruited?", answers.recruitment, ("recruitment",)),
            Ask(
                "3.2.4",
                "What training and/or practice are evaluators given before starting on the evaluation itself?",
                answers.training,
            ),
            Ask(
                "3.2.5",
                "What other characteristics do the evaluators have?",
                lambda basis: [*answers.screening(basis), *answers.demographics(basis)],
                ("annotators",),
            ),
        ),
    ),
    Section(
        "3.3 Experimental design",
        (
            Ask(
                "3.3.1",
                "Has the experimental design been preregistered?",
                _registered,
                ("registration",),
                assumes=True,
            ),
            Ask("3.3.2", "By what medium are responses collected?", answers.collected),
            Ask(
                "3.3.3.1",
                "What types of quality assurance methods are used to ensure that evaluators are sufficiently qualified "
                "and/or their responses are of sufficient quality?",
                _quality_types,
            ),
            Ask(
                "3.3.3.2",
                "What methods are used for each of the types of quality assurance methods that were selected in "
                "Question 3.3.3.1?",
                answers.quality,
            ),
            Ask("3.3.4.1", "Where can the form/interface that was shown to participants be viewed?", _interface),
            Ask("3.3.4.2", "What types of information are evaluators shown when carrying out evaluations?", _shown),
            Ask("3.3.5", "How free are evaluators regarding when and how quickly to carry out evaluations?", _freedom),
            Ask(
                "3.3.6",
                "Are evaluators told they can ask questions about the evaluation and/or provide feedback?",
                _asking,
            ),
            Ask(
                "3.3.7",
                "What are the conditions in which evaluators carry out the evaluations?",
                _place,
                ("conditions",),
                assumes=True,
            ),
            Ask(
                "3.3.8",
                "In what ways do conditions in which evaluators carry out the evaluations vary for different "
                "evaluators?",
                _conditions,
                ("conditions",),
                assumes=True,
            ),
        ),
    ),
    Section(
        "4.1 Quality criterion properties",
        (
            Ask(
                "4.1.1",
                "What type of quality is assessed by the quality criterion?",
                _from("task.quality"),
                ("quality",),
                replaces=True,
            ),
            Ask(
                "4.1.2",
                "Which aspect of system outputs is assessed by the quality criterion?",
                _from("task.aspect"),
                ("aspect",),
                replaces=True,
            ),
            Ask(
                "4.1.3",
                "Is each output assessed for quality in its own right, or with reference to a system-internal or "
                "external frame of reference?",
                _from("task.frame"),
                ("frame",),
                replaces=True,
            ),
        ),
    ),
    Section(
        "4.2 Evaluation mode properties",
        (
            Ask("4.2.1", "Does an individual assessment involve an objective or a subjective judgment?", _subjective),
            Ask("4.2.2", "Are outputs assessed in absolute or relative terms?", _from("task.mode")),
            Ask("4.2.3", "Is the evaluation intrinsic or extrinsic?", _intrinsic),
        ),
    ),
    Section(
        "4.3 Response elicitation",
        (
            Ask(
                "4.3.1.1",
                "What do you call the quality criterion in explanations/interfaces to evaluators?",
                _from("task.criterion"),
            ),
            Ask(
                "4.3.1.2",
                "What standardised quality criterion name does the name entered for 4.3.1.1 correspond to?",
                author=("criterion",),
            ),
            Ask(
                "4.3.2",
                "What definition do you give for the quality criterion in explanations/interfaces to evaluators?",
                _definition,
            ),
            Ask("4.3.3", "What is the size of the scale or other rating instrument?", _from("task.size")),
            Ask("4.3.4", "What are the possible values of the scale or other rating instrument?", _from("task.values")),
            Ask(
                "4.3.5",
                "How is the scale or other rating instrument presented to evaluators?",
                _from("task.presented"),
            ),
            Ask(
                "4.3.6",
                "If there is no rating instrument, what is the task the evaluators perform?",
                _from("task.task"),
            ),
            Ask(
                "4.3.7",
                "What is the verbatim question, prompt or instruction given to evaluators (visible to them during each "
                "individual assessment)?",
                _from("task.question"),
            ),
            Ask(
                "4.3.8",
                "What form of response elicitation is used in collecting assessments from evaluators?",
                _from("task.form"),
            ),
            Ask(
                "4.3.9",
                "How are raw responses from participants aggregated or otherwise processed to obtain reported scores "
                "for this quality criterion?",
                answers.aggregation,
            ),
            Ask(
                "4.3.10",
                "What method(s) are used for determining effect size and significance of findings for this quality "
                "criterion?",
                _from("task.intervals"),
            ),
            Ask(
                "4.3.11.1",
                "How was the inter-annotator agreement between evaluators measured for this quality criterion?",
                _measure,
            ),
            Ask("4.3.11.2", "What was the inter-annotator agreement score?", answers.main_figure),
            Ask(
                "4.3.12.1",
                "How was the intra-annotator agreement between evaluators measured for this quality criterion?",
                _repeats,
            ),
            Ask("4.3.12.2", "What was the intra-annotator agreement score?", _repeats),
        ),
    ),
    Section(
        "5 Ethics",
        (
            Ask(
                "5.1",
                "Which research ethics committee has approved the evaluation experiment this sheet is being completed "
                "for, or the larger study it is part of?",
                answers.review,
                ("ethics",),
            ),
            Ask(
                "5.2",
                "Does personal data (as defined in GDPR Art. 4, §1) occur in any of the evaluation items evaluated, or "
                "responses collected, in the evaluation experiment this sheet is being completed for?",
                _personal,
                ("sensitive",),
            ),
            Ask(
                "5.3",
                "Does special category information (as defined in GDPR Art. 9, §1) occur in any of the evaluation "
                "items evaluated, or responses collected, in the evaluation experiment this sheet is being completed "
                "for?",
                author=("special",),
            ),
            Ask(
                "5.4",
                "Have any impact assessments been carried out for the evaluation experiment, and/or any data "
                "collected/evaluated in connection with it?",
                author=("assessment",),
            ),
        ),
    ),
)
