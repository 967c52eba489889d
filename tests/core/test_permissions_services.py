"""The services that carry out each action, and tests that no service of a researcher is missing."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from importlib import import_module
from typing import Any

import alignment_ui.words
import annotate
import evaluation
import releases
from accord_core.exchange.identities import Identity
from accord_core.exchange.layout import Layout
from accord_core.exchange.people import Person
from annotate.annotator.simulation import simulate
from annotate.console import services as console_services
from annotate.core.permissions import Action
from annotate.core.services import jobs, open_hits, regrading, remarks, standing
from annotate.data.services import extension, rounds
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_upload, read_again
from annotate.data.services.reading import preview_job
from annotate.data.services.removal import remove_import, restore_import
from annotate.data.services.unopened import update_unopened
from annotate.data.services.uploads import receive
from annotate.gold import services as gold_services
from annotate.messages import services as messages_services
from annotate.pay import services as pay_services
from annotate.people import services as people_services
from annotate.people.services import remove_personal_data
from annotate.prolific.services import bonuses as prolific_bonuses
from annotate.prolific.services import imports as prolific_imports
from annotate.prolific.services import rejections as prolific_rejections
from annotate.prolific.services import remote as prolific_remote
from annotate.prolific.services import settings as prolific
from annotate.questions.services import decisions, more_judgements
from annotate.recruiting.services import groups, link_mail, listed, named, questionnaires, waiting
from annotate.recruiting.services.join import start_tryout
from annotate.results import services as results_services
from annotate.results.services import make_report
from annotate.studies.services import members
from annotate.studies.services.copies import copy_study, delete_draft
from annotate.studies.services.settings import change_settings, write_consent
from annotate.studies.services.settings_import import import_settings
from annotate.studies.services.study import archive_study, close_study, open_study, pause_study, unarchive_study
from annotate.studies.services.team import make_crowd, make_team
from evaluation.services import systems
from evaluation.services.splits import SplitChoice, choose_split, remove_split
from releases.contents.folder import About
from releases.services.compare import Uploaded, request_comparison
from releases.services.releases import make_release
from tests.factories import make_study
from tests.rooms import rows

REPORTED = b"Submission id,Participant id,Status\ns,p,AWAITING REVIEW\n"
GOLD = b"Item1,Item2,Item3,Item4,BestItem,WorstItem\ni0,i1,i2,i3,i0,i3\n"
PAID_ON = date(2026, 11, 20)
ABOUT = About("1.0", "CC-BY-4.0", date(2026, 11, 21))
AGE = {"name": "age", "kind": "number", "label": "Your age"}
Call = Callable[[Any, Any], object]


def no_progress(share: float, text: str) -> None:
    """Ignore the progress of a job."""


def place(s: Any) -> questionnaires.Place:
    return questionnaires.Place(s.study.pk, "screening", "age", revision=1)


# The services that carry out each action. The actions `review` and `manage` belong to other applications.
SERVICES: dict[Action, list[Call]] = {
    Action.LOOK: [lambda s, user: console_services.set_todo_mail(s.study.pk, user=user, wanted=True)],
    Action.REVIEW: [
        lambda s, user: people_services.add_note(s.active.pk, text="Asked by e-mail.", user=user),
        lambda s, user: people_services.mark_reviewed(s.active.pk, text="The answers are fine.", user=user),
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
    Action.REMOVE_IMPORT: [
        lambda s, user: remove_import(s.imported.pk, user=user),
        lambda s, user: restore_import(s.imported.pk, seen="", user=user),
        lambda s, user: read_again(s.imported.pk, Layout(), user=user),
    ],
    Action.CHANGE_SETTINGS: [
        lambda s, user: change_settings(s.study.pk, user=user, title="Changed"),
        lambda s, user: write_consent(s.study.pk, "Agree?", user=user),
        lambda s, user: make_team(s.unanswered.pk, user=user),
        lambda s, user: make_crowd(s.unanswered.pk, user=user),
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
        lambda s, user: members.invite(s.study.pk, email="ada@example.org", role="viewer", user=user),
        lambda s, user: members.withdraw(s.study.pk, invitation=s.invitation.public_id, user=user),
    ],
    Action.IMPORT_FILES: [
        lambda s, user: receive(s.study, purpose="gold", filename="gold.csv", data=GOLD, user=user),
        lambda s, user: import_upload(s.upload.pk, user=user),
        lambda s, user: jobs.request_job(s.study, "import:gold", parameters={"upload": s.upload.public_id}, user=user),
        lambda s, user: preview_job(s.upload, user=user),
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
    Action.DRAW_CANDIDATES: [lambda s, user: gold_services.draw_candidates(s.study.pk, 1, user=user)],
    Action.ANSWER_CANDIDATES: [
        lambda s, user: gold_services.judge_candidate(s.candidate.pk, {"best": 1, "worst": 2}, user=user)
    ],
    Action.PROMOTE_CANDIDATES: [
        lambda s, user: gold_services.promote([s.candidate.pk], study_id=s.study.pk, user=user),
        lambda s, user: gold_services.undo_promotion(s.study.pk, seen="", user=user),
    ],
    Action.EXCLUDE_GOLD: [
        lambda s, user: gold_services.exclude_gold(s.gold.pk, user=user, reason="wrong"),
        lambda s, user: gold_services.undo_exclusion(s.gold.pk, seen="", user=user),
    ],
    Action.CHANGE_EXPECTED_ANSWERS: [
        lambda s, user: regrading.preview_expected_answer(s.gold.pk, {"best": 1, "worst": 2}, user=user),
        lambda s, user: regrading.change_expected_answer(s.gold.pk, {"best": 1, "worst": 2}, user=user, reason="wrong"),
        lambda s, user: regrading.stop_and_restore(s.study, [], [], reason="wrong", user=user, progress=no_progress),
    ],
    Action.ADD_JUDGEMENTS: [
        lambda s, user: more_judgements.add_slots(s.study.pk, user=user),
        lambda s, user: more_judgements.add_to_all(s.study.pk, user=user),
        lambda s, user: more_judgements.add_to_questions(s.study.pk, [s.question.pk], user=user),
        lambda s, user: more_judgements.add_where_needed(s.study.pk, user=user),
        lambda s, user: rounds.choose_round(s.study, 4, user=user),
        lambda s, user: rounds.add_round(s.study.pk, 1, user=user),
    ],
    Action.END_LEASES: [
        lambda s, user: open_hits.end_lease(s.study.pk, s.open_hit.public_id, user=user),
        lambda s, user: open_hits.restore_lease(s.study.pk, s.open_hit.public_id, seen="", user=user),
    ],
    Action.IMPORT_RESULTS: [],  # only a room that can be removed imports results
    Action.NAME_ANNOTATORS: [
        lambda s, user: waiting.remove_waiting(s.study.pk, s.waiting.public_id, user=user),
        lambda s, user: listed.add_to_list(s.study.pk, "exclude", [Identity(1, "ada@example.org")], user=user),
        lambda s, user: listed.add_file_to_list(s.study.pk, "admit", b"ada@example.org", user=user),
        lambda s, user: listed.clear_list(s.study.pk, "admit", user=user),
        lambda s, user: groups.add_group(s.study.pk, "Class 7c", user=user),
        lambda s, user: groups.set_quota(s.study.pk, s.group.public_id, None, user=user),
        lambda s, user: groups.set_population(s.study.pk, s.group.public_id, 70, user=user),
        lambda s, user: groups.revoke_group(s.study.pk, s.group.public_id, user=user),
        lambda s, user: groups.restore_group(s.study.pk, s.group.public_id, seen="", user=user),
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
        lambda s, user: people_services.exclude_answer(s.answer.pk, reason="careless", user=user),
        lambda s, user: people_services.include_answer(s.excluded.pk, reason="a mistake", user=user),
    ],
    Action.PAY: [
        lambda s, user: pay_services.record_payment(s.study.pk, [s.due], reference="T2", paid_on=PAID_ON, user=user),
        lambda s, user: pay_services.give_bonus(
            s.study.pk, s.due.pseudonym, amount=Decimal(1), reason="Thanks.", user=user
        ),
        lambda s, user: pay_services.correct_entry(
            s.study.pk, s.bonus, amount=Decimal(2), reason="A mistake.", user=user
        ),
        lambda s, user: pay_services.undo_payment(s.study.pk, 1, reason="It failed.", user=user),
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
        lambda s, user: prolific_remote.pause_places(s.study.pk, user=user),
        lambda s, user: prolific_remote.fetch_submissions(s.study.pk, user=user),
        lambda s, user: prolific_remote.approve_submissions(s.study.pk, user=user, progress=no_progress),
        lambda s, user: prolific_remote.pay_bonus_list(s.study.pk, 1, user=user, progress=no_progress),
    ],
    Action.REMOVE_PERSONAL_DATA: [
        lambda s, user: remove_personal_data(s.active.annotator_id, user=user, reason="asked")
    ],
    Action.DECIDE: [
        lambda s, user: decisions.decide(s.question.pk, {"best": 1, "worst": 2}, user=user),
        lambda s, user: gold_services.keep_expected_answer(s.gold.pk, user=user),
        lambda s, user: gold_services.reopen_disputes(s.gold.pk, user=user),
        lambda s, user: decisions.keep_both(s.question.pk, user=user),
        lambda s, user: decisions.undo(s.decided.pk, user=user),
        lambda s, user: decisions.withdraw(s.decided.pk, user=user),
        lambda s, user: results_services.draw_error_sample(s.study.pk, wanted=0.05, user=user),
    ],
    Action.REPLY: [
        lambda s, user: remarks.reply_to(s.study.pk, s.remark.public_id, text="Thank you.", user=user),
        lambda s, user: messages_services.send_to_annotator(s.active.pk, text="Thank you.", user=user),
        lambda s, user: messages_services.send_to_all(s.study.pk, text="Thank you.", user=user),
    ],
    Action.CALCULATE_REPORTS: [
        lambda s, user: make_report(
            s.study.pk, kind="progress", parameters={}, user=user, progress=lambda share, text: None
        ),
        lambda s, user: jobs.request_job(s.study, "report:progress", user=user),
        lambda s, user: request_comparison(s.study, Uploaded("no-release.zip", b""), is_original=False, user=user),
    ],
    Action.SHARE_REPORTS: [
        lambda s, user: results_services.share_report(s.share.report_id, days=7, user=user),
        lambda s, user: results_services.restore_share(s.share.pk, seen="", user=user),
    ],
    Action.REVOKE_REPORT_LINKS: [lambda s, user: results_services.revoke_share(s.share.pk, user=user)],
    Action.ADD_AUTOMATIC_ANNOTATORS: [lambda s, user: simulate(s.study, user=user, annotators=1)],
}
for action, call in rows("SERVICES"):
    SERVICES[action].append(call)

# Functions with the parameter `user` that other services call after they have checked the role, or that concern the
# user's own account. The tests of word alignment cover the review of phrase pairs.
OTHERWISE = {
    "accept",
    "calculate_signs",
    "confirm_address",
    "copied_settings",
    "copy_contents",
    "create_from_file",
    "create_study",
    "create_team_study",
    "draw_sample",
    "repeat_study",
    "write_design",
    "import_file",
    "import_items",
    "set_layout",
    "suit_wording",
    "is_administrator",
    "judge",
    "lock_members",
    "login_path",
    "make_token",
    "new_api_token",
    "note",
    "payable_study",
    "calculate_assisted",
    "carry_out_once",
    "locked_idle",
    "record",
    "record_exclusion",
    "recount_changed",
    "remove_second_factors",
    "revoke_all_tokens",
    "revoke_token",
    "save_longer_design",
    "save_report",
    "refuse_unowned",
    "reinstate",
    "unowned_studies",
    *rows("OTHERWISE"),
}


def calls() -> Iterator[tuple[Action, int, Call]]:
    for action, functions in SERVICES.items():
        for number, call in enumerate(functions):
            yield action, number, call


def test_every_action_has_its_services() -> None:
    assert SERVICES.keys() | {Action.LINK_STUDIES, Action.SEE_PLATFORM_IDS} == set(Action)


def test_every_service_of_a_researcher_is_in_the_table() -> None:
    tested = {name for _, _, call in calls() for name in call.__code__.co_names}
    for package in (annotate, evaluation, alignment_ui.words, releases):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".services." not in f"{found.name}.":
                continue
            for name, function in inspect.getmembers(import_module(found.name)):
                own = inspect.isfunction(function) and function.__module__ == found.name
                if own and not name.startswith("_") and "user" in inspect.signature(function).parameters:
                    assert name in tested | OTHERWISE, f"{found.name}.{name}"
