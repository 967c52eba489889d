"""Prolific's API with a stand-in server: drafts, submissions, approvals, bonuses that are paid once, and events."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.models import BonusList, Job, ProlificSettings, ProlificStudy, Study
from annotate.pay.selectors.balances import balances
from annotate.prolific.selectors.settings import places_are_open
from annotate.prolific.services import remote as prolific_remote
from annotate.prolific.services.bonuses import cancel_bonus_list, confirm_bonus_list, create_bonus_list
from annotate.server import clock
from annotate.server import outgoing as webhook_requests
from annotate.server.refusals import Refused
from annotate.studies.services.study import archive_study, close_study, pause_study, unarchive_study
from tests.console_study import browser_of, page_of
from tests.markup import markup
from tests.prolific.test_prolific_submissions import imported, make

pytestmark = pytest.mark.django_db

TOKEN, SECRET = "prolific-token-of-the-test", "hook-secret-of-the-test"


class Prolific:
    """A stand-in for Prolific's API, which stores studies, submissions and bonus payments like the real API.

    `faults` maps paths to a status to respond with, or to None for a connection that is closed after the request has
    been carried out.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, Any]] = []
        self.drafts: list[dict[str, Any]] = []
        self.submissions: dict[str, dict[str, Any]] = {}
        self.set_up: dict[str, str] = {}
        self.paid: list[str] = []
        self.faults: dict[str, int | None] = {}
        self.status = "ACTIVE"  # of the study

    def add(self, name: str, status: str, code: str = "C1") -> None:
        entry = {"id": f"s{name}", "participant_id": f"p{name}", "status": status, "study_code": code}
        self.submissions[f"s{name}"] = entry | {"started_at": "2026-11-20T10:00:00Z", "time_taken": 61.5}

    def respond(self, method: str, target: str, body: Any) -> tuple[int, Any]:
        path, query = urlsplit(target).path.removeprefix("/api/v1"), parse_qs(urlsplit(target).query)
        if path == "/studies/study1/":
            return 200, {"id": "study1", "status": self.status}
        if path == "/studies/study1/transition/":
            self.status = {"PAUSE": "PAUSED"}[body["action"]]
            return 200, {"id": "study1", "status": self.status}
        if method == "GET":
            entries = self.drafts if path == "/studies/" else list(self.submissions.values())
            first = (int(query["page"][0]) - 1) * int(query["page_size"][0])
            return 200, {"results": entries[first : first + int(query["page_size"][0])]}
        if path == "/studies/":
            self.drafts.append(body | {"id": "draft1", "status": "UNPUBLISHED"})
            return 201, self.drafts[-1]
        if path == "/submissions/bulk-approve/":
            for each in body["submission_ids"]:
                self.submissions[each]["status"] = "APPROVED"
            return 200, {"message": "in progress"}
        if path == "/submissions/bonus-payments/":
            self.set_up[f"bulk{len(self.set_up) + 1}"] = body["csv_bonuses"]
            return 201, {"id": f"bulk{len(self.set_up)}", "study": body["study_id"]}
        name = path.removeprefix("/bulk-bonus-payments/").removesuffix("/pay/")
        self.paid += self.set_up[name].splitlines()  # once more for each request, as the real API does
        return 202, None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    prolific: Prolific

    def do_GET(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(content) if content else None
        path = urlsplit(self.path).path.removeprefix("/api/v1")
        self.prolific.requests.append((self.command, path, body))
        if self.headers["Authorization"] != f"Token {TOKEN}":
            status, answer = 401, {"error": "unauthorised"}
        elif isinstance(fault := self.prolific.faults.get(path, 0), int) and fault:
            status, answer = fault, {"error": "not today"}
        else:
            status, answer = self.prolific.respond(self.command, self.path, body)
            if fault is None:
                self.connection.close()
                return
        self.send_response(status)
        self.end_headers()
        self.wfile.write(b"" if answer is None else json.dumps(answer).encode())

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write no log."""


@pytest.fixture(scope="module")
def server() -> Iterator[http.server.ThreadingHTTPServer]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture
def prolific(server: http.server.ThreadingHTTPServer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Prolific:
    Handler.prolific = Prolific()
    settings.PROLIFIC_API = f"http://127.0.0.1:{server.server_address[1]}/api/v1"
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_STUDIES = TOKEN, ["*"]
    settings.PROLIFIC_HOOK_SECRET = SECRET
    monkeypatch.setattr(webhook_requests, "public_address", lambda host, port: host)
    return Handler.prolific


@pytest.fixture(scope="module")
def shared(share: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    return share(make)


@pytest.fixture
def study(shared: SimpleNamespace) -> Study:
    study = Study.objects.get(pk=shared.study.pk)
    ProlificStudy.objects.create(study=study, prolific_id="study1")
    return study


def no_progress(share: float, text: str) -> None:
    """Ignore the progress of a job."""


def pay(study: Study, number: int = 1) -> BonusList:
    return prolific_remote.pay_bonus_list(study.pk, number, user=SYSTEM, progress=no_progress)


def test_a_draft_contains_the_study_and_is_created_once(study: Study, prolific: Prolific) -> None:
    ProlificStudy.objects.all().delete()
    with pytest.raises(Refused, match="Enter the HITs per submission"):
        prolific_remote.create_draft(study.pk, minutes=10, places=20, user=SYSTEM)
    ProlificSettings.objects.filter(study=study).update(hits_per_submission=2, codes={"completed": "CODE1234"})
    for _ in range(2):  # as if the first job had ended before it could store the ID
        ProlificStudy.objects.all().delete()
        linked = prolific_remote.create_draft(study.pk, minutes=10, places=20, user=SYSTEM)
    assert linked.prolific_id == "draft1"
    (draft,) = prolific.drafts
    assert (draft["reward"], draft["total_available_places"], draft["estimated_completion_time"]) == (300, 20, 10)
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in draft["external_study_url"]
    assert draft["completion_codes"] == [
        {"code": "CODE1234", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
    ]
    with pytest.raises(Refused) as refused:
        prolific_remote.create_draft(study.pk, minutes=10, places=20, user=SYSTEM)
    assert refused.value.code == "linked"


def test_submissions_are_read_page_by_page_and_approved(
    study: Study, prolific: Prolific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.prolific.remote_api.PAGE", 2)
    for name, status in (("ann", "AWAITING REVIEW"), ("ben", "TIMED_OUT"), ("cy", "RESERVED"), ("dan", "APPROVED")):
        prolific.add(name, status)
    assert prolific_remote.fetch_submissions(study.pk, user=SYSTEM).added == 4
    reported = study.reported_submissions.get(submission_id="sben")
    assert (reported.status, reported.code, reported.seconds) == ("TIMED-OUT", "C1", 62)
    approved = [prolific_remote.approve_submissions(study.pk, user=SYSTEM, progress=no_progress) for _ in range(2)]
    assert approved == [1, 0]
    sent = [body for _, path, body in prolific.requests if path == "/submissions/bulk-approve/"]
    assert sent == [{"submission_ids": ["sann"]}]
    prolific.submissions["sann"]["status"] = "BROKEN"
    with pytest.raises(Refused, match="a submission that Accord cannot read: BROKEN is not a valid status"):
        prolific_remote.fetch_submissions(study.pk, user=SYSTEM)


def test_a_bonus_list_is_set_up_paid_and_recorded(study: Study, shared: SimpleNamespace, prolific: Prolific) -> None:
    imported(study, ben="RETURNED")
    create_bonus_list(study.pk, user=SYSTEM)
    prolific.faults["/submissions/bonus-payments/"] = 400
    with pytest.raises(Refused, match=r'status 400\. {"error": "not today"}'):
        pay(study)
    prolific.faults.clear()
    assert pay(study).state == BonusList.State.PAID
    assert prolific.paid == ["pben,3.00"]
    assert balances(study)[shared.ben.pk].owed == 0
    with pytest.raises(Refused) as refused:
        pay(study)
    assert refused.value.code == "state"
    assert prolific.paid == ["pben,3.00"]


@pytest.mark.parametrize("fault", [None, 500, 409])
def test_a_request_to_pay_with_an_unknown_result_is_never_repeated(
    study: Study, shared: SimpleNamespace, prolific: Prolific, fault: int | None
) -> None:
    imported(study, ben="RETURNED")
    create_bonus_list(study.pk, user=SYSTEM)
    prolific.faults["/bulk-bonus-payments/bulk1/pay/"] = fault
    with pytest.raises(Refused):
        pay(study)
    prolific.faults.clear()
    with pytest.raises(Refused, match="the result is unknown"):
        pay(study)
    assert sum(path.endswith("/pay/") for _, path, _ in prolific.requests) == 1
    assert prolific.paid == (["pben,3.00"] if fault is None else [])
    with pytest.raises(Refused, match="All bonuses that participants are owed"):
        create_bonus_list(study.pk, user=SYSTEM)
    if fault is None:
        confirm_bonus_list(study.pk, 1, user=SYSTEM)
        assert balances(study)[shared.ben.pk].owed == 0
    else:
        cancel_bonus_list(study.pk, 1, user=SYSTEM)
        assert create_bonus_list(study.pk, user=SYSTEM).number == 2


def test_a_refused_payment_can_be_requested_again(study: Study, prolific: Prolific) -> None:
    imported(study, ben="RETURNED")
    create_bonus_list(study.pk, user=SYSTEM)
    prolific.faults["/bulk-bonus-payments/bulk1/pay/"] = 402
    with pytest.raises(Refused):
        pay(study)
    assert study.bonus_lists.get().state == BonusList.State.OPEN
    prolific.faults.clear()
    assert pay(study).state == BonusList.State.PAID
    assert (len(prolific.set_up), prolific.paid) == (1, ["pben,3.00"])


def test_a_job_that_dies_during_the_payment_pays_once(
    study: Study, prolific: Prolific, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker ends after Prolific has paid and before Accord has recorded the payment. The job runs again."""
    imported(study, ben="RETURNED")
    create_bonus_list(study.pk, user=SYSTEM)
    monkeypatch.setattr(jobs, "notify_worker", lambda job, kind: None)
    job = jobs.request_job(study, "prolific-bonuses:1", parameters={"number": 1}, user=SYSTEM)
    for act in (cancel_bonus_list, confirm_bonus_list):
        with pytest.raises(Refused, match="A job is paying bonus list 1"):
            act(study.pk, 1, user=SYSTEM)

    def die(*arguments: Any, **named: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(prolific_remote, "record_paid_list", die)
        with pytest.raises(SystemExit):
            jobs.work_of("prolific-bonuses").run(job, no_progress)
    with pytest.raises(Refused, match="the result is unknown"):
        jobs.work_of("prolific-bonuses").run(job, no_progress)
    assert prolific.paid == ["pben,3.00"]
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED)
    assert confirm_bonus_list(study.pk, 1, user=SYSTEM).state == BonusList.State.PAID


@pytest.mark.nightly
def test_only_listed_studies_use_the_token_and_no_page_shows_it(
    study: Study, prolific: Prolific, settings: Any
) -> None:
    client = browser_of(study)
    page = markup(client.get(page_of(study, "submissions/")))
    assert "Import the submissions from Prolific" in page
    assert TOKEN not in page
    for token, studies in (("", ["*"]), (TOKEN, []), (TOKEN, ["another-study"])):
        settings.PROLIFIC_TOKEN, settings.PROLIFIC_STUDIES = token, studies
        assert "Import the submissions from Prolific" not in markup(client.get(page_of(study, "submissions/")))
        with pytest.raises(Refused) as refused:
            prolific_remote.fetch_submissions(study.pk, user=SYSTEM)
        assert refused.value.code == "no-api"
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_STUDIES = "wrong-token-of-the-test", [study.public_id]
    with pytest.raises(Refused) as refused:
        prolific_remote.fetch_submissions(study.pk, user=SYSTEM)
    assert refused.value.code == "prolific"
    assert "wrong-token" not in refused.value.message


def test_requests_go_to_public_addresses_only(
    study: Study, prolific: Prolific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    with pytest.raises(Refused, match="does not have a public address"):
        prolific_remote.fetch_submissions(study.pk, user=SYSTEM)
    assert prolific.requests == []


def sent(body: Any, *, at: float | None = None, secret: str = SECRET, **headers: str) -> int:
    """Send an event to Accord as Prolific does, and return the status of the response."""
    content = json.dumps(body).encode()
    timestamp = str(int(clock.now().timestamp() if at is None else at))
    digest = hmac.new(secret.encode(), timestamp.encode() + content, hashlib.sha256).digest()
    signed = {
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
    }
    client = Client(enforce_csrf_checks=True)
    response = client.post("/hooks/prolific/", content, content_type="application/json", headers=signed | headers)
    return response.status_code


def test_signed_events_change_statuses(study: Study, prolific: Prolific, settings: Any) -> None:
    event = {"event_type": "submission.status.change", "resource_id": "sann", "participant_id": "pann"}
    now = clock.now().timestamp()
    assert sent(event | {"status": "ACTIVE"}) == 204
    status = study.reported_submissions.get
    assert status(submission_id="sann").status == "ACTIVE"
    assert sent(event | {"status": "AWAITING REVIEW"}, at=now + 2) == 204
    assert sent(event | {"status": "ACTIVE"}, at=now + 3, **{"X-Timestamp": str(int(now) + 1)}) == 204
    assert status(submission_id="sann").status == "AWAITING REVIEW", "an old event that was delivered late"
    assert sent(event | {"status": "APPROVED"}, at=now + 4) == 204
    assert sent(event | {"status": "AWAITING REVIEW"}, at=now + 5) == 204
    assert status(submission_id="sann").status == "APPROVED"
    for ignored in (
        event | {"resource_id": "other", "status": "ACTIVE"},
        event | {"participant_id": "pcy", "status": "REJECTED"},
        event | {"resource_id": "s\x00", "status": "ACTIVE"},
        {"event_type": "study.status.change", "resource_id": "study1", "status": "ACTIVE"},
        ["an unexpected event"],
    ):
        assert sent(ignored, at=now + 6) == 204
    assert [each.status for each in study.reported_submissions.all()] == ["APPROVED"]
    assert sent(event | {"status": "GONE"}) == 400
    for refused in ({"at": now - 301}, {"at": now + 400}, {"secret": "another secret"}):
        assert sent(event | {"status": "REJECTED"}, **refused) == 401
    assert sent(event, **{"X-Prolific-Request-Signature": "ü"}) == 401
    settings.PROLIFIC_HOOK_SECRET = ""
    assert sent(event | {"status": "REJECTED"}, secret="") == 404


class TestPause:
    """A study that pauses or closes here also pauses on Prolific, where people would otherwise come for nothing."""

    def pause(self, study: Study) -> Job | None:
        pause_study(study.pk, user=SYSTEM)
        return Job.objects.filter(study=study, kind="prolific-pause").first()

    def test_a_paused_study_offers_no_places(self, prolific: Prolific, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
        job = self.pause(study)
        assert job is not None
        jobs.run(job.pk)
        assert prolific.status == "PAUSED"
        assert study.events.filter(verb="paused study on Prolific").count() == 1

    def test_a_study_that_closes_asks_again_and_one_that_leaves_the_archive_does_not(
        self, prolific: Prolific, study: Study
    ) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.PAUSED)
        for change, jobs_wanted in ((close_study, 1), (archive_study, 1), (unarchive_study, 1)):
            change(study.pk, user=SYSTEM)
            assert study.jobs.filter(kind="prolific-pause").count() == jobs_wanted, change

    def test_places_are_open_until_the_job_has_paused_them(self, prolific: Prolific, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
        job = self.pause(study)
        assert job is not None
        assert places_are_open(study)
        jobs.run(job.pk)
        assert not places_are_open(study)

    @pytest.mark.parametrize("status", ["UNPUBLISHED", "PAUSED", "COMPLETED"])
    def test_a_study_that_is_not_active_is_left_alone(self, prolific: Prolific, study: Study, status: str) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.PAUSED)
        prolific.status = status
        assert not prolific_remote.pause_places(study.pk, user=SYSTEM)
        assert prolific.status == status

    def test_a_study_that_is_open_again_keeps_its_places(self, prolific: Prolific, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
        assert not prolific_remote.pause_places(study.pk, user=SYSTEM)
        assert prolific.status == "ACTIVE"

    def test_without_a_linked_study_or_the_api_there_is_no_job(
        self, prolific: Prolific, study: Study, settings: Any
    ) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
        settings.PROLIFIC_TOKEN = ""
        assert self.pause(study) is None
        settings.PROLIFIC_TOKEN = TOKEN
        Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
        ProlificStudy.objects.filter(study=study).delete()
        assert self.pause(study) is None

    def test_a_refusal_of_prolific_is_the_error_of_the_job_and_the_study_stays_paused(
        self, prolific: Prolific, study: Study
    ) -> None:
        Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
        prolific.faults["/studies/study1/transition/"] = 403
        job = self.pause(study)
        assert job is not None
        jobs.run(job.pk)
        job.refresh_from_db()
        assert (job.state, study.__class__.objects.get(pk=study.pk).state) == (Job.State.FAILED, Study.State.PAUSED)
        assert "403" in job.error
