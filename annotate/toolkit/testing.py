"""Helpers for the tests of a task type's package: a study from its files to its results.

The tests run with pytest-django and `DJANGO_SETTINGS_MODULE=annotate.settings`, and need a database
(`pytest.mark.django_db`). Each helper uses the same services as the pages and the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core import signing
from django.test import Client
from django.urls import reverse

from annotate.accounts.services import create_account
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Annotator, Assignment, Participation, Report, Study
from annotate.recruiting.services.join import accept_consent, join
from annotate.results.selectors.downloads import write_export
from annotate.results.services import make_report
from annotate.studies.services.study import create_study, open_study
from annotate.tasktypes import RESULTS

OK = 200
OWNER = "owner@example.org"


def opened_study(task_type: str, items: bytes, gold: bytes = b"", *, name: str = "items.csv", **settings: Any) -> Study:
    """Import an item file called `name` and a gold file in CSV, and open the study. `settings` are the arguments of
    `create_study`, such as `options` and `language`. Without a gold file, the study has no quality rule. Raises
    `Refused` with the errors in a file.
    """
    user = create_account(OWNER)
    rule: dict[str, Any] = {} if gold else {"gold_block": 0, "rule_threshold": 0}
    texts = {"privacy_notice": "No personal data is stored.", "contact": f"The owner, {OWNER}"}
    study = create_study(user=user, title=task_type, task_type=task_type, **(texts | {"seed": 1} | rule | settings))
    import_file(study, purpose="items", filename=name, data=items, user=user)
    if gold:
        import_file(study, purpose="gold", filename="gold.csv", data=gold, user=user)
    build_design(study.pk, user=user)
    return open_study(study.pk, user=user)


def answer_all(study: Study, truth: Mapping[str, Any], *, annotators: int = 3, seed: int = 1) -> int:
    """Let simulated annotators answer all HITs, and return the number of HITs. `truth` maps items to their true values,
    as in `TaskType.simulate`.
    """
    return simulate(study, user=SYSTEM, annotators=annotators, truth=truth, seed=seed).hits


def results_of(study: Study, **parameters: Any) -> Report:
    """Calculate and return a report of kind `results`."""
    return make_report(study.pk, kind=RESULTS, parameters=parameters, user=SYSTEM, progress=lambda share, message: None)


def download(study: Study, filename: str) -> bytes:
    """Return the contents of one of the task type's downloads."""
    return b"".join(write_export(study, filename)[1])


def console_page(study: Study, path: str = "") -> str:
    """Return the HTML of a console page of the study, such as `results/1/`, as its owner sees the page."""
    client = Client()
    client.force_login(study.memberships.get().user)
    return _html(client, reverse("console:overview", args=[study.public_id]) + path)


def new_annotator(study: Study) -> Participation:
    """Add an annotator who has accepted the consent text."""
    participation = join(study, platform=Annotator.Platform.WEB)
    consent = study.consents.order_by("-version").first()
    accept_consent(participation.pk, consent.pk if consent else None, eligible=True)
    return participation


def claimed(participation: Participation) -> Assignment:
    """Claim a HIT for the annotator. Raises AssertionError if there is none."""
    assignment = claim(participation.pk).assignment
    if assignment is None:
        raise AssertionError("There is no HIT for this annotator.")
    return assignment


def work_page(assignment: Assignment) -> str:
    """Return the HTML of the page on which the annotator answers the HIT, in the language of the study."""
    participation = assignment.participation
    client = Client()
    name = f"accord-{participation.study.public_id}"
    client.cookies[name] = signing.get_cookie_signer(salt=name + "participation").sign(participation.public_id)
    return _html(client, f"/a/{assignment.public_id}")


def _html(client: Client, url: str) -> str:
    response = client.get(url)
    if response.status_code != OK:
        raise AssertionError(f"{url} returned the status {response.status_code}.")
    return response.content.decode()
