"""Program-assisted shares of labels and figures of systems, if people answer a random part of the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.evaluation.formats.assisted_tables import AssistedTable
from accord_core.evaluation.formats.label_predictions import read_label_predictions
from accord_core.exchange.faults import TableError
from annotate.tasktypes import StudyData, SystemFile
from evaluation.assisted import label_figures
from evaluation.assisted_result import AssistedResult
from evaluation.assisted_systems import LeftOut, as_json, read_files
from layouts.columns import FieldLabels
from layouts.soft_labels import choice_fields, item_keys, label_names

NO_ANSWER = "(no answer)"


def assisted(people: StudyData, program: StudyData, files: Sequence[SystemFile]) -> Mapping[str, Any]:
    """Return, for each field with choices, the share of each label, and each system's accuracy, κ and F1 of each label.

    Systems are ranked by κ in a study with one such field.
    """
    fields, of_program = choice_fields(people), choice_fields(program)
    if not fields:
        raise TableError.of_file("The study", "no field with choices has an answer yet")
    left_out: list[LeftOut] = []
    results = []
    for name, field in fields.items():
        own = [file for file in files if file.parameters.get("field", "") in (name, "")]
        result, unread = _of_field(people, program, field, of_program.get(name), own)
        left_out += unread
        prefix = f"{name}: " if len(fields) > 1 else ""
        results.append((prefix, result))
    figures = [each._replace(name=prefix + each.name) for prefix, result in results for each in result.figures]
    first = results[0][1]
    ranks = first.ranks if len(results) == 1 else {}
    return as_json(AssistedResult(figures, ranks, first.questions, first.judged), left_out)


def _of_field(
    people: StudyData,
    program: StudyData,
    field: FieldLabels,
    of_program: FieldLabels | None,
    files: Sequence[SystemFile],
) -> tuple[AssistedResult, list[LeftOut]]:
    place = {question.ref: number for number, question in enumerate(program.questions)}
    places = [place[question.ref] for question in people.questions]
    answers = [NO_ANSWER] * len(place)
    for question, _annotator, label in _labels(of_program) if of_program else ():
        answers[question] = label
    judgements = [(places[question], str(annotator), label) for question, annotator, label in _labels(field)]
    keys = item_keys(program)
    labels = sorted({*answers, *(label for _, _, label in judgements)})

    def predicted(file: SystemFile) -> list[str]:
        values = read_label_predictions(file.content, keys, labels, name=file.filename).values
        return [labels[chosen] for chosen in values.argmax(axis=1).tolist()]

    systems, left_out = read_files(files, predicted)
    table = AssistedTable(keys, answers, systems, list(range(len(keys))), judgements, {}, has_annotators=True)
    return label_figures(table, over_annotators=False), left_out


def _labels(field: FieldLabels) -> list[tuple[int, int, str]]:
    """Return the question, the annotator and the label of each answer."""
    names, answers = label_names(field), field.labels
    rows = zip(answers.item.tolist(), answers.annotator.tolist(), answers.label.tolist(), strict=True)
    return [(question, annotator, names[label]) for question, annotator, label in rows]
