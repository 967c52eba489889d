"""Adaptive rounds of word alignment studies: which pairs get a further alignment, and how reports use it."""

from __future__ import annotations

from typing import Any

import pytest

from accord_core.exchange.arrays import unpack
from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words.adaptive import disputed_links
from alignment_ui.words.columns import collected as unpacked
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import round_parameters, rounds_of
from annotate.data.services.rounds import add_round
from annotate.models import Report, Study
from annotate.results.services import make_report, recompute
from tests.word_study import collected, truth

QUICK = {"resamples": 10, "samples": 2}


def report_on(study: Study, kind: str, **parameters: Any) -> Report:
    return make_report(study.pk, kind=kind, parameters=parameters, user=SYSTEM, progress=lambda share, text: None)


def choose(study: Study, questions: int) -> Report:
    study = Study.objects.select_related("design").get(pk=study.pk)
    return report_on(study, "round", **round_parameters(study, questions))


@pytest.mark.parametrize(
    ("drawn", "disputed"),
    [
        ([[(0, 0)], [(0, 0)]], 0),
        ([[(0, 0), (1, 1)], [(0, 0)]], 1),
        ([[(0, 0), (1, 1)], [(0, 0), (2, 2)], [(0, 0), (2, 2)]], 2),
        ([[(0, 0)]], 0),
    ],
)
def test_disputed_links_are_answers_that_differ_from_the_majority(drawn: Any, disputed: int) -> None:
    assert disputed_links([Alignment.of(links) for links in drawn]) == disputed


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_third_annotator_aligns_the_most_disputed_pairs_and_agreement_keeps_the_design() -> None:
    study = collected(annotators=2, gold=False, options={"prealign": "none"})
    before = report_on(study, "results", **QUICK)
    report = choose(study, 3)
    inputs = unpacked(unpack(bytes(report.input)))
    disputed = {
        inputs.pairs[place].ref: disputed_links([answer.alignment for answer in answers])
        for place, answers in inputs.answers.items()
    }
    largest = sorted(disputed.values(), reverse=True)[:3]
    assert sorted((disputed[ref] for ref in report.result["again"]), reverse=True) == largest
    assert report.result["judgements_each"] == 1
    assert recompute(report) == report.result

    add_round(study.pk, report.number, user=SYSTEM)
    simulate(study, user=SYSTEM, annotators=1, careless=0, seed=9, truth=truth())
    assert [(row.questions, row.judgements) for row in rounds_of(study)] == [(3, 3)]
    after = report_on(study, "results", **QUICK)
    assert after.result["rounds"] == [
        {"round": 0, "judgements": before.result["judgements"]},
        {"round": 1, "judgements": 3},
    ]
    assert after.result["words"] == before.result["words"]
    assert after.result["headline"] == before.result["headline"]
    columns = unpack(bytes(after.input))
    assert max(len(answers) for answers in unpacked(columns).answers.values()) == 3
