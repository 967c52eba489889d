"""Tests that services carry out every action in the table of permissions with every role and in every state."""

import inspect
import pkgutil
import zlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import date
from decimal import Decimal
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

import alignment_ui.words.services
import evaluation.services
from annotate import services
from annotate.exchange.identities import Identity
from annotate.exchange.mturk_results import write_results
from annotate.exchange.people import Person
from annotate.models import (
    Event,
    GoldJudgement,
    Job,
    Membership,
    Participation,
    Question,
    Report,
    ResultImport,
    Study,
    Upload,
    WaitingPerson,
)
from annotate.permissions import PERMISSIONS, SYSTEM, Action, Actor
from annotate.refusals import Refused
from annotate.services import (
    decisions,
    exclusion,
    extension,
    gold,
    groups,
    invitations,
    jobs,
    link_mail,
    listed,
    members,
    named,
    notes,
    open_hits,
    pay,
    prolific,
    prolific_bonuses,
    prolific_imports,
    prolific_rejections,
    prolific_remote,
    questionnaires,
    regrading,
    remarks,
    report_shares,
    result_imports,
    standing,
    supply,
    team_messages,
    todo_mail,
    waiting,
    webhooks,
)
from annotate.services.copies import copy_study
from annotate.services.design import build_design
from annotate.services.drafts import delete_draft, remove_import
from annotate.services.join import start_tryout
from annotate.services.mturk import import_results
from annotate.services.personal_data import remove_personal_data
from annotate.services.programs import add_program
from annotate.services.reports import make_report
from annotate.services.settings import change_settings, write_consent
from annotate.services.settings_import import import_settings
from annotate.services.simulate import simulate
from annotate.services.study import archive_study, close_study, create_study, open_study, pause_study, unarchive_study
from annotate.services.submit import submit
from annotate.services.unopened import update_unopened
from annotate.services.uploads import import_upload, receive
from evaluation.models import Submission
from evaluation.release.folder import About
from evaluation.services import systems
from evaluation.services.releases import make_release
from evaluation.services.splits import SplitChoice, choose_split, remove_split
from tests.factories import UserFactory, answers_to, make_annotator, make_study, take

pytestmark = pytest.mark.django_db

REPORTED = b"Submission id,Participant id,Status\ns,p,AWAITING REVIEW\n"
GOLD = b"Item1,Item2,Item3,Item4,BestItem,WorstItem\ni0,i1,i2,i3,i0,i3\n"
NO_RESULTS = "".join(write_results([])).encode()
PAID_ON = date(2026, 11, 20)
ABOUT = About("1.0", "CC-BY-4.0", date(2026, 11, 21))
AGE = {"name": "age", "kind": "number", "label": "Your age"}
Call = Callable[[Any, Any], object]


def place(s: Any) -> questionnaires.Place:
    return questionnaires.Place(s.study.pk, "screening", "age", revision=1)


