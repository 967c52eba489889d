"""Tests of the annotators' pages without a browser: joining a study, navigation, and resuming on another device."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date
from decimal import Decimal

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.selectors.participations import has_consented
from annotate.core.services.answer import save_draft
from annotate.core.services.claim import claim
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.models import Assignment, Consent, Participation, Study
from annotate.pay.services import Due, record_payment
from annotate.recruiting.services.join import issue_resume_code, start_tryout
from annotate.studies.services.settings import write_consent
from annotate.web.markdown import first_paragraph, safe_html
from tests.factories import UserFactory, answers_to, do_hit, make_annotator, make_study, member_of, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


def come_in(client: Client, study: Study, **fields: str) -> Participation:
    """Join through the study's link, as the form does."""
    consent = study.consents.order_by("-version").first()
    sent = {"agree": "yes", "eligible": "yes", "consent": str(consent.version) if consent else ""} | fields
    response = client.post(f"/join/{study.join_token}", sent)
    assert response.status_code == 302, markup(response)
    assert response["Location"] == f"/s/{study.public_id}"
    return Participation.objects.latest("pk")


@pytest.mark.nightly
def test_joining_keeps_which_consent_was_given(client: Client) -> None:
    study = make_study(consent="First wording.", eligibility="I am 18 or older.")
    invitation = markup(client.get(f"/join/{study.join_token}"))
    assert "First wording." in invitation
    assert "I am 18 or older." in invitation
    participation = come_in(client, study)
    assert participation.consent == study.consents.get()
    assert participation.declared_eligible
    assert participation.consented_at is not None


@pytest.mark.parametrize("missing", ["agree", "eligible"])
def test_nobody_takes_part_without_consent_and_declaration(client: Client, missing: str) -> None:
    study = make_study(consent="Text.", eligibility="I am 18 or older.")
    sent = {"agree": "yes", "eligible": "yes", "consent": str(study.consents.get().version)}
    del sent[missing]
    response = client.post(f"/join/{study.join_token}", sent)
    assert response.status_code == 400
    assert 'role="alert"' in markup(response)
    assert not Participation.objects.exists()


def test_a_consent_text_that_changed_while_reading_is_shown_anew(client: Client) -> None:
    study = make_study(consent="Old.")
    stale = study.consents.get()
    write_consent(study.pk, "New.", user=study.members.get())
    response = client.post(f"/join/{study.join_token}", {"agree": "yes", "consent": str(stale.version)})
    assert response.status_code == 409
    assert "New." in markup(response)
    assert not Participation.objects.exists()


@pytest.mark.nightly
def test_a_new_wording_is_asked_for_on_the_overview_which_still_shows_pay_and_pseudonym(client: Client) -> None:
    study = make_study(consent="Old.", eligibility="I am 18 or older.")
    participation = come_in(client, study)
    do_hit(participation)
    write_consent(study.pk, "New.", user=study.members.get())
    page = f"/s/{study.public_id}"
    html = markup(client.get(page))
    assert all(text in html for text in ("has changed", "New.", "$0.50", participation.pseudonym))
    assert f'action="{page}/start"' not in html
    stale = client.post(f"{page}/consent", {"agree": "yes", "eligible": "yes", "consent": "1"})
    assert (stale.status_code, client.post(f"{page}/consent", {"consent": "2"}).status_code) == (409, 400)
    assert 'role="alert"' in markup(stale)
    assert client.post(f"/join/{study.join_token}", {})["Location"] == page, "the join page is for new annotators"
    accepted = client.post(f"{page}/consent", {"agree": "yes", "eligible": "yes", "consent": "2"})
    assert accepted["Location"] == page
    participation.refresh_from_db()
    assert participation.consent == Consent.objects.get(version=2)
    assert f'action="{page}/start"' in markup(client.get(page))


def test_the_link_leads_who_has_joined_to_their_overview(client: Client) -> None:
    study = make_study()
    come_in(client, study)
    assert client.get(f"/join/{study.join_token}")["Location"] == f"/s/{study.public_id}"


