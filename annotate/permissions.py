"""Permissions: the roles that each action in a study requires, and the states in which the action is possible.

Services enforce this table. The console, the API and the templates read it to offer only actions that are allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from annotate.models import Membership, Study, User
from annotate.refusals import Refused

Role: TypeAlias = Membership.Role
State: TypeAlias = Study.State

MEMBERS = frozenset(Role)
REVIEWERS = frozenset([Role.OWNER, Role.MANAGER, Role.REVIEWER])
MANAGERS = frozenset([Role.OWNER, Role.MANAGER])
OWNERS = frozenset([Role.OWNER])
ANY_STATE = frozenset(State)


class Action(StrEnum):
    """An action that users can carry out in a study. The first four members stand for all actions that need the same
    roles and have no member of their own.
    """

    LOOK = "look"
    REVIEW = "review"
    MANAGE = "manage"
    OWN = "own"
    OPEN = "open"
    PAUSE = "pause"
    CLOSE = "close"
    ARCHIVE = "archive"
    CHANGE_SETTINGS = "change_settings"
    CHANGE_MEMBERS = "change_members"
    REMOVE_PERSONAL_DATA = "remove_personal_data"
    REPLY = "reply"


@dataclass(frozen=True)
class Permission:
    """The roles that may carry out an action, and the states of the study in which the action is possible."""

    roles: frozenset[Role]
    states: frozenset[State] = ANY_STATE


PERMISSIONS = {
    Action.LOOK: Permission(MEMBERS),
    Action.REVIEW: Permission(REVIEWERS),
    Action.MANAGE: Permission(MANAGERS),
    Action.OWN: Permission(OWNERS),
    Action.OPEN: Permission(MANAGERS, frozenset([State.DRAFT, State.PAUSED, State.CLOSED])),
    Action.PAUSE: Permission(MANAGERS, frozenset([State.OPEN])),
    Action.CLOSE: Permission(MANAGERS, frozenset([State.OPEN, State.PAUSED])),
    # Archiving cannot be undone, so a manager cannot archive a study.
    Action.ARCHIVE: Permission(OWNERS, frozenset([State.DRAFT, State.CLOSED])),
    Action.CHANGE_SETTINGS: Permission(MANAGERS, ANY_STATE - {State.ARCHIVED}),
    Action.CHANGE_MEMBERS: Permission(OWNERS),
    Action.REMOVE_PERSONAL_DATA: Permission(MANAGERS),
    Action.REPLY: Permission(REVIEWERS, ANY_STATE - {State.ARCHIVED}),
}


def allows(role: str, action: str, state: str | None = None) -> bool:
    """Return whether a role allows an action and, if `state` is given, whether the action is possible in this state."""
    permission = PERMISSIONS[Action(action)]
    return role in permission.roles and (state is None or state in permission.states)


def require(study: Study, user: User | None, action: Action) -> None:
    """Raise `Refused` (`not-allowed`) unless the user's role in the study allows the action.

    Commands of the operator pass None as `user`, and need no role.
    """
    if user is None:
        return
    if not study.memberships.filter(user=user, role__in=PERMISSIONS[action].roles).exists():
        label = action.replace("_", " ")
        raise Refused("not-allowed", f"Your role in this study does not allow this action: {label}.", status=403)
