"""Settings of fair treatment in the console: contact, pay, skips and breaks, and what the consent text promises."""

import pytest
from django.test import Client

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.setting_steps import BY_SLUG, setting_place
from annotate.models import Study
from annotate.studies.forms.study import StudyForm, fingerprint
from annotate.studies.services.settings import change_settings, write_consent
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(state="draft", reward="0.50", consent="We pay for every set.", pay_stopped=False)


def save(client: Client, study: Study, step: str, **changes: str):
    task, page = tasktypes.get(study.task_type), BY_SLUG[step]
    form = StudyForm(task=task, study=study, step=page)
    values = {name: form[name].value() for name in form.fields if not form.fields[name].disabled}
    values = {name: value for name, value in values.items() if value is not None and value is not False}
    sent = {**values, "seen": fingerprint(study, task, page), **changes}
    return client.post(page_of(study, f"settings/{step}/"), sent, follow=True)


@pytest.mark.nightly
def test_contact_pay_skips_and_breaks_are_saved(study: Study) -> None:
    client = browser_of(study)
    save(client, study, "texts", contact="M, m@example.org")
    save(client, study, "pay", payment_terms="Weekly.")
    change_settings(study.pk, break_minutes=45, gold_skips_allowed=0, user=SYSTEM)
    study.refresh_from_db()
    save(client, study, "task", skips_allowed="on")
    study.refresh_from_db()
    assert (study.contact, study.payment_terms, study.skips_allowed) == ("M, m@example.org", "Weekly.", True)
    assert (study.gold_skips_allowed, study.break_minutes) == (0, 45)
    page = markup(save(client, study, "task", break_minutes="2"))
    assert "greater than or equal to 5" in page


@pytest.mark.nightly
def test_the_promise_is_stored_with_the_text_and_a_contradiction_shows_its_way_out(study: Study) -> None:
    client = browser_of(study)
    page = markup(save(client, study, "texts", consent_pays_stopped="yes"))
    assert list(study.consents.values_list("version", "pays_stopped")) == [(1, None), (2, True)]
    assert "The consent text promises payment to stopped annotators for the HIT in progress" in page
    assert f'href="{page_of(study, setting_place("consent_pays_stopped"))}"' in page
    assert f'href="{page_of(study, setting_place("pay_stopped"))}"' in page
    setup = markup(client.get(page_of(study)))
    assert "The consent text promises payment" in setup
    assert f'href="{page_of(study, "settings/texts/#id_consent_pays_stopped")}"' in setup
    save(client, study, "texts", pay_stopped="on")
    study.refresh_from_db()
    for place in ("settings/", ""):
        assert "The consent text promises payment" not in markup(client.get(page_of(study, place)))
    assert study.consents.count() == 2, "saving the same answer again stores no version"


@pytest.mark.nightly
def test_a_new_promise_and_the_setting_are_saved_together(study: Study) -> None:
    client = browser_of(study)
    Study.objects.filter(pk=study.pk).update(state="open")
    study.refresh_from_db()
    make_annotator(study)
    assert "does not mention this payment" in markup(save(client, study, "texts", pay_stopped="on"))
    save(client, study, "texts", pay_stopped="on", consent_pays_stopped="yes")
    study.refresh_from_db()
    assert study.pay_stopped
    assert [consent.pays_stopped for consent in study.consents.order_by("version")] == [None, True]


def test_a_removed_text_promises_nothing(study: Study) -> None:
    owner = study.memberships.get().user
    write_consent(study.pk, "", user=owner, pays_stopped=True)
    write_consent(study.pk, " ", user=owner, pays_stopped=False)
    assert list(study.consents.values_list("text", "pays_stopped")) == [("We pay for every set.", None), ("", None)]
