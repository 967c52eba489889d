"""The page that compares a study with a repeat of it (/console/<study>/x/compare/)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accord_core.numerics.printed import coefficient, interval
from annotate.core.selectors.jobs import jobs_with_reports
from annotate.toolkit import ConsoleForm, ConsoleRequest, Study, User
from annotate.web.pages.charts import Chart, Table
from releases.selectors.compare import KIND, comparable_studies, comparisons
from releases.selectors.recipe import setting_label
from releases.selectors.releases import repeat_report
from releases.services.compare import Uploaded, request_comparison

Json = Any
ROLES = [("repeat", "The other study repeats this study"), ("original", "This study repeats the other study")]
LONGEST = 80  # characters of a setting in the table
TABLE_ROWS = 200


class CompareForm(ConsoleForm):
    """The other study or a release, and which of the two studies is the original."""

    other = forms.ModelChoiceField(
        Study.objects.none(), required=False, label="Study", empty_label="None: upload a release"
    )
    file = forms.FileField(
        required=False,
        label="Release",
        help_text="The zip file of a release. Sealed releases need no key.",
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
    )
    role = forms.ChoiceField(choices=ROLES, label="Repeat")

    def __init__(self, *args: Any, study: Study, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        other = self.fields["other"]
        other.queryset = comparable_studies(study, user)  # type: ignore[attr-defined]
        other.label_from_instance = lambda each: each.title  # type: ignore[attr-defined]
        self.fields["role"].initial = "original" if repeat_report(study) else "repeat"
        self._dress()

    def clean_file(self) -> UploadedFile | None:
        file: UploadedFile | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > settings.LIMIT_UPLOAD_BYTES:
            raise forms.ValidationError(
                f"{file.name} has {file.size:,} bytes, but the maximum is {settings.LIMIT_UPLOAD_BYTES:,}. Use the "
                "command accord compare."
            )
        return file

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and (data.get("other") is None) == (data.get("file") is None):
            raise forms.ValidationError("Choose either a study or the zip file of a release.")
        return data

    def source(self) -> Study | Uploaded:
        data = self.cleaned_data
        other: Study | None = data["other"]
        return other if other is not None else Uploaded(data["file"].name, data["file"].read())


def compare(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the latest comparison and the form, or start a comparison."""
    form, status = CompareForm(study=study, user=request.user), 200
    if request.method == "POST":
        form, status = CompareForm(request.POST, request.FILES, study=study, user=request.user), 422
        if form.is_valid():
            with form.show_refusals():
                is_original = form.cleaned_data["role"] == "original"
                request_comparison(study, form.source(), is_original=is_original, user=request.user)
                return redirect(reverse("console:panel", args=[study.public_id, "compare"]))
    report = comparisons(study).first()
    context = {
        "study": study,
        "form": form,
        "job": jobs_with_reports(study).filter(kind=KIND).first(),
        "report": report,
        **(_shown(report.result) if report else {}),
    }
    return render(request, "releases/compare.html", context, status=status)


def _shown(result: Mapping[str, Json]) -> dict[str, Any]:
    matching = result["matching"][0]
    return {
        "result": result,
        "matching": matching,
        "figures": Table(("Figure", "Value", "95% interval", "Predicted", "Result"), list(_figures(result))),
        "agreement": Table(("Agreement", "Original", "Repeat", "Between them"), list(_agreement(result))),
        "measures": Table(("Measure", "Value"), list(_measures(result))),
        "settings": Table(("Setting", "Original", "Repeat"), list(_settings(result))),
        "charts": [chart for number, each in enumerate(result["outcomes"]) if (chart := _chart(number, each))],
    }


def _figures(result: Mapping[str, Json]) -> Iterator[tuple[str, ...]]:
    several = len(result["outcomes"]) > 1
    for outcome in result["outcomes"]:
        for figure in outcome["figures"]:
            (value,) = figure["repeats"]
            predicted = value["predicted"]
            yield (
                f"{outcome['name']}: {figure['label']}" if several else figure["label"],
                coefficient(value["value"]),
                _interval(value),
                _interval(predicted) if predicted else "–",
                value["place"] or value.get("reason", "no prediction"),
            )


def _agreement(result: Mapping[str, Json]) -> Iterator[tuple[str, ...]]:
    for figure in result["agreement"]:
        yield figure["label"], *(_with_interval(each) for each in (*figure["within"], *figure["between"]))


def _measures(result: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for figure in result["agreement"]:
        if figure["cv"] is not None:
            yield f"CV* of {figure['label']}", f"{figure['cv']:.1f}%"
    for outcome in result["outcomes"]:
        if outcome.get("cv", {}).get("mean") is not None:
            yield "Mean CV* of the items’ scores", f"{outcome['cv']['mean']:.1f}%"
        for found in outcome.get("findings", ()):
            yield "Item pairs in the same order", f"{found['upheld']:,} of {found['findings']:,}"
        alpha = outcome.get("labels", {}).get("krippendorff_alpha_nominal")
        if alpha:
            yield f"{outcome['name']}: Krippendorff’s α", _with_interval(alpha)


def _settings(result: Mapping[str, Json]) -> Iterator[tuple[str, ...]]:
    for row in result["settings"]:
        yield setting_label(row["setting"]), *(_short(value) for value in row["values"])


def _short(value: Json) -> str:
    text = " ".join(str("–" if value in (None, "") else value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _interval(figure: Mapping[str, Json]) -> str:
    return "–" if figure["low"] is None else interval(figure["low"], figure["high"])


def _with_interval(figure: Mapping[str, Json]) -> str:
    value = coefficient(figure["value"])
    return value if figure["low"] is None else f"{value} ({_interval(figure)})"


def _chart(number: int, outcome: Mapping[str, Json]) -> Chart | None:
    (points,) = outcome["points"]
    main = outcome["figures"][0]
    caption = f"{main['label']} {coefficient(main['repeats'][0]['value'])}"
    if "scores" in points:
        return Chart(
            f"compared-{number}",
            "scatter",
            "Scores in both studies",
            f"Scores of {len(points['scores']):,} items in the repeat against the original. {caption}",
            {"points": [{"item": key, "x": x, "y": y} for key, x, y in points["scores"]]},
            ("Item", "Original", "Repeat"),
            [(key, coefficient(x), coefficient(y)) for key, x, y in points["scores"][:TABLE_ROWS]],
            caption,
            axes=("Score in the original, from 0 to 1", "Score in the repeat, from 0 to 1"),
            explanation="compared_results",
        )
    if "labels" in points:
        rows = [(f"{one}, then {other}", units) for one, other, units in points["labels"][:TABLE_ROWS]]
        return _bars(number, f"{outcome['name']}: in the original, then in the repeat", rows, outcome, caption)
    edges = [f"{at / 10:.1f}–{(at + 1) / 10:.1f}" for at in range(len(points["annotations"]))]
    rows = list(zip(edges, points["annotations"], strict=True))
    return _bars(number, f"{main['label']} of both studies", rows, outcome, caption)


def _bars(number: int, title: str, rows: list[tuple[str, int]], outcome: Mapping[str, Json], caption: str) -> Chart:
    units = outcome["units"].capitalize()
    return Chart(
        f"compared-{number}",
        "bars",
        title,
        f"{title}: " + "; ".join(f"{name}: {count:,}" for name, count in rows[:12]),
        {"rows": [[name, f"{count:,}"] for name, count in rows]},
        (title, units),
        [(name, f"{count:,}") for name, count in rows],
        caption,
        axes=(title, units),
        explanation="compared_results",
    )
