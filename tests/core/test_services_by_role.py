"""Tests that services carry out every action in the table of permissions with every role and in every state."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from annotate.core.permissions import PERMISSIONS, SYSTEM, Action, Actor
from annotate.core.services import jobs, remarks, standing
from annotate.core.services.submit import submit
from annotate.data.services.uploads import receive
from annotate.gold import services as gold_services
from annotate.models import (
    Event,
    GoldJudgement,
    Job,
    Membership,
    Participation,
    Question,
    Report,
    Study,
    Upload,
    WaitingPerson,
)
from annotate.pay import services as pay_services
from annotate.people import services as people_services
from annotate.prolific.services import imports as prolific_imports
from annotate.questions.services import decisions
from annotate.recruiting.services import groups, named, questionnaires
from annotate.results import services as results_services
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.studies.services import members
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import create_study
from evaluation.models import Submission
from tests import rooms
from tests.core.test_permissions_services import AGE, GOLD, PAID_ON, REPORTED, SERVICES, Call, calls
from tests.factories import UserFactory, answers_to, make_annotator, make_study, take

pytestmark = pytest.mark.django_db

# Outcomes in a state that allows the action. The study has no leaderboard, the file of the system has faults, and
# simulated annotators cannot join people.
POSSIBLE = (
    "changed",  # there is no removal to undo
    "invalid",  # a layout without an encoding
    "no-labels",
    "cannot-compare",  # the uploaded file is no release
    "no-unopened",
    "mail",
    "done",
    "nothing",
    "nothing-due",
    "no-api",
    "faults",
    "draft",
    "one-answer",
    "locked",
    "no-items",
    "no-extension",
    "not_found",
    "people",
)


COUNTED = (Event, GoldJudgement, Job, Participation, Report, Upload)


@pytest.fixture(scope="module")
def shared_objects(share: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    return share(make_objects)


@pytest.fixture
def s(shared_objects: SimpleNamespace, db: None) -> SimpleNamespace:
    """Return copies of the shared objects, because services change the objects that they receive."""
    return deepcopy(shared_objects)


def make_objects() -> SimpleNamespace:
    """Return a study with everything that the services change, and a study without answers whose design can
    be built.
    """
    study = make_study(items=8, gold=4)
    owner = study.memberships.get().user
    active, stopped = make_annotator(study), make_annotator(study)
    assignment = take(active)
    remark = remarks.send_remark(active.pk, assignment.public_id, 1, kind="problem", text="The items are the same.")
    submit(active.pk, assignment.public_id, answers_to(assignment))
    answer, excluded = assignment.answers.filter(question__kind=Question.Kind.REGULAR).order_by("position")[:2]
    people_services.exclude_answer(excluded.pk, reason="careless", user=SYSTEM)
    open_hit = take(make_annotator(study))
    standing.stop(stopped.pk, reason="haste", user=SYSTEM)
    question, decided = study.questions.filter(kind=Question.Kind.REGULAR)[:2]
    decisions.decide(decided.pk, {"best": 1, "worst": 2}, user=owner)
    make_report(study.pk, kind="results", parameters={"splits": 2}, user=SYSTEM, progress=lambda share, text: None)
    member = UserFactory()
    Membership.objects.create(study=study, user=member, role=Membership.Role.VIEWER)
    unanswered = make_study(items=8, state="draft")
    part = pay_services.Due(active.pseudonym, Decimal("0.20"), Decimal(0))
    pay_services.record_payment(study.pk, [part], reference="T1", paid_on=PAID_ON, user=SYSTEM)
    bonus = pay_services.give_bonus(study.pk, active.pseudonym, amount=Decimal(1), reason="Thanks.", user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(admission=Study.Admission.NAMED)
    (ada,) = named.add_named(study.pk, ["Ada"], user=SYSTEM)
    _, reported = prolific_imports.import_file(study.pk, REPORTED, "e.csv", user=SYSTEM)
    bonuses = study.bonus_lists.create(number=1)
    bonuses.shares.create(participation=active, amount=Decimal("0.10"))
    questionnaires.change_questionnaire(study.pk, "screening", {"questions": [AGE]}, revision=0, user=SYSTEM)
    return SimpleNamespace(
        study=study,
        reported=reported,
        preview=prolific_imports.preview_import(study.pk, REPORTED.replace(b"s,", b"t,"), "f.csv", user=SYSTEM),
        unanswered=unanswered,
        imported=unanswered.uploads.get(),
        active=active,
        stopped=stopped,
        question=question,
        decided=decided,
        gold=study.questions.filter(kind=Question.Kind.GOLD)[0],
        candidate=gold_services.draw_candidates(study.pk, 1, user=SYSTEM)[0],
        member=member,
        due=replace(part, paid=part.amount),
        bonus=bonus.public_id,
        remark=remark,
        answer=answer,
        open_hit=open_hit,
        ada=ada,
        waiting=WaitingPerson.objects.create(study=study),
        group=groups.add_group(study.pk, "Class 7b", user=SYSTEM),
        excluded=excluded,
        invitation=members.invite(study.pk, email="bob@example.org", role="viewer", user=SYSTEM),
        upload=receive(study, purpose="gold", filename="gold.csv", data=GOLD, user=SYSTEM),
        share=results_services.share_report(
            study.reports.create(kind="results", number=0, seed=1, result={}).pk, days=7, user=SYSTEM
        )[0],
        system=Submission.objects.create(study=study, number=1, system="One", filename="a", content=b"", size=0),
        **rooms.objects(study, owner),
    )


def outcome(s: SimpleNamespace, call: Call, user: Actor, state: str) -> str:
    """Carry out the action, roll it back, and return `done`, `nothing` (no change), or the code of the refusal."""
    with transaction.atomic():
        Study.objects.update(state=state)
        for each in (s.study, s.unanswered, s.upload.study, s.system.study):
            each.state = state
        before = rows()
        try:
            with transaction.atomic():
                call(s, user)
        except Refused as refusal:
            result = refusal.code
        else:
            result = "nothing" if rows() == before else "done"
        transaction.set_rollback(True)
    return result


def rows() -> tuple[int, ...]:
    """Return the number of rows of each table that services add rows to, with one query."""
    counts = [f"(SELECT count(*) FROM {model._meta.db_table})" for model in COUNTED]  # noqa: S608 (our own names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counts)}")
        return tuple(cursor.fetchone())


def member_with(role: str, s: SimpleNamespace) -> Any:
    """Return a user with this role in both studies, or a stranger."""
    user = UserFactory()
    if role in Membership.Role.values:
        for study in (s.study, s.unanswered):
            Membership.objects.create(study=study, user=user, role=role)
    return user


@pytest.mark.parametrize("role", ["stranger", "viewer", "reviewer", "manager"])
def test_services_refuse_other_roles(role: str, s: SimpleNamespace) -> None:
    """The owner carries out all actions in the next test."""
    user = member_with(role, s)
    for action, number, call in calls():
        permission = PERMISSIONS[action]
        state = min(sorted(permission.states), key=lambda state: state != Study.State.OPEN)
        refused = outcome(s, call, user, state) == "not-allowed"
        assert refused == (role not in permission.roles), f"{action} {number} as {role}"


@pytest.mark.nightly
def test_services_refuse_other_states(s: SimpleNamespace) -> None:
    owner = member_with("owner", s)
    for action, number, call in calls():
        allowed = PERMISSIONS[action].states
        state = max(sorted(allowed), key=lambda state: state != Study.State.OPEN)  # above, studies are open
        done = outcome(s, call, owner, state)
        assert done in POSSIBLE, f"{action} {number} while the study is {state}: {done}"
        for state in set(Study.State) - set(allowed):
            done = outcome(s, call, owner, state)
            assert done not in ("done", "not-allowed"), f"{action} {number} while the study is {state}"


def test_the_system_needs_no_role(s: SimpleNamespace) -> None:
    assert outcome(s, SERVICES[Action.STOP_ANNOTATORS][0], SYSTEM, "open") == "done"


def test_a_missing_user_is_not_the_system(s: SimpleNamespace) -> None:
    nobody: Any = None
    assert outcome(s, SERVICES[Action.STOP_ANNOTATORS][0], nobody, "open") == "not-allowed"


def test_a_study_is_created_by_a_user_with_an_active_account() -> None:
    with pytest.raises(Refused, match="Only users with an active account can create a study"):
        create_study(user=UserFactory(is_active=False), title="Study", task_type="bws")
    with pytest.raises(Refused, match="Only users with an active account can create a study"):
        create_study(user=SYSTEM, title="Study", task_type="bws")  # type: ignore[arg-type]
    user = UserFactory()
    study = create_study(user=user, title="Study", task_type="bws")
    assert study.memberships.get().user == user


def test_only_owners_link_studies(s: SimpleNamespace) -> None:
    for role in Membership.Role.values:
        user = member_with(role, s)

        def link(s: SimpleNamespace, user: Any) -> None:
            change_settings(s.study.pk, user=user, excluded_studies=[s.unanswered.public_id])

        allowed = role in PERMISSIONS[Action.LINK_STUDIES].roles
        assert (outcome(s, link, user, "open") == "done") == allowed, role


def test_a_reviewer_cannot_start_the_import_of_a_manager_again(s: SimpleNamespace) -> None:
    """The page of jobs is open to all members, so the action of the job decides."""
    parameters = {"work": "import:gold", "upload": s.upload.public_id}
    job = Job.objects.create(study=s.study, kind="import-gold", state=Job.State.FAILED, parameters=parameters)
    for role in Membership.Role.values:
        client = Client()
        client.force_login(member_with(role, s))
        allowed = role in PERMISSIONS[Action.IMPORT_FILES].roles
        page = client.get(f"/console/{s.study.public_id}/jobs/")
        assert ("Rerun the job" in page.text) == allowed, role
        with transaction.atomic():
            status = client.post(f"/console/{s.study.public_id}/jobs/{job.public_id}/again/").status_code
            transaction.set_rollback(True)
        assert status == (302 if allowed else 404), role


def test_a_job_needs_the_role_of_its_requester_when_it_runs(s: SimpleNamespace) -> None:
    user = member_with("manager", s)
    job = jobs.request_job(s.unanswered, "design", user=user)
    s.unanswered.memberships.filter(user=user).delete()
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "Your role in this study does not allow this action: build design.")
