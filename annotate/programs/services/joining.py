"""The service that adds a program, such as a language model or a simulated annotator, to a study as an annotator."""

from __future__ import annotations

from annotate.core.permissions import Action, Actor, locked_study, refuse_state
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Annotator, Participation
from annotate.recruiting.services.join import join
from annotate.server.refusals import invalid

PLATFORMS = (Annotator.Platform.SIMULATED, Annotator.Platform.SYSTEM)


def add_program(study_id: int, *, platform: str, name: str, user: Actor) -> Participation:
    """Return the participation of the program with this name, creating it when the program first joins.

    The program gets the same HITs and gold questions as people, but its assignments hold no slots, its answers never
    count, and it earns nothing. It needs no consent and no practice, its answers are never graded, and the quality rule
    never stops it.

    Raises `Refused` with the code `invalid` for an empty name or another platform, or `state` if the study is not open.
    """
    name = name.strip()
    if not name or platform not in PLATFORMS:
        field, message = ("platform", "Choose simulated or system.") if name else ("name", "Enter a name.")
        raise invalid(field, message)
    with write():
        study = locked_study(study_id, user, Action.ADD_AUTOMATIC_ANNOTATORS)  # the event is recorded once
        refuse_state(study, Action.ADD_AUTOMATIC_ANNOTATORS)
        joined_before = study.annotators.filter(platform=platform, external_id=name).exists()
        participation = join(study, platform=platform, external_id=name, is_program=True)
        if not joined_before:
            record(study, "added program", user=user, participation=participation, platform=platform, name=name)
        return participation
