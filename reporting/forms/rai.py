"""The responsible-AI properties of Croissant metadata (Croissant RAI vocabulary 1.0, MLCommons 2024)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reporting.forms import answers
from reporting.forms.basis import Basis
from reporting.forms.entries import Answer


def responsible_ai(basis: Basis) -> dict[str, Any]:
    """Return the properties of a dataset as JSON-LD. Properties without a known value are omitted.

    The vocabulary allows several values of some properties, which are lists here. Readers of Croissant metadata accept
    only one maintenance plan.
    """
    one = {
        "dataCollection": [*answers.collected(basis), *answers.annotators(basis), *answers.recruitment(basis)],
        "dataCollectionRawData": [*answers.selection(basis), *basis.answered("rationale")],
        "dataAnnotationProtocol": [*answers.task(basis), *answers.training(basis), *answers.quality(basis)],
        "annotationsPerItem": answers.per_question(basis),
        "dataSocialImpact": basis.answered("impact"),
        "dataReleaseMaintenancePlan": basis.answered("maintenance"),
    }
    many = {
        "dataCollectionType": [*answers.plain("Experiments"), *_survey(basis)],
        "dataPreprocessingProtocol": basis.answered("preprocessing"),
        "dataAnnotationPlatform": answers.plain("Accord"),
        "dataAnnotationAnalysis": [
            *answers.aggregation(basis),
            *answers.agreement(basis),
            *answers.adjudication(basis),
        ],
        "annotatorDemographics": [
            *answers.screening(basis),
            *answers.demographics(basis),
            *basis.answered("annotators"),
        ],
        "personalSensitiveInformation": [
            *answers.people_data(basis),
            *basis.answered("sensitive"),
            *basis.answered("special"),
        ],
        "dataBiases": basis.answered("limits"),
        "dataLimitations": basis.answered("limits"),
        "dataUseCases": basis.answered("uses"),
    }
    described: dict[str, Any] = {f"rai:{name}": _text(said) for name, said in one.items() if said}
    described |= {f"rai:{name}": [each.plain() for each in said] for name, said in many.items() if said}
    if basis.get("counts.first_day"):
        described["rai:dataCollectionTimeframe"] = [basis.get("counts.first_day"), basis.get("counts.last_day")]
    return described


def _text(said: Iterable[Any]) -> str:
    return " ".join(each.plain() for each in said)


def _survey(basis: Basis) -> Answer:
    return answers.plain("Surveys") if basis.get("facts.survey") else []
