"""The effect of the quality rule on *Settings* → *Quality*, with curves and a form for other rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from accord_core.numerics.gold_advice import share
from accord_core.numerics.intervals import Z_95
from accord_core.numerics.printed import with_noun
from annotate.data.selectors.design import gold_cover
from annotate.gold.forms import GoldRuleForm, initial_of
from annotate.gold.selectors.rule import current_rule, operating_figures
from annotate.models import Study
from annotate.templatetags.figures import count
from annotate.web.pages.charts import Chart, Table

IN_CHART = ("careful", "half-careless", "guesser")
PEOPLE = ("careful annotators", "annotators who guess half of their answers", "guessers")


def rule_context(study: Study, sent: QueryDict) -> dict[str, Any]:
    """Return the context for the template `gold/rule.html`. `sent` contains the query parameters, which can describe a
    different rule from the study's own. A study without gold questions has no figures.
    """
    cover = gold_cover(study)
    if not (cover.gold and cover.in_hit):
        return {}
    rule = current_rule(study, cover)
    is_sent = any(name in sent for name in GoldRuleForm.base_fields)
    form = GoldRuleForm({**initial_of(rule), **sent.dict()}) if is_sent else GoldRuleForm(initial=initial_of(rule))
    if is_sent and not form.is_valid():
        return {"rule_form": form, "rule_is_sent": True}
    shown = form.what_if if is_sent else rule
    figures = operating_figures(study, shown)
    charts = [] if figures["reason"] else [operating_chart(figures), stops_chart(figures)]
    tables = {} if figures["reason"] else {"kinds": kinds_table(figures), "minimums": minimums_table(figures)}
    if tables and figures["annotators"][0]["sprt"]:
        tables["sprt"] = sprt_table(figures)
    return {
        "rule_form": form,
        "rule_is_sent": is_sent,
        "rule": figures,
        "rule_summary": "" if figures["reason"] else summary(figures),
        "rule_tables": tables,
        "rule_charts": charts,
        "rule_is_current": shown == rule,
        "rule_accuracy": shown.accuracy,
    }


def summary(figures: Mapping[str, Any]) -> str:
    """Return the effect of the rule in one sentence."""
    by_name = {kind["name"]: kind for kind in figures["annotators"]}
    shares = (share(by_name[name]["stopped"]) for name in IN_CHART)
    careful, half, guessers = (f"{stopped} of {people}" for stopped, people in zip(shares, PEOPLE, strict=True))
    careful += f" (gold accuracy {share(by_name['careful']['accuracy'])})"
    answers = with_noun(figures["gold_answers"], "gold answer")
    return f"Within {answers}, the rule stops {careful}, {half}, and {guessers}."


def kinds_table(figures: Mapping[str, Any]) -> Table:
    """Return the table of the annotators that the rule stops, and of their judgements."""
    is_simulated = figures["simulated_annotators"]
    return Table(
        (
            "Annotator",
            "Gold accuracy",
            "Stopped",
            "Not stopped",
            "Judgements before a stop",
            "Judgements that count",
        ),
        [
            (
                kind["name"].capitalize(),
                share(kind["accuracy"]),
                share(kind["stopped"]) + (f" ± {share(kind['standard_error'])}" if is_simulated else ""),
                share(1 - kind["stopped"]),
                "–" if kind["judgements_discarded"] is None else count(round(kind["judgements_discarded"])),
                count(round(kind["judgements_left"])),
            )
            for kind in figures["annotators"]
        ],
    )


def minimums_table(figures: Mapping[str, Any]) -> Table:
    """Return a table with the smallest minimum for each number of gold questions per HIT."""
    return Table(
        (
            "Gold questions per HIT",
            "Gold answers",
            "Smallest minimum",
            "Careful stopped",
            "Careless not stopped",
            "Meets targets",
        ),
        [
            (
                count(each["gold_per_hit"]),
                count(each["gold_answers"]),
                count(each["minimum"]),
                share(each["false_stops"]),
                f"{share(each['survivors'])} ({each['survivor']})",
                "yes" if each["meets_targets"] else "no",
            )
            for each in figures["choices"]
        ],
    )


def sprt_table(figures: Mapping[str, Any]) -> Table:
    """Return the table that compares the rule with Wald's sequential test."""
    return Table(
        (
            "Annotator",
            "Stopped by the rule",
            "Gold answers under the rule",
            "Stopped by the test",
            "Accepted",
            "Undecided",
            "Gold answers in the test",
        ),
        [
            (
                kind["name"].capitalize(),
                share(kind["stopped"]),
                f"{kind['gold_answers']:.1f}",
                share(kind["sprt"]["stopped"]),
                share(kind["sprt"]["accepted"]),
                share(kind["sprt"]["undecided"]),
                f"{kind['sprt']['gold_answers']:.1f}",
            )
            for kind in figures["annotators"]
        ],
    )


def operating_chart(figures: Mapping[str, Any]) -> Chart:
    """Return the chart of the operating curve."""
    points = [
        {
            **point,
            "low": max(0.0, point["stopped"] - Z_95 * point["standard_error"]),
            "high": min(1.0, point["stopped"] + Z_95 * point["standard_error"]),
        }
        for point in figures["curve"]
    ]
    half, careful = (next(point for point in points if point["care"] == care) for care in (0.5, 1.0))
    return Chart(
        "operating-curve",
        "operating",
        "Operating curve",
        f"Probability that the rule stops an annotator, by share of careful answers: {share(half['stopped'])} for "
        f"half-careless annotators, {share(careful['stopped'])} for careful annotators",
        {"points": points, "falseStops": figures["false_stops"]},
        ("Careful answers", "Gold accuracy", "Probability of a stop"),
        [(share(each["care"]), share(each["accuracy"]), share(each["stopped"])) for each in points],
        "An annotator answers this share of the questions with care, and guesses the answers to the rest. The dashed "
        "line shows your target for careful annotators."
        + (" The band shows the 95% interval of the simulation." if figures["simulated_annotators"] else ""),
        axes=("Share of careful answers (%)", "Probability of a stop (%)"),
        explanation="operating_curve",
    )


def stops_chart(figures: Mapping[str, Any]) -> Chart:
    """Return the chart of stop probabilities by number of gold answers."""
    kinds = [kind for kind in figures["annotators"] if kind["name"] in IN_CHART]
    ends = ", ".join(f"{share(kind['stopped'])} ({kind['name']})" for kind in kinds)
    return Chart(
        "stops-by-gold-answers",
        "stops",
        "Stops by number of gold answers",
        f"Probability that the rule has stopped an annotator after {figures['gold_answers']:,} gold answers: {ends}",
        {"kinds": [{"name": kind["name"], "stopped_by": kind["stopped_by"]} for kind in kinds]},
        ("Gold answers", *(kind["name"].capitalize() for kind in kinds)),
        [
            (count(number), *(share(chance) for chance in chances))
            for number, chances in enumerate(zip(*(kind["stopped_by"] for kind in kinds), strict=True), start=1)
        ],
        "Each line shows what share of one kind of annotator the rule has stopped so far.",
        axes=("Gold answers of the annotator", "Stopped annotators (%)"),
        explanation="operating_curve",
    )
