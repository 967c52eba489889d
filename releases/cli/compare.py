"""The `accord compare` command, which compares a study with its repeats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.printed_tables import Cell, PrintedTable, table_in
from annotate.cli.options import format_options, print_result, resamples_option, seed_option
from annotate.cli.support import progress_line, study_named, with_django
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from releases.compare.runs import Run

Json = Any
LONGEST = 40  # characters of a setting in a table. JSON contains the whole value
SEVERAL = {"fleiss_kappa": "Fleiss’ κ", "krippendorff_alpha_nominal": "Krippendorff’s α"}


@click.command()
@click.argument("original", metavar="ORIGINAL")
@click.argument("repeats", metavar="REPEAT...", nargs=-1, required=True)
@click.option(
    "--draws",
    type=WholeRange(0),
    default=199,
    show_default=True,
    help="Number of simulated repeats for the prediction intervals. 0 turns off the predictions.",
)
@resamples_option("items or questions")
@seed_option
@format_options
def compare(
    original: str,
    repeats: Sequence[str],
    draws: int,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Compare ORIGINAL with one or more repeats of the same study.

    Each study is a release (a folder or a zip file) or the ID of a study of this installation. The prediction interval
    comes from the original alone: it contains the figure of a repeat with similar annotators with a probability of 95%.

    \b
    Examples:
        accord compare relatedness-1.0.zip repeat-1.0.zip
        accord compare relatedness-1.0.zip k3J m5P --format markdown
    """
    from releases.compare.comparison import comparison
    from releases.compare.runs import CannotCompare

    try:
        runs = [_run(name) for name in (original, *repeats)]
        with progress_line() as show:
            result = comparison(runs, resamples=resamples, draws=draws, seed=seed, progress=show)
    except CannotCompare as error:
        raise click.ClickException(str(error)) from error
    print_result(output_format, _figures(result), text=_text(result), figures=result)


def _run(name: str) -> Run:
    """Return a release, if the path exists, or else a study."""
    if Path(name).exists():
        return _release(name)
    return _study(name)


def _release(name: str) -> Run:
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    from releases.cli.release import files_of
    from releases.compare.runs import run_of_release

    return run_of_release(name, files_of(name))


@with_django
def _study(name: str) -> Run:
    from annotate.questions.selectors.data import study_data
    from releases.compare.runs import Run, checked

    study = study_named(name)
    return checked(Run(study.public_id, study_data(study)))


def _text(result: Mapping[str, Json]) -> Iterator[str]:
    yield f"{result['conclusion']}\n\n"
    for table in (_figures(result), _agreement(result), _matching(result), _settings(result)):
        if table.rows:
            yield from table_in(table, "text")
            yield "\n"


def _figures(result: Mapping[str, Json]) -> PrintedTable:
    """Return one row per figure and repeat, with the interval and the prediction."""
    names = [run["name"] for run in result["runs"][1:]]
    rows: list[list[Cell]] = [
        [name, outcome["name"], figure["label"], *(value[end] for end in ("value", "low", "high")), *_prediction(value)]
        for outcome in result["outcomes"]
        for figure in outcome["figures"]
        for name, value in zip(names, figure["repeats"], strict=True)
    ]
    columns = ["repeat", "result", "figure", "value", "low", "high", "predicted low", "predicted high", "place"]
    return PrintedTable(columns, rows, caption="Final results of each repeat and of the original", notes=_notes(result))


def _prediction(value: Mapping[str, Json]) -> list[Cell]:
    predicted = value["predicted"] or {"low": None, "high": None}
    return [predicted["low"], predicted["high"], value["place"]]


def _notes(result: Mapping[str, Json]) -> list[str]:
    notes: list[str] = []
    for outcome in result["outcomes"]:
        name, cv = outcome["name"], outcome.get("cv", {})
        if outcome["note"]:
            notes.append(outcome["note"])
        if cv.get("mean") is not None:
            notes.append(f"{name}: the mean CV* of {cv['items']:,} items is {cv['mean']:.1f}%.")
        notes += [
            f"{name}: {found['upheld']:,} of {found['findings']:,} item pairs have the same order in the repeat."
            for found in outcome.get("findings", ())
        ]
        values = {label: outcome.get("labels", {}).get(key, {}).get("value") for key, label in SEVERAL.items()}
        several = {label: each for label, each in values.items() if each is not None}
        notes += [f"{name}: {label} of all studies is {each:.3f}." for label, each in several.items()]
    if any(run["decisions"] for run in result["runs"]):
        notes.append("Decisions by researchers are not included.")
    return notes


def _agreement(result: Mapping[str, Json]) -> PrintedTable:
    runs = [run["name"] for run in result["runs"]]
    rows: list[list[Cell]] = []
    for figure in result["agreement"]:
        places = [("within", runs), ("between", [f"{runs[0]} and {name}" for name in runs[1:]])]
        for kind, names in places:
            for name, value in zip(names, figure[kind], strict=True):
                rows.append([figure["label"], f"{kind} {name}", value["value"], value["low"], value["high"]])
    variations = {figure["label"]: figure["cv"] for figure in result["agreement"]}
    notes = [f"CV* of {label}: {cv:.1f}%." for label, cv in variations.items() if cv is not None]
    return PrintedTable(
        ["figure", "annotators", "value", "low", "high"], rows, caption="Agreement between annotators", notes=notes
    )


def _matching(result: Mapping[str, Json]) -> PrintedTable:
    names = [run["name"] for run in result["runs"][1:]]
    columns = ["repeat", "shared items", "changed", "only in original", "only in repeat", "shared questions"]
    fields = ("items", "changed", "only_original", "only_repeat", "questions")
    rows = [[name, *(row[field] for field in fields)] for name, row in zip(names, result["matching"], strict=True)]
    return PrintedTable(columns, rows, caption="Matched by ID and contents")


def _settings(result: Mapping[str, Json]) -> PrintedTable:
    names = [run["name"] for run in result["runs"]]
    rows: list[list[Cell]] = [[row["setting"], *map(_short, row["values"])] for row in result["settings"]]
    return PrintedTable(["setting", *names], rows, caption="Settings that differ")


def _short(value: Json) -> str:
    text = " ".join(str("" if value is None else value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