@pytest.mark.nightly
def test_a_study_for_accounts_asks_to_sign_in_first(client: Client) -> None:
    study = make_study(admission=Study.Admission.ACCOUNT)
    response = client.get(f"/join/{study.join_token}?PROLIFIC_PID=5f1a")
    assert response["Location"].startswith("/accounts/login/?next=/join/")
    user = UserFactory()
    client.force_login(user)
    participation = come_in(client, study, PROLIFIC_PID="5f1a")
    assert participation.annotator.platform == "account"
    assert participation.annotator.external_id == str(user.pk)


@pytest.mark.nightly
@pytest.mark.parametrize(("state", "status"), [("draft", 403), ("paused", 403), ("closed", 403), ("archived", 409)])
def test_nobody_new_comes_into_a_study_that_is_not_open(client: Client, state: str, status: int) -> None:
    study = make_study(state=state)
    assert "<form" not in markup(client.get(f"/join/{study.join_token}"))
    assert client.post(f"/join/{study.join_token}", {}).status_code == status
    assert not Participation.objects.exists()


@pytest.mark.nightly
def test_strangers_are_told_the_same_as_of_nothing(client: Client) -> None:
    study = make_study()
    owner, stranger = Client(), Client()
    come_in(owner, study)
    come_in(stranger, make_study())
    work = owner.post(f"/s/{study.public_id}/start")["Location"]
    assert owner.get(work).status_code == 200
    for path in (f"/s/{study.public_id}", work, "/a/none", "/s/none", "/join/none"):
        response = stranger.get(path)
        assert response.status_code == 404, path
        assert "enter your resume code" in markup(response)
        assert study.title not in markup(response)
    assert stranger.post(f"/s/{study.public_id}/start").status_code == 404
    assert stranger.post(f"/s/{study.public_id}/code").status_code == 404


def test_another_annotator_of_the_same_study_is_a_stranger_too() -> None:
    study = make_study()
    one, other = Client(), Client()
    come_in(one, study)
    come_in(other, study)
    assert other.get(one.post(f"/s/{study.public_id}/start")["Location"]).status_code == 404


def test_a_cookie_that_was_tampered_with_counts_for_nothing(client: Client) -> None:
    study = make_study()
    participation, other = come_in(client, study), make_annotator(study)
    name = f"accord-{study.public_id}"
    client.cookies[name] = client.cookies[name].value.replace(participation.public_id, other.public_id, 1)
    assert client.get(f"/s/{study.public_id}").status_code == 404


def test_the_cookie_of_one_study_opens_no_other(client: Client) -> None:
    one, other = make_study(), make_study()
    come_in(client, one)
    client.cookies[f"accord-{other.public_id}"] = client.cookies[f"accord-{one.public_id}"].value
    assert client.get(f"/s/{other.public_id}").status_code == 404


def test_the_page_gives_no_gold_away(client: Client) -> None:
    study = make_study(gold=4, gold_block=5)
    come_in(client, study)
    html = markup(client.get(client.post(f"/s/{study.public_id}/start")["Location"]))
    assert not re.search(r'"(gold|kind)": ?"gold|Because of|gold-\d|"i\d+"', html)
    assert "worst" not in html.split('id="assignment"')[1]


def test_a_set_that_is_handed_in_leads_to_the_overview(client: Client) -> None:
    study = make_study()
    participation = come_in(client, study)
    do_hit(participation)
    done = Assignment.objects.get()
    assert client.get(f"/a/{done.public_id}")["Location"] == f"/s/{study.public_id}"


def test_the_overview_counts_what_is_handed_in_and_credited(client: Client) -> None:
    study = make_study(reward=Decimal("0.0125"))
    participation = come_in(client, study)
    do_hit(participation)
    do_hit(participation)
    html = markup(client.get(f"/s/{study.public_id}"))
    assert "2 sets" in html
    assert "$0.025" in html
    assert participation.pseudonym in html


