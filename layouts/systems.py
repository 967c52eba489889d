"""Scores for systems that predict the labels of a field, or a probability for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord_core.evaluation.formats.soft_labels import CollectedFile, collected_votes, restricted
from accord_core.exchange.faults import TableError
from accord_core.numerics.soft_labels import Model
from annotate.tasktypes import Difference, Evaluation, Option, StudyData, Systems
from evaluation.label_scores import compare_predictions, evaluate_predictions
from layouts.options import layout_of
from layouts.soft_labels import WITH_CHOICES, choice_fields, item_keys, label_names

MODEL: Model = "dawid_skene"
HELP = (
    "The file must predict one field with choices. The file must have the columns `item` and `label`, or `item`, "
    "`label` and `probability`, or `item` and one column of probabilities for each label. The items and labels must be "
    "those in the download `soft-labels.csv`."
)
OPTIONS = (
    Option(
        "field",
        "Predicted field",
        "",
        help="The name of a field with choices. It can be empty if the layout has only one such field.",
    ),
)


def options_of(options: Mapping[str, Any]) -> Sequence[Option]:
    """Return the choice of a field, which is not needed if the layout has only one field with choices."""
    names = [field.name for field in layout_of(options).fields if field.kind in WITH_CHOICES]
    choices = [("", "Choose a field"), *((name, name) for name in names)]
    return [replace(OPTIONS[0], kind="choice", choices=choices, help="")] if len(names) > 1 else []


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return the measures of `evaluation.label_scores` for predictions of one field, compared with the annotators'
    votes.

    The parameters are `name`, `field`, `seed` and `resamples`. Raises TableError if the file contains errors, or if the
    study has no such field.
    """
    votes = _votes(data, parameters, str(parameters["name"]))
    return evaluate_predictions(votes, submission, parameters)


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """Return the differences between two systems (first minus second) on the same field."""
    return compare_predictions(_votes(data, parameters, parameters["names"][0]), submissions, parameters)


def _votes(data: StudyData, parameters: Mapping[str, Any], name: str) -> CollectedFile:
    """Return the votes on the chosen field and split. The posteriors use all of the study's votes."""
    fields = choice_fields(data)
    chosen = str(parameters.get("field", "")) or (next(iter(fields)) if len(fields) == 1 else "")
    if not fields:
        raise TableError.of_file(name, "no field with choices has an answer yet")
    if chosen not in fields:
        known = f"The fields with choices are {', '.join(fields)}"
        raise TableError.of_file(
            name, f"the study has no field “{chosen}” with choices. {known}" if chosen else f"Choose a field. {known}"
        )
    field = fields[chosen]
    votes = collected_votes(field.labels, item_keys(data), label_names(field), MODEL)
    only = parameters.get("only")
    return votes if only is None else restricted(votes, only, name=name)


SYSTEMS = Systems(HELP, evaluate, compare, OPTIONS, options_of=options_of, assisted="layouts.assisted:assisted")
