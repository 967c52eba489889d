"""The form on the Programs page that compares programs with people."""

from __future__ import annotations

from typing import Any

from django import forms

from accord_core.numerics.alternative_annotator import EPSILONS, FEWEST_QUESTIONS
from annotate.web.forms import ConsoleForm

OTHER = "other"
KINDS = [
    ("experts", f"Experts (ε = {EPSILONS['experts']})"),
    ("trained", f"Trained annotators (ε = {EPSILONS['trained']})"),
    ("crowd", f"Crowd workers (ε = {EPSILONS['crowd']})"),
    (OTHER, "Another value of ε"),
]
MOST_QUESTIONS = 100_000


class ProgramComparisonForm(ConsoleForm):
    annotators = forms.ChoiceField(
        choices=KINDS,
        initial="crowd",
        label="Kind of annotator",
        help_text="A program costs less than an annotator, so its answers may be a little worse. The kind of "
        "annotator determines how much worse (ε).",
    )
    epsilon = forms.FloatField(
        required=False,
        min_value=0,
        max_value=0.99,
        label="Another value of ε",
        help_text="Enter a value only if you have chosen “Another value of ε”.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    fewest_questions = forms.IntegerField(
        min_value=2,
        max_value=MOST_QUESTIONS,
        initial=FEWEST_QUESTIONS,
        label="Minimum questions per annotator",
        help_text="The test excludes annotators with fewer questions. With fewer than 30 questions, the p-values are "
        "less exact.",
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("annotators") == OTHER and data.get("epsilon") is None and "epsilon" not in self.errors:
            self.add_error("epsilon", "Enter a value of ε, or choose another kind of annotator.")
        return data

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the comparison from a valid form."""
        kind = self.cleaned_data["annotators"]
        epsilon = EPSILONS[kind] if kind != OTHER else self.cleaned_data["epsilon"]
        return {"epsilon": epsilon, "fewest_questions": self.cleaned_data["fewest_questions"]}