# The services that carry out each action. The actions `review` and `manage` belong to other applications.
SERVICES: dict[Action, list[Call]] = {
    Action.LOOK: [lambda s, user: todo_mail.set_todo_mail(s.study.pk, user=user, wanted=True)],
    Action.REVIEW: [
        lambda s, user: notes.add_note(s.active.pk, text="Asked by e-mail.", user=user),
        lambda s, user: notes.mark_reviewed(s.active.pk, text="The answers are fine.", user=user),
        lambda s, user: systems.score_again(s.system, user=user),
        lambda s, user: systems.submit_system(s.study, system="Other", filename="a", data=b"", user=user),
    ],
    Action.MANAGE: [
        lambda s, user: make_release(s.study.pk, ABOUT, user=user),
        lambda s, user: choose_split(s.study.pk, SplitChoice(), user=user),
        lambda s, user: remove_split(s.study.pk, user=user),
        lambda s, user: systems.publish_table(s.study.pk, heading="Systems", user=user),
        lambda s, user: systems.withdraw_table(s.study.pk, user=user),
        lambda s, user: systems.show_in_public(s.system, True, user=user),
    ],
    Action.OPEN: [lambda s, user: open_study(s.study.pk, user=user)],
    Action.PAUSE: [lambda s, user: pause_study(s.study.pk, user=user)],
    Action.CLOSE: [lambda s, user: close_study(s.study.pk, user=user)],
    Action.ARCHIVE: [lambda s, user: archive_study(s.study.pk, user=user)],
    Action.UNARCHIVE: [lambda s, user: unarchive_study(s.study.pk, user=user)],
    Action.COPY: [lambda s, user: copy_study(s.study.pk, user=user)],
    Action.DELETE_DRAFT: [lambda s, user: delete_draft(s.unanswered.pk, user=user)],
    Action.REMOVE_IMPORT: [lambda s, user: remove_import(s.imported.pk, user=user)],
    Action.CHANGE_SETTINGS: [
        lambda s, user: change_settings(s.study.pk, user=user, title="Changed"),
        lambda s, user: write_consent(s.study.pk, "Agree?", user=user),
        lambda s, user: prolific.change_prolific(s.study.pk, secured=True, user=user),
        lambda s, user: questionnaires.change_questionnaire(s.study.pk, "screening", {}, revision=1, user=user),
        lambda s, user: questionnaires.add_question(
            s.study.pk, "screening", AGE | {"name": "q2"}, revision=1, user=user
        ),
        lambda s, user: questionnaires.replace_question(place(s), AGE, user=user),
        lambda s, user: questionnaires.move_question(place(s), by=1, user=user),
        lambda s, user: questionnaires.delete_question(place(s), user=user),
        lambda s, user: import_settings(s.study.pk, make_study(user=user).pk, ["pay"], user=user),
    ],
    Action.CHANGE_MEMBERS: [
        lambda s, user: members.change_role(s.study.pk, member=s.member, role="manager", user=user),
        lambda s, user: members.remove_member(s.study.pk, member=s.member, user=user),
        lambda s, user: invitations.invite(s.study.pk, email="ada@example.org", role="viewer", user=user),
        lambda s, user: invitations.withdraw(s.study.pk, invitation=s.invitation.public_id, user=user),
    ],
    Action.IMPORT_FILES: [
        lambda s, user: receive(s.study, purpose="gold", filename="gold.csv", data=GOLD, user=user),
        lambda s, user: import_upload(s.upload.pk, user=user),
        lambda s, user: jobs.request_job(s.study, "import:gold", parameters={"upload": s.upload.public_id}, user=user),
        lambda s, user: jobs.preview_job(s.upload, user=user),
    ],
    Action.ADD_ITEMS: [
        lambda s, user: extension.plan_extension(s.study.pk, user=user, progress=lambda share, text: None),
        lambda s, user: extension.add_items(s.study.pk, user=user),
        lambda s, user: extension.undo_extension(s.study.pk, user=user),
    ],
    Action.UPDATE_UNOPENED: [
        lambda s, user: update_unopened(s.study.pk, user=user, progress=lambda share, text: None),
    ],
    Action.BUILD_DESIGN: [
        lambda s, user: build_design(s.unanswered.pk, user=user),
        lambda s, user: jobs.request_job(s.unanswered, "design", user=user),
    ],
    Action.TRY_OUT: [lambda s, user: start_tryout(s.study, user=user)],
    Action.DRAW_CANDIDATES: [lambda s, user: gold.draw_candidates(s.study.pk, 1, user=user)],
    Action.ANSWER_CANDIDATES: [
        lambda s, user: gold.judge_candidate(s.candidate.pk, {"best": 1, "worst": 2}, user=user)
    ],
    Action.PROMOTE_CANDIDATES: [lambda s, user: gold.promote([s.candidate.pk], study_id=s.study.pk, user=user)],
    Action.EXCLUDE_GOLD: [lambda s, user: gold.exclude_gold(s.gold.pk, user=user, reason="wrong")],
    Action.CHANGE_EXPECTED_ANSWERS: [
        lambda s, user: regrading.preview_expected_answer(s.gold.pk, {"best": 1, "worst": 2}, user=user),
        lambda s, user: regrading.change_expected_answer(s.gold.pk, {"best": 1, "worst": 2}, user=user, reason="wrong"),
    ],
    Action.ADD_JUDGEMENTS: [
        lambda s, user: supply.add_slots(s.study.pk, user=user),
        lambda s, user: supply.add_to_all(s.study.pk, user=user),
        lambda s, user: supply.add_to_questions(s.study.pk, [s.question.pk], user=user),
        lambda s, user: supply.add_where_needed(s.study.pk, user=user),
    ],
    Action.END_LEASES: [lambda s, user: open_hits.end_lease(s.study.pk, s.open_hit.public_id, user=user)],
    Action.IMPORT_RESULTS: [
        lambda s, user: import_results(s.study.pk, NO_RESULTS, "r.csv", user=user),
        lambda s, user: result_imports.receive_results(s.study, filename="r.csv", data=NO_RESULTS, user=user),
        lambda s, user: result_imports.store_preview(s.results.pk, user=user),
        lambda s, user: result_imports.import_stored(s.results.pk, user=user),
        lambda s, user: result_imports.discard(s.results.pk, user=user),
        lambda s, user: result_imports.undo_import(s.results_done.pk, user=user),
    ],
    Action.NAME_ANNOTATORS: [
        lambda s, user: waiting.remove_waiting(s.study.pk, s.waiting.public_id, user=user),
        lambda s, user: listed.add_to_list(s.study.pk, "exclude", [Identity(1, "ada@example.org")], user=user),
        lambda s, user: listed.add_file_to_list(s.study.pk, "admit", b"ada@example.org", user=user),
        lambda s, user: listed.clear_list(s.study.pk, "admit", user=user),
        lambda s, user: groups.add_group(s.study.pk, "Class 7c", user=user),
        lambda s, user: groups.revoke_group(s.study.pk, s.group.public_id, user=user),
        lambda s, user: named.add_named(s.study.pk, ["Bea"], user=user),
        lambda s, user: named.add_file(s.study.pk, b"name\nCleo\n", "people.csv", user=user),
        lambda s, user: named.add_people(s.study.pk, [Person("Dan")], user=user),
        lambda s, user: link_mail.send_links(s.study.pk, user=user, progress=lambda share, text: None),
        lambda s, user: named.remove_named(s.study.pk, s.ada.public_id, user=user),
        lambda s, user: named.reserve(s.study.pk, hits=[2], named=s.ada.public_id, user=user),
        lambda s, user: named.unreserve(s.study.pk, named=s.ada.public_id, user=user),
        lambda s, user: named.share_out(s.study.pk, user=user),
    ],
    Action.STOP_ANNOTATORS: [lambda s, user: standing.stop(s.active.pk, reason="haste", user=user)],
    Action.RESTORE_ANNOTATORS: [lambda s, user: standing.restore(s.stopped.pk, reason="a mistake", user=user)],
    Action.EXCLUDE_ANSWERS: [
        lambda s, user: exclusion.exclude_answer(s.answer.pk, reason="careless", user=user),
        lambda s, user: exclusion.include_answer(s.excluded.pk, reason="a mistake", user=user),
    ],
    Action.PAY: [
        lambda s, user: pay.record_payment(s.study.pk, [s.due], reference="T2", paid_on=PAID_ON, user=user),
        lambda s, user: pay.give_bonus(s.study.pk, s.due.pseudonym, amount=Decimal(1), reason="Thanks.", user=user),
        lambda s, user: pay.correct_entry(s.study.pk, s.bonus, amount=Decimal(2), reason="A mistake.", user=user),
        lambda s, user: pay.undo_payment(s.study.pk, 1, reason="It failed.", user=user),
        lambda s, user: prolific_imports.preview_import(s.study.pk, REPORTED, "e.csv", user=user),
        lambda s, user: prolific_imports.import_previewed(s.study.pk, s.preview.public_id, user=user),
        lambda s, user: prolific_imports.import_file(s.study.pk, REPORTED, "e.csv", user=user),
        lambda s, user: prolific_imports.import_reports(s.study.pk, [], source="file", user=user),
        lambda s, user: prolific_imports.undo_import(s.study.pk, s.reported.public_id, user=user),
        lambda s, user: prolific_rejections.mark_rejection(
            s.study.pk, "s", category="NO_DATA", participant_message="No answers. " * 10, user=user
        ),
        lambda s, user: prolific_rejections.unmark_rejection(s.study.pk, "s", user=user),
        lambda s, user: prolific_bonuses.create_bonus_list(s.study.pk, user=user),
        lambda s, user: prolific_bonuses.confirm_bonus_list(s.study.pk, 1, user=user),
        lambda s, user: prolific_bonuses.cancel_bonus_list(s.study.pk, 1, user=user),
        lambda s, user: prolific_bonuses.record_approved(s.study.pk, user=user),
        lambda s, user: prolific_bonuses.record_paid_list(s.study.pk, 1, user=user),
        lambda s, user: prolific_remote.link_study(s.study.pk, "5f8a", user=user),
        lambda s, user: prolific_remote.create_draft(s.study.pk, minutes=5, places=5, user=user),
        lambda s, user: prolific_remote.fetch_submissions(s.study.pk, user=user),
        lambda s, user: prolific_remote.approve_submissions(s.study.pk, user=user, progress=no_progress),
        lambda s, user: prolific_remote.pay_bonus_list(s.study.pk, 1, user=user, progress=no_progress),
    ],
    Action.REMOVE_PERSONAL_DATA: [
        lambda s, user: remove_personal_data(s.active.annotator_id, user=user, reason="asked")
    ],
    Action.DECIDE: [
        lambda s, user: decisions.decide(s.question.pk, {"best": 1, "worst": 2}, user=user),
        lambda s, user: decisions.keep_both(s.question.pk, user=user),
        lambda s, user: decisions.undo(s.decided.pk, user=user),
        lambda s, user: decisions.withdraw(s.decided.pk, user=user),
    ],
    Action.REPLY: [
        lambda s, user: remarks.reply_to(s.study.pk, s.remark.public_id, text="Thank you.", user=user),
        lambda s, user: team_messages.send_to_annotator(s.active.pk, text="Thank you.", user=user),
        lambda s, user: team_messages.send_to_all(s.study.pk, text="Thank you.", user=user),
    ],
    Action.CALCULATE_REPORTS: [
        lambda s, user: make_report(
            s.study.pk, kind="progress", parameters={}, user=user, progress=lambda share, text: None
        ),
        lambda s, user: jobs.request_job(s.study, "report:progress", user=user),
    ],
    Action.SHARE_REPORTS: [lambda s, user: report_shares.share_report(s.share.report_id, days=7, user=user)],
    Action.REVOKE_REPORT_LINKS: [lambda s, user: report_shares.revoke_share(s.share.pk, user=user)],
    Action.SIMULATE_ANNOTATORS: [lambda s, user: simulate(s.study, user=user, annotators=1)],
    Action.MANAGE_WEBHOOKS: [
        lambda s, user: webhooks.add_webhook(
            s.study.pk, url="https://example.org/hook", kinds=["study.complete"], user=user
        ),
        lambda s, user: webhooks.change_webhook(s.webhook.pk, active=False, user=user),
        lambda s, user: webhooks.replace_secret(s.webhook.pk, user=user),
        lambda s, user: webhooks.send_test(s.webhook.pk, user=user),
        lambda s, user: webhooks.delete_webhook(s.webhook.pk, user=user),
    ],
    Action.ADD_PROGRAMS: [lambda s, user: add_program(s.study.pk, platform="system", name="baseline", user=user)],
}

