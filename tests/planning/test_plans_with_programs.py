"""Plans of studies in which people answer a random part of the questions, and a program answers all."""

from __future__ import annotations

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.models import Study
from annotate.planning.selectors.estimates import estimate_parameters
from annotate.planning.selectors.plans import plan_jobs
from annotate.planning.services.plans import planning_of, request_plan
from tests.console_study import browser_of, page_of
from tests.markup import markup
from tests.paraphrasing import item_rows, paraphrase_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]


def draft(share: float) -> Study:
    rows = item_rows([f"word{number}" for number in range(40)])  # 80 sentences
    return paraphrase_study(rows=rows, quality=0, judgements=2, options={"people_share": share}, state="draft")


def test_set_up_plans_the_questions_of_people_and_says_what_a_program_is_worth() -> None:
    study = draft(25)
    parameters = estimate_parameters(study, planning_of(study), study.memberships.get(role="owner").user)
    assert parameters["items"] == 20
    request_plan(study, parameters, user=SYSTEM)
    jobs.run(plan_jobs(study)[0].pk)
    page = markup(browser_of(study).get(page_of(study)))
    # 80 · .25/(1 − .6² · .8 · .75), and with .8²
    assert "People answer about 20 of 80 items, and a program answers all." in page
    assert "as precise as with 25 or 32 items answered by people alone" in page
    whole = draft(100)
    assert "a program answers all" not in markup(browser_of(whole).get(page_of(whole)))
