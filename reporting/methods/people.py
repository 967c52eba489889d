"""Sentences about the annotators, their training, their pay and ethics."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from accord_core.numerics.printed import money, percent
from reporting.methods.writer import Writer
from reporting.sentences import Sentence

ADMISSION = {
    "anonymous": "Anyone with the link could join without an account.",
    "account": "Anyone with the link and an account could join.",
    "named": "Only invited annotators could join, each with a personal link.",
}


def annotators(writer: Writer) -> list[Sentence]:
    """Who annotated, how they were recruited and screened, and which languages and demographics are known."""
    sentences = [joined(writer), *recruitment(writer), *screening(writer), *_left(writer), counted(writer)]
    sentences.append(
        writer.sentence(
            "The instructions were in {instructions_language}.", instructions_language="counts.instructions_language"
        )
    )
    return [sentence for sentence in [*sentences, *demographics(writer)] if sentence is not None]


def joined(writer: Writer) -> Sentence | None:
    """How many annotators joined."""
    joined, simulated = writer.at("facts.people.joined"), writer.at("facts.people.simulated")
    if joined is None:
        return None
    if not simulated:
        return writer.sentence("{joined:annotator} joined the study.", joined="facts.people.joined")
    if simulated == joined:
        return writer.sentence(
            "The answers come from {simulated:simulated annotator}, which are programs and not people.",
            simulated="facts.people.simulated",
        )
    return writer.sentence(
        "{joined:annotator} joined the study. {simulated:of them is a program that simulates an annotator,of them are "
        "programs that simulate annotators}.",
        joined="facts.people.joined",
        simulated="facts.people.simulated",
    )


def recruitment(writer: Writer) -> list[Sentence]:
    """How annotators came to the study."""
    sentences = []
    people = writer.at("facts.people") or {}
    if writer.at("answers.recruitment"):
        sentences.append(writer.sentence("{recruitment}", recruitment="answers.recruitment"))
    if people.get("recruitment") == "prolific":
        sentences.append(writer.sentence("They were recruited on Prolific."))
    elif people.get("recruitment") == "panel":
        sentences.append(writer.sentence("They were recruited through a participant panel."))
    elif "mturk" in people.get("platforms", ()):
        sentences.append(writer.sentence("They were recruited on Amazon Mechanical Turk."))
    elif people and people["joined"] > people["simulated"]:
        sentences.append(writer.sentence(ADMISSION[people["admission"]]))
    if people.get("groups"):
        sentences.append(writer.sentence("The study has {groups:group} of annotators.", groups="facts.people.groups"))
    return sentences


def screening(writer: Writer) -> list[Sentence]:
    """Who could take part."""
    sentences = []
    if writer.at("facts.eligibility"):
        sentences.append(
            writer.sentence(
                "Before joining, they confirmed this statement: “{eligibility}”", eligibility="facts.eligibility"
            )
        )
    if writer.at("facts.people.screening"):
        sentences.append(
            writer.sentence(
                "{screened:person,people} answered {screening_questions:screening question}, and {admitted} of them "
                "could take part.",
                screened="facts.people.screening.answered",
                screening_questions="facts.people.screening.questions",
                admitted="facts.people.screening.admitted",
            )
        )
    return sentences


def _left(writer: Writer) -> list[Sentence]:
    """Withdrawals and stops by researchers. Stops by the quality rule are part of quality control."""
    sentences = []
    if writer.at("facts.people.withdrawn"):
        sentences.append(
            writer.sentence("{withdrawn:annotator} withdrew from the study.", withdrawn="facts.people.withdrawn")
        )
    if writer.at("facts.people.withdrawn_excluded"):
        sentences.append(
            writer.sentence(
                "The answers of {withdrawn_excluded:annotator} who withdrew are excluded at their request.",
                withdrawn_excluded="facts.people.withdrawn_excluded",
            )
        )
    return sentences


def counted(writer: Writer) -> Sentence:
    """How many annotators the results are based on."""
    fewest, most = writer.at("counts.fewest_judgements"), writer.at("counts.most_judgements")
    if fewest == most:
        return writer.sentence(
            "The results are based on {annotators:annotator} with {most_judgements:judgement} each.",
            annotators="counts.annotators",
            most_judgements="counts.most_judgements",
        )
    return writer.sentence(
        "The results are based on {annotators:annotator} with {fewest_judgements} to {most_judgements:judgement} each "
        "(median {median_judgements}).",
        annotators="counts.annotators",
        fewest_judgements="counts.fewest_judgements",
        most_judgements="counts.most_judgements",
        median_judgements=("counts.median_judgements", lambda value: f"{value:,g}"),
    )


def demographics(writer: Writer) -> list[Sentence]:
    """What is known about the annotators themselves."""
    sentences = []
    if writer.at("answers.annotators"):
        sentences.append(writer.sentence("{demographics}", demographics="answers.annotators"))
    survey = writer.at("facts.survey")
    if survey:
        sentences.append(
            writer.sentence(
                "In a voluntary survey, we asked {survey_questions:question} about the annotators themselves, and "
                "publish the counts of the answers with the data.",
                survey_questions="facts.survey",
            )
        )
    else:
        sentences.append(writer.sentence("We did not survey the annotators’ demographics."))
    return sentences


def training(writer: Writer) -> list[Sentence]:
    """How annotators practised, and how they qualified."""
    if writer.at("facts.training") is None:
        return []
    # Annotators can begin without opening them, so they did not necessarily read them.
    given = "instructions and worked examples" if writer.at("facts.examples") else "instructions"
    if not writer.at("facts.training.practice_questions"):
        return [
            writer.sentence(f"Annotators were given {given}. There were no practice questions and no qualification.")
        ]
    sentences = [
        writer.sentence(
            f"Before the first set, annotators were given {given}, and {{practice_questions:practice question}} with "
            "feedback. {practised:annotator} finished the practice questions.",
            practice_questions="facts.training.practice_questions",
            practised="facts.training.practised",
        )
    ]
    if writer.at("facts.training.pass_mark") is None:
        sentences.append(writer.sentence("Practice was not a qualification."))
    else:
        sentences.append(
            writer.sentence(
                "To qualify, they had to answer {pass_mark} of the practice questions as expected, in at most "
                "{tries:try,tries}. {not_qualified:annotator} did not qualify.",
                pass_mark=("facts.training.pass_mark", percent),
                tries="facts.training.tries",
                not_qualified="facts.training.not_qualified",
            )
        )
    return sentences


def pay(writer: Writer) -> list[Sentence]:
    """The pay per set, the actual hourly wage, and the pay of stopped annotators."""
    if _only_simulated(writer):
        return [writer.sentence("Simulated annotators are not paid.")]
    if not Decimal(writer.at("facts.reward") or 0):
        return [writer.sentence("Annotators were not paid through the annotation platform.")]
    sentences = [writer.sentence("Annotators earned {reward} per set.", reward=("facts.reward", _money(writer)))]
    if writer.at("facts.pay.hourly_wage"):
        sentences.append(
            writer.sentence(
                "The median time of the {timed_sets:set that counts,sets that count} was {seconds_per_set} seconds, "
                "so the actual hourly wage is {hourly_wage}.",
                timed_sets="facts.pay.timed_hits",
                seconds_per_set=("facts.pay.seconds_per_hit", lambda value: f"{value:,.0f}"),
                hourly_wage=("facts.pay.hourly_wage", _money(writer)),
            )
        )
    if writer.at("facts.pay.minimum_hourly_wage"):
        sentences.append(
            writer.sentence(
                "The minimum hourly wage set for the study is {minimum_hourly_wage}.",
                minimum_hourly_wage=("facts.pay.minimum_hourly_wage", _money(writer)),
            )
        )
    if writer.at("facts.rule_threshold") and writer.at("counts.gold_per_hit"):
        sentences.append(_pay_of_stopped(writer))
    if writer.at("facts.training.pass_mark") is not None:
        sentences.append(_pay_of_unqualified(writer))
    if writer.at("answers.pay"):
        sentences.append(writer.sentence("{pay_statement}", pay_statement="answers.pay"))
    return sentences


def _pay_of_stopped(writer: Writer) -> Sentence:
    also = ", and were paid for the set in progress" if writer.at("facts.pay.pays_stopped") else ""
    return writer.sentence(f"Stopped annotators kept the pay for submitted sets{also}.")


def _pay_of_unqualified(writer: Writer) -> Sentence:
    if not Decimal(writer.at("facts.pay.pays_unqualified")):
        return writer.sentence("Annotators who did not qualify were not paid.")
    return writer.sentence(
        "Annotators who did not qualify were paid {pay_unqualified}.",
        pay_unqualified=("facts.pay.pays_unqualified", _money(writer)),
    )


def _only_simulated(writer: Writer) -> bool:
    return bool(writer.at("counts.annotators") == writer.at("counts.simulated"))


def _money(writer: Writer) -> Any:
    currency = writer.at("facts.currency")
    return lambda amount: money(Decimal(amount), currency)


def ethics(writer: Writer) -> list[Sentence]:
    """The approval and the consent."""
    sentences = []
    if writer.at("facts.protocol_number"):
        sentences.append(
            writer.sentence(
                "The study was approved under protocol {protocol_number}.", protocol_number="facts.protocol_number"
            )
        )
    if writer.at("answers.ethics"):
        sentences.append(writer.sentence("{ethics_statement}", ethics_statement="answers.ethics"))
    if writer.at("facts.consent") and not _only_simulated(writer):
        sentences.append(writer.sentence("Annotators read a consent text and consented before they joined."))
    sentences.append(writer.sentence("Answers are published under pseudonyms that are used only in this study."))
    return sentences