# Functions with the parameter `user` that other services call after they have checked the role, or that concern the
# user's own account. The tests of word alignment cover the review of phrase pairs.
OTHERWISE = {
    "accept",
    "carry_out",
    "calculate_signs",
    "confirm_address",
    "copied_settings",
    "copy_contents",
    "create_study",
    "draw_sample",
    "import_file",
    "import_items",
    "set_layout",
    "is_administrator",
    "judge",
    "lock_members",
    "login_path",
    "make_token",
    "new_api_token",
    "note",
    "once",
    "preview_file",
    "record",
    "recount_changed",
    "remove_second_factors",
    "revoke_all_tokens",
    "revoke_token",
    "save_report",
    "refuse_unowned",
    "reinstate",
    "remove_assignments",
    "unowned_studies",
}
# Outcomes in a state that allows the action. The study has no leaderboard, the file of the system has faults, and
# simulated annotators cannot join people.
POSSIBLE = (
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
    "people",
)


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
    exclusion.exclude_answer(excluded.pk, reason="careless", user=SYSTEM)
    open_hit = take(make_annotator(study))
    standing.stop(stopped.pk, reason="haste", user=SYSTEM)
    question, decided = study.questions.filter(kind=Question.Kind.REGULAR)[:2]
    decisions.decide(decided.pk, {"best": 1, "worst": 2}, user=owner)
    make_report(study.pk, kind="results", parameters={"splits": 2}, user=SYSTEM, progress=lambda share, text: None)
    member = UserFactory()
    Membership.objects.create(study=study, user=member, role=Membership.Role.VIEWER)
    unanswered = make_study(items=8, state="draft")
    part = pay.Due(active.pseudonym, Decimal("0.20"), Decimal(0))
    pay.record_payment(study.pk, [part], reference="T1", paid_on=PAID_ON, user=SYSTEM)
    bonus = pay.give_bonus(study.pk, active.pseudonym, amount=Decimal(1), reason="Thanks.", user=SYSTEM)
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
        results=ResultImport.objects.create(study=study, filename="r.csv", size=0, content=zlib.compress(NO_RESULTS)),
        results_done=ResultImport.objects.create(study=study, filename="r.csv", size=0, imported_at=timezone.now()),
        active=active,
        stopped=stopped,
        question=question,
        decided=decided,
        gold=study.questions.filter(kind=Question.Kind.GOLD)[0],
        candidate=gold.draw_candidates(study.pk, 1, user=SYSTEM)[0],
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
        invitation=invitations.invite(study.pk, email="bob@example.org", role="viewer", user=SYSTEM),
        upload=receive(study, purpose="gold", filename="gold.csv", data=GOLD, user=SYSTEM),
        webhook=webhooks.add_webhook(study.pk, url="https://example.org/", kinds=["study.complete"], user=SYSTEM)[0],
        share=report_shares.share_report(
            study.reports.create(kind="results", number=0, seed=1, result={}).pk, days=7, user=SYSTEM
        )[0],
        system=Submission.objects.create(study=study, number=1, system="One", filename="a", content=b"", size=0),
    )


