"""Tests of links to reports: what a link shows, what it hides, and when it no longer works."""

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import ReportShare, Study
from annotate.results.services import MOST, revoke_share, share_report
from annotate.server.refusals import Refused
from tests.api.conftest import Api
from tests.console_study import browser_of, collected, page_of, report_on
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    def make() -> Study:
        study = collected()
        report_on(study)
        return study

    return share(make)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def report_pk(study: Study) -> int:
    return study.reports.get(kind="results", number=1).pk


def opened(token: str) -> int:
    return Client().get(f"/shared/{token}/").status_code


def token_from(study: Study, **chosen: str) -> str:
    response = browser_of(study, "manager").post(page_of(study, "results/1/share/"), {"days": "7", **chosen})
    assert response.status_code == 201
    return re.search(r"/shared/([\w-]+)/", response.content.decode())[1]


def found(texts: list[str], page: str) -> list[str]:
    visible = re.sub(r"<script.*?</script>|<link[^>]*>", "", page)
    return [each for each in texts if re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", visible)]


def always_hidden(study: Study) -> list[str]:
    people = study.participations.values_list("pseudonym", flat=True)
    gold = study.questions.filter(kind="gold").values_list("ref", flat=True)
    return [study.public_id, study.join_token, study.memberships.first().user.email, *people, *gold]


@pytest.mark.nightly
def test_a_link_shows_the_conclusion_and_figures_without_texts_ids_or_pseudonyms(study: Study) -> None:
    token = token_from(study)
    response = Client().get(f"/shared/{token}/")
    page = markup(response)
    report = study.reports.get(kind="results")
    console = markup(browser_of(study).get(page_of(study, "results/1/")))
    assert re.search(r'<p class="conclusion">[^<]+</p>', console)[0] in page
    assert study.title in page
    assert "32 judgements" in page
    assert report.input_sha256 in page
    hidden = always_hidden(study)
    hidden += [item.key for item in study.items.all()]
    hidden += [text for item in study.items.all() for text in item.content.values() if isinstance(text, str)]
    assert len(hidden) > 25
    assert found(hidden, page) == []
    assert Client().get(f"/shared/{token}/scores.csv").status_code == 404
    assert "no-store" in response["Cache-Control"]
    assert "noindex" in response["X-Robots-Tag"]
    assert not response.cookies
    assert not re.findall(r'href="/(?!static)', page)
    stored = ReportShare.objects.get()
    assert token not in {stored.hash, stored.public_id}
    assert token not in markup(browser_of(study, "manager").get(page_of(study, "results/1/share/")))


def test_a_link_with_items_ranks_them_and_offers_the_file_that_its_checksum_verifies(study: Study) -> None:
    token = token_from(study, with_items="on")
    page = markup(Client().get(f"/shared/{token}/"))
    scores = study.reports.get(kind="results").result["scores"]
    texts = {item.key: next(iter(item.content.values())) for item in study.items.all()}
    order = sorted(range(len(scores["key"])), key=lambda place: (-scores["unit"][place], scores["key"][place]))
    shown = [texts[scores["key"][place]] for place in order]
    assert re.findall(r"<tr data-width.*?<p[^>]*>([^<]+)</p>", page, re.DOTALL) == shown
    assert found(always_hidden(study), page) == []
    response = Client().get(f"/shared/{token}/scores.csv")
    content = b"".join(response.streaming_content)
    assert hashlib.sha256(content).hexdigest() in page
    assert found(always_hidden(study), content.decode()) == []
    assert Client().get(f"/shared/{token}/input.npz").status_code == 404
    revoke_share(ReportShare.objects.get().pk, user=SYSTEM)
    assert Client().get(f"/shared/{token}/scores.csv").status_code == 404
    assert "figures and items" not in markup(browser_of(study, "manager").get(page_of(study, "results/1/share/")))


def test_unknown_expired_and_revoked_links_look_the_same(study: Study) -> None:
    share, token = share_report(report_pk(study), days=1, user=SYSTEM)
    assert opened(token) == 200
    for wrong in (token[:-1], token + "A", share.public_id, share.hash, token.swapcase(), "%00", "x" * 3000):
        assert opened(wrong) == 404, wrong
    assert Client().post(f"/shared/{token}/").status_code == 405
    ReportShare.objects.filter(pk=share.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    expired = Client().get(f"/shared/{token}/")
    share, token = share_report(report_pk(study), days=1, user=SYSTEM)
    browser_of(study, "manager").post(page_of(study, f"results/1/share/{share.public_id}/revoke/"))
    revoked = Client().get(f"/shared/{token}/")
    assert expired.status_code == revoked.status_code == 404
    assert re.sub(r"nonce-\S+", "", markup(expired)) == re.sub(r"nonce-\S+", "", markup(revoked))


def test_links_are_logged_and_can_be_revoked_in_an_archived_study(study: Study) -> None:
    share, token = share_report(report_pk(study), days=30, user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(state="archived")
    with pytest.raises(Refused, match="archived"):
        share_report(report_pk(study), days=30, user=SYSTEM)
    for _ in range(2):
        revoke_share(share.pk, user=SYSTEM)
    assert opened(token) == 404
    verbs = list(study.events.filter(verb__contains="report").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["shared report", "revoked report link"]
    assert token not in str(list(study.events.values_list("detail", flat=True)))


@pytest.mark.nightly
def test_a_revocation_can_be_undone_while_the_report_has_room_for_the_link(study: Study) -> None:
    share, token = share_report(report_pk(study), days=30, user=SYSTEM)
    client, place = browser_of(study, "manager"), page_of(study, f"results/1/share/{share.public_id}/")
    notice = markup(client.post(f"{place}revoke/", follow=True))
    assert opened(token) == 404
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', notice)
    client.post(f"{place}restore/", {"seen": seen})
    assert opened(token) == 200
    seen = re.findall(r'name="seen" value="([^"]+)"', markup(client.post(f"{place}revoke/", follow=True)))[0]
    for _ in range(MOST):
        share_report(report_pk(study), days=1, user=SYSTEM)
    assert "20 links" in markup(client.post(f"{place}restore/", {"seen": seen}, follow=True))
    assert opened(token) == 404
    Study.objects.filter(pk=study.pk).update(state="archived")
    other = ReportShare.objects.filter(report=report_pk(study), revoked_at=None)[0]
    notice = markup(client.post(page_of(study, f"results/1/share/{other.public_id}/revoke/"), follow=True))
    assert "until you leave the page" not in notice, "an archived study gets no links"


@pytest.mark.nightly
def test_links_are_limited_in_days_and_number(study: Study) -> None:
    client = browser_of(study, "manager")
    for days in ("0", "366", "-7", "week", "", "9" * 40):
        page = client.post(page_of(study, "results/1/share/"), {"days": days})
        assert page.status_code == 422, days
        assert "1 to 365 days" in markup(page)
    for _ in range(MOST):
        share_report(report_pk(study), days=1, user=SYSTEM)
    with pytest.raises(Refused, match="20 links"):
        share_report(report_pk(study), days=1, user=SYSTEM)


@pytest.mark.nightly
def test_another_studys_manager_cannot_revoke_a_link(study: Study) -> None:
    share, token = share_report(report_pk(study), days=1, user=SYSTEM)
    other = collected()
    report_on(other)
    place = page_of(other, f"results/1/share/{share.public_id}/revoke/")
    assert browser_of(other, "owner").post(place).status_code == 404
    place = page_of(study, f"results/1/share/{share.public_id}/revoke/")
    assert browser_of(study, "reviewer").post(place).status_code == 404
    assert opened(token) == 200


def test_an_address_can_open_only_so_many_links(study: Study, settings: Any) -> None:
    settings.THROTTLE_SHARED = ["3/hour"]
    _, token = share_report(report_pk(study), days=1, user=SYSTEM)
    assert [opened(each) for each in ("a", "b", token, token)] == [404, 404, 200, 429]
    assert Client().get(f"/shared/{token}/scores.csv").status_code == 429


def test_scripts_create_list_and_revoke_links(study: Study) -> None:
    manager = study.memberships.get(role="owner").user
    api = Api(f"Token {new_api_token(manager, 'script', scope='write')[1]}")
    place = f"studies/{study.public_id}/reports/results/1/shares"
    created = api.ask("POST", place, {"days": 7}).json()
    assert Client().get(created["url"]).status_code == 200
    (listed,) = api.ask("GET", place).json()
    assert set(listed) == {"id", "created_at", "expires_at", "with_items"}
    assert api.ask("DELETE", f"{place}/{listed['id']}").status_code == 204
    assert api.ask("GET", place).json() == []
    assert Client().get(created["url"]).status_code == 404
