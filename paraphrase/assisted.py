"""Program-assisted shares of labels and figures of systems, if people judge a random part of the sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.evaluation.formats.assisted_tables import AssistedTable
from accord_core.evaluation.formats.label_predictions import read_label_predictions
from accord_core.exchange.faults import TableError
from annotate.tasktypes import StudyData, SystemFile
from evaluation.assisted import label_figures
from evaluation.assisted_systems import as_json, read_files
from paraphrase.columns import collected, columns
from paraphrase.label_systems import predicts_labels
from paraphrase.soft_labels import NAMES


def assisted(people: StudyData, program: StudyData, files: Sequence[SystemFile]) -> Mapping[str, Any]:
    """Return the share of good paraphrases, and each system's accuracy, κ and F1 of each label, with ranks by κ.

    A candidate counts as the mean over its votes. A sentence is drawn with all its candidates.
    """
    candidates = [
        (question.ref, f"{question.payload['item']}/{text}")
        for question in program.questions
        for text in question.payload["paraphrases"]
    ]
    keys = [key for _, key in candidates]
    number = {ref: place for place, ref in enumerate(dict.fromkeys(ref for ref, _ in candidates))}
    labels = [label for _, _, label in _votes(program)]

    def predicted(file: SystemFile) -> list[str]:
        if not predicts_labels(file.content, file.filename):
            raise TableError.of_file(file.filename, "a list of paraphrases is scored by domain, not by sentence")
        if file.parameters.get("domain"):
            raise TableError.of_file(file.filename, "the system is scored on one domain, not on all sentences")
        values = read_label_predictions(file.content, keys, NAMES, name=file.filename).values
        return [NAMES[place] for place in values.argmax(axis=1).tolist()]

    systems, left_out = read_files(files, predicted)
    table = AssistedTable(
        items=keys,
        program=labels,
        systems=systems,
        question=[number[ref] for ref, _ in candidates],
        judgements=_judgements(people, {ref: place for place, (ref, _) in reversed(list(enumerate(candidates)))}),
        probability={},
        has_annotators=True,
    )
    return as_json(label_figures(table, over_annotators=False), left_out)


def _votes(data: StudyData) -> list[tuple[int, int, str]]:
    """Return the candidate, the annotator and the label of each vote, in the order of the candidates."""
    votes = collected(columns(data)).labels
    rows = zip(votes.item.tolist(), votes.annotator.tolist(), votes.label.tolist(), strict=True)
    return sorted((item, annotator, NAMES[label]) for item, annotator, label in rows)


def _judgements(people: StudyData, first: Mapping[str, int]) -> list[tuple[int, str, str]]:
    """Return people's votes: each vote's position among all candidates, its annotator and its label. `first` maps each
    question to the place of its first candidate.
    """
    places = [
        first[question.ref] + number
        for question in people.questions
        for number in range(len(question.payload["paraphrases"]))
    ]
    return [(places[candidate], str(annotator), label) for candidate, annotator, label in _votes(people)]
