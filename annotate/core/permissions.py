"""Permissions: the roles required for each action in a study, and the states in which it is possible.

Every service that writes calls `require` with the researcher who acts, or with `SYSTEM`. The console, the API and the
templates read the same table to offer only actions that are allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from django.db.models import QuerySet

from annotate.models import Membership, Study, User
from annotate.server.refusals import Refused

Role: TypeAlias = Membership.Role
State: TypeAlias = Study.State

MEMBERS = frozenset(Role)
REVIEWERS = frozenset([Role.OWNER, Role.MANAGER, Role.REVIEWER])
MANAGERS = frozenset([Role.OWNER, Role.MANAGER])
OWNERS = frozenset([Role.OWNER])
ANY_STATE = frozenset(State)
NOT_ARCHIVED = ANY_STATE - {State.ARCHIVED}
OPENED = NOT_ARCHIVED - {State.DRAFT}
DRAFT = frozenset([State.DRAFT])


class System(Enum):
    """The type of `SYSTEM`."""

    SYSTEM = "system"


SYSTEM: Final = System.SYSTEM
"""The actor for changes that no researcher requested, such as changes by operator commands, periodic tasks and their
jobs.
"""

Actor: TypeAlias = User | System


class Action(StrEnum):
    """An action that users can perform in a study. Pages of task types and other applications use `review` and `manage`
    for their own actions.
    """

    LOOK = "look"
    REVIEW = "review"
    MANAGE = "manage"
    OPEN = "open"
    PAUSE = "pause"
    CLOSE = "close"
    ARCHIVE = "archive"
    UNARCHIVE = "unarchive"
    COPY = "copy"
    DELETE_DRAFT = "delete_draft"
    CHANGE_SETTINGS = "change_settings"
    LINK_STUDIES = "link_studies"
    CHANGE_MEMBERS = "change_members"
    IMPORT_FILES = "import_files"
    REMOVE_IMPORT = "remove_import"
    BUILD_DESIGN = "build_design"
    ADD_ITEMS = "add_items"
    UPDATE_UNOPENED = "update_unopened"
    TRY_OUT = "try_out"
    DRAW_CANDIDATES = "draw_candidates"
    ANSWER_CANDIDATES = "answer_candidates"
    PROMOTE_CANDIDATES = "promote_candidates"
    EXCLUDE_GOLD = "exclude_gold"
    CHANGE_EXPECTED_ANSWERS = "change_expected_answers"
    ADD_JUDGEMENTS = "add_judgements"
    END_LEASES = "end_leases"
    IMPORT_RESULTS = "import_results"
    NAME_ANNOTATORS = "name_annotators"
    STOP_ANNOTATORS = "stop_annotators"
    RESTORE_ANNOTATORS = "restore_annotators"
    EXCLUDE_ANSWERS = "exclude_answers"
    PAY = "pay"
    SEE_PLATFORM_IDS = "see_platform_ids"
    REMOVE_PERSONAL_DATA = "remove_personal_data"
    DECIDE = "decide"
    REPLY = "reply"
    CALCULATE_REPORTS = "calculate_reports"
    SHARE_REPORTS = "share_reports"
    REVOKE_REPORT_LINKS = "revoke_report_links"
    ADD_AUTOMATIC_ANNOTATORS = "add_automatic_annotators"


@dataclass(frozen=True)
class Permission:
    """The roles that can perform an action, and the study states in which the action is possible."""

    roles: frozenset[Role]
    states: frozenset[State] = NOT_ARCHIVED


PERMISSIONS = {
    Action.LOOK: Permission(MEMBERS, ANY_STATE),
    Action.REVIEW: Permission(REVIEWERS),
    Action.MANAGE: Permission(MANAGERS),
    Action.OPEN: Permission(MANAGERS, frozenset([State.DRAFT, State.PAUSED, State.CLOSED])),
    Action.PAUSE: Permission(MANAGERS, frozenset([State.OPEN])),
    Action.CLOSE: Permission(MANAGERS, frozenset([State.OPEN, State.PAUSED])),
    Action.ARCHIVE: Permission(OWNERS, frozenset([State.DRAFT, State.CLOSED])),
    Action.UNARCHIVE: Permission(OWNERS, frozenset([State.ARCHIVED])),
    # A copy of a study contains the gold questions with their expected answers.
    Action.COPY: Permission(MANAGERS, ANY_STATE),
    Action.DELETE_DRAFT: Permission(OWNERS, DRAFT),
    Action.CHANGE_SETTINGS: Permission(MANAGERS),
    # A list of other studies reveals whether a person took part in them.
    Action.LINK_STUDIES: Permission(OWNERS),
    Action.CHANGE_MEMBERS: Permission(OWNERS),
    Action.IMPORT_FILES: Permission(MANAGERS),
    # After the study has been opened, researchers can remove only files that are not in the design.
    Action.REMOVE_IMPORT: Permission(MANAGERS),
    Action.BUILD_DESIGN: Permission(MANAGERS, DRAFT),
    Action.ADD_ITEMS: Permission(MANAGERS, OPENED),
    Action.UPDATE_UNOPENED: Permission(MANAGERS, OPENED),
    Action.TRY_OUT: Permission(REVIEWERS),
    Action.DRAW_CANDIDATES: Permission(MANAGERS),
    Action.ANSWER_CANDIDATES: Permission(REVIEWERS),
    Action.PROMOTE_CANDIDATES: Permission(MANAGERS),
    Action.EXCLUDE_GOLD: Permission(MANAGERS),
    Action.CHANGE_EXPECTED_ANSWERS: Permission(MANAGERS),
    Action.ADD_JUDGEMENTS: Permission(MANAGERS),
    Action.END_LEASES: Permission(REVIEWERS, OPENED),
    Action.IMPORT_RESULTS: Permission(MANAGERS, OPENED),
    Action.NAME_ANNOTATORS: Permission(MANAGERS),
    Action.STOP_ANNOTATORS: Permission(REVIEWERS),
    Action.RESTORE_ANNOTATORS: Permission(REVIEWERS),
    Action.EXCLUDE_ANSWERS: Permission(REVIEWERS),
    # Answers can arrive late, so payments are still possible in a closed study.
    Action.PAY: Permission(MANAGERS, OPENED),
    Action.SEE_PLATFORM_IDS: Permission(MANAGERS, ANY_STATE),
    # Researchers can remove personal data even from an archived study.
    Action.REMOVE_PERSONAL_DATA: Permission(MANAGERS, ANY_STATE),
    Action.DECIDE: Permission(REVIEWERS, OPENED),
    Action.REPLY: Permission(REVIEWERS),
    Action.CALCULATE_REPORTS: Permission(REVIEWERS),
    Action.SHARE_REPORTS: Permission(MANAGERS),
    # Links to an archived study's reports still work, so researchers can still revoke them.
    Action.REVOKE_REPORT_LINKS: Permission(MANAGERS, ANY_STATE),
    # Programs and simulated annotators receive all questions, including questions that no annotator has seen.
    Action.ADD_AUTOMATIC_ANNOTATORS: Permission(MANAGERS, frozenset([State.OPEN])),
}


def allows(role: str, action: str, state: str | None = None) -> bool:
    """Return whether a role allows an action and, if `state` is specified, whether the action is possible in this
    state.
    """
    permission = PERMISSIONS[Action(action)]
    return role in permission.roles and (state is None or state in permission.states)


def require(study: Study, user: Actor, action: Action) -> None:
    """Raise `Refused` (`not-allowed`) unless the user's role in the study allows the action. `SYSTEM` needs no role."""
    if user is not SYSTEM and not permitted_studies(user, action).filter(pk=study.pk).exists():
        label = action.replace("_", " ")
        raise Refused("not-allowed", f"Your role in this study does not allow this action: {label}.", status=403)


