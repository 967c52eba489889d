"""Tests that an archived study cannot be changed through any service, API operation or form of the console."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from annotate.console import urls as console_urls
from annotate.core.services import answer, jobs, regrading, standing
from annotate.core.services.claim import claim
from annotate.core.services.credentials import new_api_token, participation_token
from annotate.core.services.submit import submit
from annotate.data.services import uploads
from annotate.gold import services as gold_services
from annotate.models import Participation, Study
from annotate.people.services import remove_personal_data
from annotate.questions.services import decisions, more_judgements
from annotate.recruiting.services import join
from annotate.results import services as results_services
from annotate.server.refusals import Refused
from annotate.studies.services import settings, study
from annotate.studies.services.members import invite, remove_member
from evaluation.models import Submission
from evaluation.services.systems import publish_table
from tests import rooms
from tests.api.operations import ANNOTATE, MANAGE, REVIEW, body
from tests.factories import UserFactory, add_questions, answers_to, do_hit, make_annotator, make_study, take

pytestmark = pytest.mark.django_db
APPLICATIONS = ("annotate", "evaluation", "alignment_ui", "releases")
PASSING = {"apitoken", "idempotencykey", "user", "failedsignin", "signin"}  # of accounts, not of the study


class Archived:
    """An archived study with answers, an open HIT, gold questions, a candidate and an upload."""

    def __init__(self) -> None:
        self.owner = UserFactory()
        self.study = make_study(items=10, gold=3, user=self.owner, consent="Please agree.")
        self.gold = self.study.questions.filter(kind="gold")[0]
        self.candidate = add_questions(self.study, "candidate", 1)[0]
        self.upload = uploads.receive(self.study, purpose="gold", filename="g.csv", data=b"id\n", user=self.owner)
        self.stopped, self.annotator = make_annotator(self.study), make_annotator(self.study)
        do_hit(self.stopped)
        standing.stop(self.stopped.pk, reason="test", user=self.owner)
        self.assignment = take(self.annotator)
        self.question = self.study.questions.filter(kind="regular").first()
        self.added = rooms.paths(rooms.objects(self.study, self.owner))
        study.close_study(self.study.pk, user=self.owner)
        study.archive_study(self.study.pk, user=self.owner)
        self.study.refresh_from_db()
        self.annotator = Participation.objects.get(pk=self.annotator.pk)


@pytest.fixture(scope="module")
def shared_archived(share: Callable[..., Archived]) -> Archived:
    return share(Archived)


@pytest.fixture
def archived(shared_archived: Archived, db: None) -> Archived:
    """Return copies of the shared objects, because services change the objects that they receive."""
    return deepcopy(shared_archived)


def everything() -> dict[str, str | None]:
    """Return a digest of the rows of each table except the tables of accounts."""
    configs = [each for each in apps.get_app_configs() if each.name.split(".")[0] in APPLICATIONS]
    models = [model for each in configs for model in each.get_models()]
    tables = [model._meta for model in models if model._meta.model_name not in PASSING]
    queries = [
        f"""SELECT '{table.label}', md5(string_agg(one::text, ' ' ORDER BY "{table.pk.column}"))
            FROM "{table.db_table}" one"""  # noqa: S608 (names of our own tables)
        for table in tables
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(queries))
        return dict(cursor.fetchall())


WRITES: dict[str, Callable[[Archived], Any]] = {
    "change_settings": lambda a: settings.change_settings(a.study.pk, user=a.owner, title="Other"),
    "write_consent": lambda a: settings.write_consent(a.study.pk, "Another text.", user=a.owner),
    "open": lambda a: study.open_study(a.study.pk, user=a.owner),
    "pause": lambda a: study.pause_study(a.study.pk, user=a.owner),
    "close": lambda a: study.close_study(a.study.pk, user=a.owner),
    "remove_member": lambda a: remove_member(
        a.study.pk, member=a.study.memberships.create(user=UserFactory(), role="viewer").user, user=a.owner
    ),
    "claim": lambda a: claim(a.annotator.pk),
    "save_draft": lambda a: answer.save_draft(a.annotator.pk, a.assignment.public_id, 1, {}, 1),
    "give_answer": lambda a: answer.give_answer(a.annotator.pk, a.assignment.public_id, 1, {"best": 1, "worst": 2}),
    "submit": lambda a: submit(a.annotator.pk, a.assignment.public_id, answers_to(a.assignment)),
    "join": lambda a: join.join(a.study, platform="web"),
    "accept_consent": lambda a: join.accept_consent(
        a.annotator.pk, a.study.consents.latest("version").pk, eligible=True
    ),
    "issue_resume_code": lambda a: join.issue_resume_code(a.annotator.pk),
    "stop": lambda a: standing.stop(a.annotator.pk, reason="x", user=a.owner),
    "restore": lambda a: standing.restore(a.stopped.pk, reason="x", user=a.owner),
    "receive": lambda a: uploads.receive(a.study, purpose="gold", filename="g", data=b"id\n", user=a.owner),
    "request_job": lambda a: jobs.request_job(a.study, "report:results", user=a.owner),
    "make_report": lambda a: results_services.make_report(
        a.study.pk, kind="results", parameters={"splits": 5}, user=a.owner, progress=lambda *_: None
    ),
    "add_slots": lambda a: more_judgements.add_slots(a.study.pk, user=a.owner),
    "add_where_needed": lambda a: more_judgements.add_where_needed(a.study.pk, user=a.owner),
    "decide": lambda a: decisions.decide(a.question.pk, {"best": 1, "worst": 2}, user=a.owner),
    "draw_candidates": lambda a: gold_services.draw_candidates(a.study.pk, 1, user=a.owner),
    "judge_candidate": lambda a: gold_services.judge_candidate(a.candidate.pk, {"best": 1, "worst": 2}, user=a.owner),
    "promote": lambda a: gold_services.promote([], study_id=a.study.pk, user=a.owner),
    "change_expected_answer": lambda a: regrading.change_expected_answer(
        a.study.questions.filter(kind="gold").first().pk, {"best": 4, "worst": 1}, user=a.owner, reason="wrong"
    ),
    "keep_expected_answer": lambda a: gold_services.keep_expected_answer(
        a.study.questions.filter(kind="gold").first().pk, user=a.owner
    ),
    "exclude_gold": lambda a: gold_services.exclude_gold(
        a.study.questions.filter(kind="gold").first().pk, user=a.owner, reason="wrong"
    ),
    "invite": lambda a: invite(a.study.pk, email="new@example.org", role="viewer", user=a.owner),
    "publish_table": lambda a: publish_table(a.study.pk, heading="Table", user=a.owner),
}


@pytest.mark.rules
@pytest.mark.parametrize("write", WRITES)
def test_every_service_refuses_with_the_same_error(archived: Archived, write: str) -> None:
    with pytest.raises(Refused) as refused:
        WRITES[write](archived)
    assert (refused.value.code, refused.value.status) == ("archived", 409)


@pytest.mark.nightly
def test_the_api_changes_nothing(archived: Archived) -> None:
    researcher = Client(headers={"Authorization": f"Token {new_api_token(archived.owner, 'script')[1]}"})
    page = Client(headers={"Authorization": f"Participation {participation_token(archived.annotator)}"})
    names = {
        "study": archived.study.public_id,
        "pseudonym": archived.annotator.pseudonym,
        "assignment": archived.assignment.public_id,
    }
    archived.study.reports.create(kind="results", number=1, seed=1, result={"judgements": 1})
    Submission.objects.create(study=archived.study, number=1, system="One", filename="a", content=b"", size=0)
    before = everything()
    for client, endpoints in ((researcher, [*REVIEW, *MANAGE]), (page, ANNOTATE)):
        for method, path in endpoints:
            # A copy is another study. Taking the study out of the archive, revoking links and erasing personal data
            # are possible. Only studies of word alignment have phrase pairs; tests/alignment_ui/words tests these.
            possible = path.endswith(("copies", "unarchive", "shares/s", "erase"))
            possible |= method == "DELETE" and path.endswith(("groups/g", "waiting-list/w", "people-lists/admit"))
            if method != "GET" and not possible and "phrase-samples" not in path:
                path = path.replace("uploads/u", f"uploads/{archived.upload.public_id}")
                path = re.sub("gold/[gq]", f"gold/{archived.gold.public_id}", path)
                path = path.replace("gold-candidates/q", f"gold-candidates/{archived.candidate.public_id}")
                for place, own in archived.added.items():
                    path = path.replace(place, own)
                url = "/api/v1/" + path.format(**names)
                sent = body(path) or {"title": "Other"}
                reply = client.generic(method, url, json.dumps(sent), content_type="application/json")
                nothing_to_do = method == "DELETE" and reply.status_code == 204  # there is no decision
                assert reply.status_code in (400, 403, 409) or nothing_to_do, (method, path, reply.content)
                assert everything() == before, (method, path)


def posts(patterns: list[URLPattern | URLResolver]) -> list[URLPattern]:
    """Return every console page of a study."""
    found: list[URLPattern] = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += posts(pattern.url_patterns)
        elif "study" in pattern.pattern.converters:
            found.append(pattern)
    return found


@pytest.mark.nightly
def test_no_form_of_the_console_changes_anything(archived: Archived) -> None:
    client = Client()
    client.force_login(archived.owner)
    job = archived.study.jobs.first()
    names = {
        "study": archived.study.public_id,
        "purpose": "gold",
        "upload": archived.upload.public_id,
        "question": archived.question.public_id,
        "pseudonym": archived.annotator.pseudonym,
        "deed": "open",
        "member": 0,
        "panel": "systems",
        "job": job.public_id if job else "x",
        "number": 1,
        "page": "x",
        "filename": "x",
    }
    sent = {
        "reason": "because",
        "title": "Other",
        "count": 1,
        "authors": 1,
        "email": "x@example.org",
        "role": "viewer",
        "value": '{"best": 1, "worst": 2}',
        "heading": "Table",
        "system": "S",
        "per_hit": 1,
        "instructions": "Other.",
    }
    before = everything()
    tried = 0
    for pattern in posts(console_urls.urlpatterns):
        arguments = {name: names.get(name, 0) for name in pattern.pattern.converters}
        if pattern.name in ("erase-annotator", "copy"):
            continue  # personal data can be removed, see below, and a copy is another study
        url = reverse(f"console:{pattern.name}", kwargs=arguments)
        reply = client.post(url, sent | {"file": SimpleUploadedFile("f.csv", b"id\na\n")})
        assert reply.status_code < 500, url
        assert everything() == before, url
        tried += 1
    assert tried > 30


def test_personal_data_can_still_be_removed(archived: Archived) -> None:
    assert remove_personal_data(archived.annotator.annotator_id, user=archived.owner, reason="asked") >= 1
    assert Study.objects.get(pk=archived.study.pk).events.filter(verb="removed personal data").exists()
