"""The page that samples pairs from a file of sentences for a best–worst study.

The page stores the pairs as an item file, shows the word overlap of the pairs, and previews the item file like any
other item file. The study does not change until the researcher imports the item file.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.extras import MissingExtraError
from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits
from accord_core.numerics.printed import coefficient, count
from annotate.toolkit import Chart, ConsoleRequest, Refused, Study, TextFilesForm, Upload, read_bounded, receive
from bws.features import LABELS
from bws.sampling.files import sample_files
from bws.sampling.pairs import Sample
from bws.sampling.report import Report
from bws.sampling.request import MEASURES, Request, RequestError, read_edges, read_quotas, window_of

FAULTS_SHOWN = 100
PAIRS_SHOWN = 5
PAIRS_AT_ONCE = 20_000
STRATEGIES = {  # short enough for a select on a phone
    "overlap": "Overlap: pairs that share words",
    "buckets": "Buckets: mostly high overlap",
    "match": "Match: same value in a column",
    "random": "Random: any two sentences",
    "paraphrase": "Paraphrase: some existing pairs",
    "bins": "Bins: existing pairs by score",
}
MAIN = ("sentences", "split", "strategy", "pairs", "seed")
# The form fields whose names differ from the attributes of `Request`.
FIELDS = {"window": "low", "words": "shortest"}

MEASURE_NAMES = {
    "overlap": "Words in common, as a share of the first sentence",
    "dice": LABELS["dice"],
    "idf-dice": LABELS["idf_dice"],
}


class SamplingForm(TextFilesForm):
    sentences = forms.FileField(
        label="Sentences",
        help_text="A table with a column “text”, a table of pairs with the columns “sentence1” and “sentence2”, or "
        "a list with one sentence per line.",
    )
    split = forms.BooleanField(
        required=False,
        label="Split texts into sentences",
        help_text="Select this option if the file contains running text. In plain text, blank lines separate "
        "paragraphs. The length limits then count tokens, including punctuation marks.",
    )
    strategy = forms.ChoiceField(
        choices=list(STRATEGIES.items()),
        label="Method",
        help_text="Overlap samples pairs that share a quarter to three quarters of their words. Buckets samples more "
        "pairs with high overlap than with low overlap. Paraphrase draws a random sample of existing pairs, and Bins "
        "spreads existing pairs over the bins of a score.",
    )
    pairs = forms.IntegerField(
        min_value=1,
        max_value=PAIRS_AT_ONCE,
        required=False,
        initial=500,
        label="Pairs",
        help_text="The number of pairs to sample per group. Leave this field empty if quotas define the number of "
        "pairs for every group.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**53,
        initial=1,
        label="Seed",
        help_text="The same seed always produces the same sample of pairs.",
    )
    quotas = forms.CharField(
        required=False,
        max_length=5_000,
        label="Quotas",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Enter one quota per line, such as wiki=500 for a group or for+against=250 for a kind of pair.",
    )
    within = forms.CharField(
        required=False,
        max_length=500,
        label="Groups",
        help_text="Names of the columns that divide the sentences into groups, separated by commas. The default is "
        "“source” and “subset”, if the file has these columns.",
    )
    shortest = forms.IntegerField(min_value=1, max_value=1_000, initial=5, label="Minimum sentence length in words")
    longest = forms.IntegerField(min_value=1, max_value=1_000, initial=25, label="Maximum sentence length in words")
    low = forms.FloatField(
        min_value=0,
        required=False,
        label="Minimum share of shared words",
        help_text="The minimum is a fraction of the number of words in the first sentence. The default minimum for "
        "the method “Overlap” is .25.",
    )
    high = forms.FloatField(
        min_value=0,
        required=False,
        label="Upper limit of the share of shared words",
        help_text="The proportion of shared words must be below this limit. The default upper limit for the "
        "method “Overlap” is .75.",
    )
    length_difference = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        label="Maximum difference in length",
        help_text="The difference is expressed as a fraction of the longer sentence’s length. The default for the "
        "method “Overlap” is .25.",
    )
    measure = forms.ChoiceField(
        choices=[("", "Default of the method"), *((each, MEASURE_NAMES[each]) for each in MEASURES)],
        required=False,
        label="Measure",
        help_text="The similarity measure for the buckets and for the chart.",
    )
    buckets = forms.IntegerField(
        min_value=1,
        max_value=1_000,
        required=False,
        label="Buckets or bins",
        help_text="Leave this field empty to use the default of 50 buckets or 5 bins.",
    )
    base = forms.FloatField(
        min_value=0.01,
        max_value=100,
        initial=1.1,
        label="Base",
        help_text="The ratio between the numbers of pairs in neighbouring buckets. With a ratio of 1, all buckets have "
        "the same number of pairs.",
    )
    match = forms.CharField(
        required=False,
        max_length=200,
        label="Match",
        help_text="The column in which both sentences must have the same value, such as “target”.",
    )
    kinds = forms.CharField(
        required=False,
        max_length=200,
        label="Kinds",
        help_text="The column that defines the quotas for the “Match” method, for example “stance”.",
    )
    score = forms.CharField(
        required=False, max_length=200, label="Score", help_text="The column with the score for the “Bins” method."
    )
    edges = forms.CharField(
        required=False,
        max_length=500,
        label="Bounds of bins",
        help_text="For example 0,1,2,3. A bin contains its upper bound. If this field is empty, all bins have the same "
        "width.",
    )
    synonyms = forms.FileField(
        required=False,
        label="Synonyms",
        help_text="Enter one word and its replacement per line. Replacements are used only to compare words.",
    )
    reuse = forms.BooleanField(required=False, label="Allow a sentence in several pairs")


def sampling_panel(request: ConsoleRequest, study: Study) -> HttpResponse:
    context: dict[str, Any] = {"study": study, "at_once": settings.ROWS_AT_ONCE * 10}
    form, status = SamplingForm(), 200
    if request.method == "POST":
        form = SamplingForm(request.POST, request.FILES)
        sample_context = _sample_context(study, form, request) if form.is_valid() else None
        if sample_context is None:
            # htmx does not show responses with an error status.
            status = 200 if request.htmx else 422  # type: ignore[attr-defined]
        else:
            context |= sample_context
    context |= {
        "form": form,
        "main": [form[name] for name in MAIN],
        "more": [f for f in form if f.name not in MAIN],
        "wrong": [(_place(form, name), error) for name, errors in form.errors.items() for error in errors],
    }
    return render(request, "bws/sampling.html", context, status=status)


def _place(form: SamplingForm, name: str) -> str:
    """Return where the field with an error is, or an empty string if the error concerns the whole form."""
    if name not in form.fields:
        return ""
    return f"{form[name].label}{'' if name in MAIN else ' (Advanced settings)'}"


def _sample_context(study: Study, form: SamplingForm, request: ConsoleRequest) -> dict[str, Any] | None:
    """Return the displayed data about a sample, or None if sampling fails. If sampling fails, `form` contains the
    reason.
    """
    try:
        sample = _sample(form)
        if not sample.rows:
            return {"report": sample.report, "upload": None}
        upload = _keep(study, form, sample, request)
    except TableError as error:
        for fault in error.faults[:FAULTS_SHOWN]:
            form.add_error(None, f"{error.name}, {fault}" if fault.line else f"{error.name}: {fault}")
        if len(error.faults) > FAULTS_SHOWN:
            form.add_error(None, f"and {len(error.faults) - FAULTS_SHOWN:,} more")
    except MissingExtraError as error:
        form.add_error("split", f"{error}")
    except RequestError as error:
        field = FIELDS.get(error.field, error.field)
        form.add_error(field, f"{str(error)[:1].upper()}{str(error)[1:]}.")
    except Refused as refusal:
        form.refuse(refusal)
    else:
        shown = [dict(zip(sample.columns, row, strict=True)) for row in sample.rows[:PAIRS_SHOWN]]
        return {
            "report": sample.report,
            "upload": upload,
            "chart": overlap_chart(sample.report),
            "shown": shown,
            "without_partner": sum((group.tried or group.sampled) - group.sampled for group in sample.report.groups),
        }
    return None


def _sample(form: SamplingForm) -> Sample:
    cleaned = form.cleaned_data
    request = Request(
        **{name: cleaned[name] for name in ("strategy", "pairs", "base", "match", "kinds", "score", "reuse", "seed")},
        quotas=read_quotas(cleaned["quotas"].splitlines()),
        within=tuple(column.strip() for column in cleaned["within"].split(",") if column.strip()) or None,
        words=(cleaned["shortest"], cleaned["longest"]),
        window=window_of(cleaned["strategy"], cleaned["low"], cleaned["high"], cleaned["length_difference"]),
        measure=cleaned["measure"] or None,
        buckets=cleaned["buckets"],
        edges=read_edges(cleaned["edges"]),
    )
    limit = settings.ROWS_AT_ONCE * 10
    name, data = cleaned["sentences"].name, cleaned["sentences"].read()
    if data.count(b"\n") > limit + 1:  # before anything is read
        raise TableError.of_file(
            name, f"the file has more than {limit:,} lines. Sample it with accord sample pairs, then import the items"
        )
    synonyms = cleaned["synonyms"]
    others = (synonyms.name, synonyms.read()) if synonyms else None
    return read_bounded(
        name,
        len(data) + (len(others[1]) if others else 0),
        sample_files,
        (name, data),
        others,
        request,
        Limits(rows=limit, cell=settings.LIMIT_CELL),
        split=cleaned["split"],
    )


def _keep(study: Study, form: SamplingForm, sample: Sample, request: ConsoleRequest) -> Upload:
    cleaned = form.cleaned_data
    stem = cleaned["sentences"].name.rpartition(".")[0] or cleaned["sentences"].name
    data = "".join(write_csv(sample.rows, sample.columns)).encode()
    name = f"{stem}-{cleaned['strategy']}-{cleaned['seed']}.csv"
    return receive(study, purpose=Upload.Purpose.ITEMS, filename=name, data=data, user=request.user)


def overlap_chart(report: Report) -> Chart:
    """Return the word overlap of the sampled pairs, compared with the requested buckets and with random pairs."""
    bins, name = report.as_dict()["histogram"], MEASURE_NAMES[report.measure]
    median = report.median or 0.0
    has_requests = any(b["requested"] is not None for b in bins)
    others = "pairs of the file" if report.of_pairs else "random pairs of these sentences"
    line = " The line across each bar shows the requested number of pairs." if has_requests else ""
    return Chart(
        "overlap",
        "overlap",
        name,
        f"{name}: histogram of {report.sampled:,} pairs and of {others}, median {coefficient(median)}",
        {"bins": bins, "median": median},
        ("From", "To", "Pairs", *(["Requested"] if has_requests else []), "At random"),
        [
            (
                coefficient(b["from"], 2),
                coefficient(b["to"], 2),
                count(b["pairs"]),
                *([f"{b['requested']:.1f}"] if has_requests else []),
                f"{b['at_random']:.1f}",
            )
            for b in bins
        ],
        f"The dashed line shows the same number of {others}.{line}",
        (("bar0", "sampled pairs"), ("open", "random pairs")),
        axes=(name, "Pairs"),
        explanation="overlap",
    )
