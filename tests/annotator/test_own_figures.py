"""The figures in the header of the annotators' pages: earnings, submitted sets and results on check questions."""

import re

import pytest
from django.test import Client

from annotate.core.selectors.own_gold import own_counts
from annotate.models import Study
from tests.annotator.test_annotator_pages import come_in
from tests.factories import do_hit, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def figures(client: Client, study: Study) -> list[str]:
    page = markup(client.get(f"/s/{study.public_id}"))
    [shown] = re.findall(r'<div class="an-figures">(.*?)</div>', page)
    return re.findall(r"<p[^>]*>(.*?)</p>", shown)


@pytest.mark.nightly
def test_the_overview_shows_earnings_progress_and_results_once(client: Client) -> None:
    study = make_study(gold=6, gold_block=5, reward="0.50", rule_threshold="0")
    participation = come_in(client, study)
    assert figures(client, study) == ["$0.00 earned", "0 sets submitted"]
    do_hit(participation)
    result = '<a href="#own-results">1 of 1 check questions passed</a>'
    assert figures(client, study) == ["$0.50 earned", "1 set submitted", result]
    counts = own_counts(participation)
    assert counts is not None
    assert (counts.right, counts.graded) == (1, 1)


def test_a_study_without_pay_and_gold_shows_only_the_progress(client: Client) -> None:
    study = make_study(reward="0", gold_block=0)
    participation = come_in(client, study)
    do_hit(participation)
    assert figures(client, study) == ["1 set submitted"]
    assert own_counts(participation) is None