def permitted_study(study_id: int, user: Actor, action: Action) -> Study:
    """Return the study. Raise `Refused` (`not-allowed`) unless the user's role allows the action."""
    study = Study.objects.get(pk=study_id)
    require(study, user, action)
    return study


def locked_study(study_id: int, user: Actor, action: Action) -> Study:
    """Lock the study until the end of the transaction, and return it. Raise `Refused` (`not-allowed`) unless the user's
    role allows the action.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    require(study, user, action)
    return study


def require_account(user: Actor) -> None:
    """Raise `Refused` (`not-allowed`) unless the user has an active account. Any active user can create a study, and
    becomes its owner. `SYSTEM` cannot create a study, because every study needs an owner.
    """
    if not (isinstance(user, User) and user.is_active):
        raise Refused("not-allowed", "Only users with an active account can create a study.", status=403)


def refuse_state(study: Study, action: Action) -> None:
    """Raise `Refused` (`state`) unless the action is possible in the study's state."""
    if study.state not in PERMISSIONS[action].states:
        label = action.replace("_", " ")
        raise Refused("state", f"This action is not possible while the study is {study.state}: {label}.")


def permitted_studies(user: User, action: Action) -> QuerySet[Study]:
    """Return all studies, in any state, in which the user's role allows the action."""
    memberships = Membership.objects.filter(user=user, role__in=PERMISSIONS[action].roles)
    return Study.objects.filter(pk__in=memberships.values("study"))


def researcher(user: Actor) -> User | None:
    """Return the researcher who performed the action, or None for the system (stored as an empty field)."""
    return None if user is SYSTEM else user
