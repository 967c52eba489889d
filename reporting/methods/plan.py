"""Sentences about the preregistration, and what the study did differently."""

from __future__ import annotations

from annotate.tasktypes import StudyData
from reporting.methods.task import day
from reporting.methods.writer import Writer
from reporting.preregistration.departures import KEY, binding
from reporting.sentences import Sentence


def preregistration(writer: Writer, data: StudyData) -> list[Sentence]:
    """Return the sentences, or none if there is no preregistration."""
    registered = binding(data)
    if registered is None:
        return []
    place = data.facts[KEY].index(registered)
    frozen = writer.sentence(
        "We preregistered the study on {registered_on}.", registered_on=(f"facts.{KEY}[{place}].at", day)
    )
    if not writer.at("counts.departures"):
        return [frozen, writer.sentence("The study follows this plan.")]
    return [
        frozen,
        writer.sentence("We departed from this plan as follows. {departures}", departures="counts.departures"),
    ]
