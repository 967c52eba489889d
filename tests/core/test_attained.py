"""Tests of the figures with targets: the progress reports and results reports of the task types contain them."""

from __future__ import annotations

import pytest

from accord_core.numerics.still_needed import still_needed
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.questions.selectors.data import study_data
from annotate.tasktypes import Columns, Headline, ReportResult
from tests.alignment_ui.chunks.test_combined_annotations import study as chunk_study
from tests.alignment_ui.words.test_pilot import study_of as word_study_of
from tests.chunk_annotators import simulated
from tests.layout_study import layout_study
from tests.paraphrase.test_pilot import columns_of

BATCH = "text,place\n" + "".join(f"Sentence {n},Town {n}\n" for n in range(12))


def report(slug: str, kind: str, columns: Columns) -> Headline:
    result: ReportResult = tasktypes.get(slug).reports.kinds[kind](columns, {}, 1, lambda share, text: None)
    assert result.headline is not None
    return result.headline


def check(slug: str, columns: Columns) -> Headline:
    """Check the figures with targets, and that both kinds of report contain exactly the same main figure."""
    headline = report(slug, "progress", columns)
    assert report(slug, "results", columns) == headline
    figures = tasktypes.get(slug).reports.targets
    assert [(each.figure, each.kind) for each in headline.attained] == [(each.name, each.kind) for each in figures]
    for attained, figure in zip(headline.attained, figures, strict=True):
        assert attained.low < attained.value < attained.high
        assert still_needed(attained, figure.usual).judgements is not None
    assert Headline.from_json(headline.as_json()).attained == headline.attained
    return headline


def test_paraphrase_reports_contain_the_reliability_of_three_votes() -> None:
    headline = check("paraphrase", columns_of())
    kappa = headline.high
    assert kappa is not None
    assert headline.attained[0].value == pytest.approx(3 * kappa / (1 + 2 * kappa))


def test_word_alignment_reports_contain_the_width_of_an_interval() -> None:
    headline = check("words", tasktypes.get("words").reports.columns(word_study_of(12)))
    assert headline.attained[0].size == 12  # the pairs with a second annotation


def test_chunk_alignment_reports_contain_the_width_of_an_interval() -> None:
    data = chunk_study(*simulated(14, seed=8), gold=0)
    headline = check("chunks", tasktypes.get("chunks").reports.columns(data))
    assert headline.attained[0].size == 2 * 14


@pytest.mark.nightly
@pytest.mark.django_db
def test_layout_reports_contain_the_reliability_of_all_annotators() -> None:
    study = layout_study(batch=BATCH, judgements=4)
    simulate(study, user=SYSTEM, annotators=4)
    columns = tasktypes.get("layout").reports.columns(study_data(study))
    headline = report("layout", "progress", columns)
    assert report("layout", "results", columns) == headline
    assert [attained.size for attained in headline.attained] == [48]