def test_going_on_with_what_is_in_hand(client: Client) -> None:
    study = make_study()
    participation = come_in(client, study)
    assignment = take(participation)
    assert "Your first set is ready." in markup(client.get(f"/s/{study.public_id}"))
    save_draft(participation.pk, assignment.public_id, 1, {}, 1)
    assert "You have started a set." in markup(client.get(f"/s/{study.public_id}"))
    assert client.post(f"/s/{study.public_id}/start")["Location"] == f"/a/{assignment.public_id}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"state": "paused"}, "The study is paused."),
        ({"state": "closed"}, "has ended"),
        ({"hits_per_annotator": 1}, "the maximum number of sets per person"),
    ],
)
def test_the_overview_says_why_there_is_nothing_to_do(client: Client, change: dict[str, object], said: str) -> None:
    study = make_study()
    do_hit(come_in(client, study))
    Study.objects.filter(pk=study.pk).update(**change)
    html = markup(client.get(f"/s/{study.public_id}"))
    assert said in html
    assert f"/s/{study.public_id}/start" not in html


@pytest.mark.nightly
@pytest.mark.parametrize("pays", [True, False])
@pytest.mark.parametrize(
    ("hits", "said"), [(1, "You will be paid $0.50 for 1 set."), (0, "no payment is made in this case")]
)
def test_who_is_stopped_is_told_what_is_paid(client: Client, pays: bool, hits: int, said: str) -> None:
    study = make_study(pay_stopped=pays)
    participation = come_in(client, study)
    for _ in range(hits):
        do_hit(participation)
    stop(participation.pk, reason="Answered at random.", user=SYSTEM)
    html = markup(client.get(f"/s/{study.public_id}"))
    assert said in html
    assert "Answered at random." not in html
    due = Due(participation.pseudonym, Decimal("0.50") * hits, Decimal(0))
    if hits:
        record_payment(study.pk, [due], reference="Transfer", paid_on=date(2026, 11, 20), user=SYSTEM)
        assert said not in markup(client.get(f"/s/{study.public_id}")), "the amount has been paid"


def test_times_say_that_they_are_in_utc_until_the_browser_shows_its_own(client: Client) -> None:
    participation = come_in(client, make_study(reward="0.50"))
    do_hit(participation)
    at = Assignment.objects.get(participation=participation).submitted_at
    html = markup(client.get(f"/s/{participation.study.public_id}/pay"))
    assert f'<time datetime="{at.isoformat()}" data-moment>' in html
    assert " UTC</time>" in html
    assert "dist/moments.js" in html


@pytest.mark.nightly
def test_only_who_the_rule_stopped_reads_of_gold_answers(client: Client) -> None:
    study = make_study(gold=8, gold_block=5, rule_minimum=1, rule_threshold="0.7")
    participation = come_in(client, study)
    researcher = member_of(study)
    by_rule, by_hand = "Your answers to these questions differed from ours", "has ended your work in this study"

    def told() -> tuple[bool, bool]:
        html = markup(client.get(f"/s/{study.public_id}"))
        return by_rule in html, by_hand in html

    stop(participation.pk, reason="Two people at one desk.", user=researcher)
    assert told() == (False, True)
    restore(participation.pk, reason="They were not.", user=researcher)
    do_hit(participation, right=False)
    assert told() == (True, False)
    restore(participation.pk, reason="The gold was wrong.", user=researcher)
    stop(participation.pk, reason="They asked for it.", user=researcher)
    assert told() == (False, True)
    restore(participation.pk, reason="They did not ask for it.", user=researcher)
    stop(participation.pk, reason="A program removed this annotator.", user=SYSTEM)
    assert told() == (False, True), "not every stop without a user is a stop by the rule"


def test_a_code_is_shown_once_and_stays_good_when_its_page_is_reloaded(client: Client) -> None:
    study = make_study()
    come_in(client, study)
    page = f"/s/{study.public_id}/code"
    assert client.post(page)["Location"] == page
    shown = client.get(page)
    code = re.search(r"<output>([0-9A-Z-]{14})</output>", markup(shown))
    assert code is not None
    assert "no-store" in shown["Cache-Control"]
    again = markup(client.get(page))
    assert code[1] not in again
    assert "has already been shown" in again
    assert f'action="{page}"' in again
    assert Client().post("/resume", {"code": code[1]})["Location"] == f"/s/{study.public_id}"


