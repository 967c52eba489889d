"""Sentences about aggregation, agreement and adjudication."""

from __future__ import annotations

from accord_core.numerics.printed import FEWEST_FOR_PERCENT, percent
from annotate.tasktypes import Methods
from reporting.methods.writer import Writer
from reporting.sentences import Sentence


def aggregation(writer: Writer, methods: Methods) -> list[Sentence]:
    return [writer.written(text) for text in methods.aggregation]


def agreement(writer: Writer, methods: Methods) -> list[Sentence]:
    """Agreement between annotators, and of annotators with themselves."""
    sentences = [writer.written(text) for text in methods.agreement]
    if not sentences:
        sentences.append(writer.sentence("Agreement between annotators cannot be calculated from these judgements."))
    if writer.at("result.repeats"):
        sentences.append(_repeats(writer))
    return sentences


def _repeats(writer: Writer) -> Sentence:
    template = (
        "{repeat_annotators:annotator} answered {repeated:question} a second time, and gave the same answer to "
        "{repeated_same} of them"
    )
    figures = {
        "repeat_annotators": "result.repeats.annotators",
        "repeated": "result.repeats.questions",
        "repeated_same": "result.repeats.same",
    }
    share = writer.at("result.repeats.share")
    if writer.at("result.repeats.questions") < FEWEST_FOR_PERCENT or share is None or share["low"] is None:
        return writer.sentence(f"{template}.", **figures)
    return writer.sentence(
        f"{template} ({{repeated_share}}, 95% confidence interval {{repeated_low}} to {{repeated_high}}).",
        **figures,
        repeated_share=("result.repeats.share.value", percent),
        repeated_low=("result.repeats.share.low", percent),
        repeated_high=("result.repeats.share.high", percent),
    )


def adjudication(writer: Writer, methods: Methods) -> list[Sentence]:
    decided, kept = writer.at("counts.decided"), writer.at("counts.kept")
    if not decided and not kept:
        return [writer.sentence("We did not adjudicate disagreements.")]
    sentences = []
    if decided:
        sentences.append(
            writer.sentence(
                "Researchers reviewed disagreements, and decided {decided:question}.", decided="counts.decided"
            )
        )
        sentences += [writer.written(text) for text in methods.adjudication]
    if kept:
        who = "They also" if decided else "Researchers"
        sentences.append(writer.sentence(f"{who} accepted all answers to {{kept:question}}.", kept="counts.kept"))
    return sentences
