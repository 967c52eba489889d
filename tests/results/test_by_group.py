"""Tests of the part of reports with figures by group: on the page, behind a link, in the API and in the JSON file."""

from __future__ import annotations

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.core.services.returns import withdraw
from annotate.models import Participation
from annotate.recruiting.services.groups import set_population
from annotate.results.selectors.exports import report_document
from annotate.results.services import make_report, share_report
from tests.console_study import browser_of, page_of
from tests.markup import markup
from tests.rules.test_batches import finished_with_all
from tests.rules.test_quotas import quota_study

pytestmark = [pytest.mark.django_db, pytest.mark.nightly]
TITLE = "Agreement by group"


def test_figures_by_group_are_shown_until_a_member_of_a_batch_withdraws() -> None:
    study, groups = quota_study({"Learners": 5, "Teachers": 5}, hits_per_annotator=4)
    for group, population in zip(groups, (70, 30), strict=True):
        finished_with_all(study, group, 5)
        set_population(study.pk, group.public_id, population, user=SYSTEM)
    report = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    owner = study.members.get()
    browser, page = browser_of(study), page_of(study, f"results/{report.number}/")
    _, token = share_report(report.pk, days=7, user=owner)
    _, key = new_api_token(owner, "all")
    api = Client(headers={"Authorization": f"Token {key}"})

    address = f"/api/v1/studies/{study.public_id}/reports/results/{report.number}"

    def shown() -> list[bool]:
        return [
            TITLE in markup(browser.get(page)),
            TITLE in markup(Client().get(f"/shared/{token}/")),
            api.get(address).json()["by_group"] is not None,
            "by_group" in report_document(report),
        ]

    assert shown() == [True] * 4
    text = markup(browser.get(page))
    for expected in ("Learners", "Teachers", "All groups, weighted", "Best item", "Worst item", "Raw agreement"):
        assert expected in text
    assert "Cohen" not in text[text.index(TITLE) : text.index("generalise to other annotators")]
    withdraw(Participation.objects.filter(study=study, group=groups[0]).earliest("pk").pk, keep_answers=True)
    assert shown() == [False] * 4


def test_a_study_without_groups_has_no_such_part() -> None:
    study, _groups = quota_study({"Learners": 1})
    report = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    assert report.by_group is None
    assert TITLE not in markup(browser_of(study).get(page_of(study, f"results/{report.number}/")))
