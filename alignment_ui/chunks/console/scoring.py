"""The console page that compares a study's final annotations with a `.wa` file from a system or with gold
annotations.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.shortcuts import render

from accord_core.chunks.formats.mismatch_files import difference_cells, write_mismatches
from accord_core.chunks.numerics.score_sums import TITLES
from accord_core.exchange.faults import TableError
from alignment_ui.chunks.evaluate import evaluate, mismatches_with_file
from annotate.toolkit import (
    FAULTS_SHOWN,
    ConsoleRequest,
    Refused,
    Study,
    TextFilesForm,
    attachment,
    read_bounded,
    study_data,
)

MISMATCHES_SHOWN = 20
RESAMPLES = 1000
ROWS = (
    ("2016", "f1_ali", "Alignment"),
    ("2016", "f1_type", "Type"),
    ("2016", "f1_score", "Score"),
    ("2016", "f1_typ_sco", "Type and score"),
    ("2015", "f1_typ_sco", "Type and score, as in 2015"),
)


class AgainstForm(TextFilesForm):
    file = forms.FileField(
        label="Annotation file (.wa)",
        help_text="Choose a .wa file in the interpretable STS format. Sentence pairs are matched by ID.",
    )
    gold = forms.ChoiceField(
        label="Gold annotations",
        choices=[
            ("study", "the annotations of this study, to score the output of a system in the file"),
            ("file", "the annotations in the file, to score the annotations of this study"),
        ],
    )


def against_a_file(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Show the upload form. After an upload, show the file's scores and differences, or return the differences as a CSV
    file. The file and its scores are not stored.
    """
    form, outcome, mismatches, faults, status = AgainstForm(), None, None, [], 200
    if request.method == "POST":
        form, status = AgainstForm(request.POST, request.FILES), 422
        if form.is_valid():
            file = form.cleaned_data["file"]
            content, parameters = file.read(), {"gold": form.cleaned_data["gold"], "name": file.name}
            try:
                data = study_data(study)
                mismatches = read_bounded(file.name, file.size, mismatches_with_file, data, content, parameters)
                if "download" in request.POST:
                    name = f"mismatches-{file.name.removesuffix('.wa')}.csv"
                    return attachment(write_mismatches(mismatches), name)
                parameters |= {"resamples": RESAMPLES}
                outcome = read_bounded(file.name, file.size, evaluate, data, content, parameters).as_json()
                status = 200
                form.note_encodings(request)
            except TableError as error:
                faults = list(error.faults)
            except Refused as refusal:
                form.refuse(refusal)
    context = {
        "study": study,
        "form": form,
        "outcome": outcome,
        "faults": faults[:FAULTS_SHOWN],
        "more": max(0, len(faults) - FAULTS_SHOWN),
        "rows": _rows(outcome) if outcome else [],
        "mismatches": mismatches,
        "shown": [difference_cells(each) for each in mismatches.rows[:MISMATCHES_SHOWN]] if mismatches else [],
    }
    return render(request, "chunks/scoring.html", context, status=status)


def _rows(outcome: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the label, precision, recall and F1 of each measure, with the confidence interval of the 2016 F1."""
    intervals = {each["name"]: (each["low"], each["high"]) for each in outcome["measures"]}
    rows = []
    for version, measure, label in ROWS:
        scores = outcome["scores"][version]
        low, high = intervals[TITLES[measure]] if version == "2016" else (None, None)
        kinds = {kind: scores[measure.replace("f1", kind)] for kind in ("precision", "recall", "f1")}
        rows.append({"label": label, **kinds, "low": low, "high": high})
    return rows