def test_a_code_that_was_tampered_with_is_not_shown(client: Client) -> None:
    study = make_study()
    come_in(client, study)
    page = f"/s/{study.public_id}/code"
    client.post(page)
    name = f"accord-{study.public_id}-code"
    client.cookies[name] = client.cookies[name].value.replace("-", "x", 1)
    assert "<output>" not in markup(client.get(page))


def test_a_code_goes_on_elsewhere_and_a_new_one_replaces_it(client: Client) -> None:
    study = make_study()
    participation = come_in(client, study)
    html = markup(client.post(f"/s/{study.public_id}/code", follow=True))
    code = re.search(r"<output>([0-9A-Z-]{14})</output>", html)
    assert code is not None
    elsewhere = Client()
    response = elsewhere.post("/resume", {"code": f" {code[1].lower()} "})
    assert response["Location"] == f"/s/{study.public_id}"
    assert elsewhere.get(f"/s/{study.public_id}").status_code == 200
    issue_resume_code(participation.pk)
    refused = Client().post("/resume", {"code": code[1]})
    assert refused.status_code == 404
    assert "This code is unknown" in markup(refused)


def test_pages_of_work_are_never_kept_by_a_cache(client: Client) -> None:
    study = make_study()
    come_in(client, study)
    assert "no-store" in client.get(f"/s/{study.public_id}")["Cache-Control"]


def test_the_overview_takes_a_handful_of_queries(
    client: Client, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    study = make_study(consent="Text.")
    do_hit(come_in(client, study))
    with django_assert_max_num_queries(9):
        client.get(f"/s/{study.public_id}")


def test_a_researchers_tryout_needs_no_consent() -> None:
    study = make_study(consent="Text.")
    participation = make_annotator(study, platform="try", consent=None, consented_at=None)
    assert has_consented(participation)


def test_a_tryout_begins_with_the_practice_questions_which_its_overview_announces() -> None:
    study = make_study(practice=2)
    tryout = start_tryout(study, user=member_of(study))
    practice = claim(tryout.pk).assignment
    assert [answer.question.kind for answer in practice.answers.all()] == ["practice"] * 2
    assert (practice.kind, present(practice)["kind"]) == ("try", "practice")
    submit(tryout.pk, practice.public_id, answers_to(practice))
    assert claim(tryout.pk).assignment.hit_id is not None
    assert not study.assignments.filter(kind="practice").exists()


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("<script>alert(1)</script>", "<script"),
        ("[x](javascript:alert(1))", "<a href"),
        ("![x](https://example.org/x.png)", "<img"),
        ('<p style="color: red" onclick="x()">x</p>', "<p style"),
    ],
)
def test_markdown_lets_nothing_run_and_loads_nothing(text: str, absent: str) -> None:
    assert absent not in safe_html(text)


def test_the_first_paragraph_is_neither_a_heading_nor_a_list() -> None:
    text = "# Task\n\n- one\n\n> Quoted.\n\nChoose *two* of\nthem.\n\nThen go on."
    assert first_paragraph(text) == "<p>Choose <em>two</em> of\nthem.</p>\n"
    assert first_paragraph("# Only a heading") == ""


def test_the_first_paragraph_of_the_instructions_stands_above_the_start(client: Client) -> None:
    study = make_study(instructions="Choose *two* pairs.\n\nRead everything.", examples="An example.")
    come_in(client, study)
    page = markup(client.get(f"/s/{study.public_id}"))
    start = page.index(f'action="/s/{study.public_id}/start"')
    assert page.index("<em>two</em> pairs") < start < page.index("Read everything") < page.index("An example.")


def test_markdown_headings_fit_below_the_pages_own() -> None:
    assert safe_html("## A\n\n### B", 3) == "<h3>A</h3>\n<h4>B</h4>\n"
