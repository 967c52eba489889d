"""The console page that compares a study's final annotations with a `.wa` file, which contains system output or gold
annotations.
"""

from __future__ import annotations

from django import forms
from django.http import HttpResponse
from django.shortcuts import render

from alignment_ui.chunks.evaluate import evaluate
from annotate.console import FAULTS_SHOWN, ConsoleForm, ConsoleRequest, Refused, Study, read_bounded, study_data
from annotate.exchange.faults import TableError

MEASURES = (("f1_ali", "Alignment"), ("f1_type", "Type"), ("f1_score", "Score"), ("f1_typ_sco", "Type and score"))


class AgainstForm(ConsoleForm):
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


def against_a_file(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the upload form and, after an upload, the scores of the file. The file and its scores are not stored."""
    form, outcome, faults, status = AgainstForm(), None, [], 200
    if request.method == "POST":
        form, status = AgainstForm(request.POST, request.FILES), 422
        if form.is_valid():
            file = form.cleaned_data["file"]
            parameters = {"gold": form.cleaned_data["gold"], "name": file.name}
            try:
                data = study_data(study)
                outcome = read_bounded(file.name, file.size, evaluate, data, file.read(), parameters).as_json()
                status = 200
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
        "rows": [(label, [scores[name] for scores in outcome["scores"].values()]) for name, label in MEASURES]
        if outcome
        else [],
    }
    return render(request, "chunks/scoring.html", context, status=status)