def no_progress(share: float, text: str) -> None:
    """Ignore the progress of a job."""


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


def rows() -> list[int]:
    return [model.objects.count() for model in (Event, GoldJudgement, Job, Participation, Report, Upload)]


def member_with(role: str, s: SimpleNamespace) -> Any:
    """Return a user with this role in both studies, or a stranger."""
    user = UserFactory()
    if role in Membership.Role.values:
        for study in (s.study, s.unanswered):
            Membership.objects.create(study=study, user=user, role=role)
    return user


def calls() -> Iterator[tuple[Action, int, Call]]:
    for action, functions in SERVICES.items():
        for number, call in enumerate(functions):
            yield action, number, call


def test_every_action_has_its_services() -> None:
    assert SERVICES.keys() | {Action.LINK_STUDIES, Action.SEE_PLATFORM_IDS} == set(Action)


def test_every_service_of_a_researcher_is_in_the_table() -> None:
    tested = {name for _, _, call in calls() for name in call.__code__.co_names}
    for package in (services, evaluation.services, alignment_ui.words.services):
        for module in pkgutil.iter_modules(package.__path__):
            for name, function in inspect.getmembers(import_module(f"{package.__name__}.{module.name}")):
                own = inspect.isfunction(function) and function.__module__.endswith(f".{module.name}")
                if own and not name.startswith("_") and "user" in inspect.signature(function).parameters:
                    assert name in tested | OTHERWISE, f"{module.name}.{name}"


@pytest.mark.parametrize("role", ["stranger", *Membership.Role.values])
def test_services_refuse_other_roles(role: str, s: SimpleNamespace) -> None:
    user = member_with(role, s)
    for action, number, call in calls():
        permission = PERMISSIONS[action]
        state = min(permission.states, key=lambda state: state != Study.State.OPEN)
        refused = outcome(s, call, user, state) == "not-allowed"
        assert refused == (role not in permission.roles), f"{action} {number} as {role}"


def test_services_refuse_other_states(s: SimpleNamespace) -> None:
    owner = member_with("owner", s)
    for action, number, call in calls():
        for state in Study.State:
            done = outcome(s, call, owner, state)
            if state in PERMISSIONS[action].states:
                assert done in POSSIBLE, f"{action} {number} while the study is {state}: {done}"
            else:
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
