"""The next step for a submission on Prolific, based on its status there and the participant's work in Accord.

Prolific lets researchers approve submissions, reject them, ask participants to return them, and pay bonuses. Accord
never advises a rejection: a person decides about each rejection.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from accord_core.exchange.prolific import NO_CODE, Status


class Step(StrEnum):
    """The next step for the researcher."""

    APPROVE = "approve"
    ASK_RETURN = "ask_return"
    BONUS = "bonus"
    CONTACT = "contact"
    WAIT = "wait"
    NONE = "none"


class Match(StrEnum):
    """How a submission on Prolific was matched with a participant in Accord."""

    SUBMISSION = "submission"
    PARTICIPANT = "participant"
    CONFLICT = "conflict"  # the submission came to Accord with the ID of another participant
    NOT_IN_ACCORD = "not_in_accord"
    NOT_ON_PROLIFIC = "not_on_prolific"


@dataclass(frozen=True)
class Advice:
    """The next step for a submission, and an instruction in one or two sentences."""

    step: Step
    instruction: str


@dataclass(frozen=True)
class Work:
    """A participant's work in Accord for one submission. `expected` is the number of HITs in a submission, or None if
    it is not fixed. `owes_bonus` is whether the participant is owed money that Prolific does not pay by approval.
    """

    outcome: str = ""
    hits: int = 0
    expected: int | None = None
    stopped: bool = False
    owes_bonus: bool = False
    is_listed: bool = False
    pays_stopped: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether the submission can be approved. If a submission has no fixed number of HITs, one submitted HIT is
        enough.
        """
        return self.is_finished or (not self.outcome and not self.expected and self.hits > 0)

    @property
    def is_finished(self) -> bool:
        """Whether the participant has submitted enough HITs for this submission."""
        if self.outcome:
            return self.outcome == "completed"
        return bool(self.expected) and self.hits >= (self.expected or 0)


_DONE = Advice(Step.NONE, "Nothing to do.")


def advise(status: Status | None, code: str, match: Match, work: Work) -> Advice:
    """Return the next step for a submission. `status` is None if Prolific has not reported the submission."""
    if match == Match.CONFLICT:
        return Advice(
            Step.CONTACT,
            "Prolific lists another participant for this submission. Someone may have used another person’s ID. Check "
            "the answers before you approve or return the submission.",
        )
    if status is None:
        return Advice(
            Step.WAIT,
            "Import the latest export. If it does not contain the submission, the participant did not come from this "
            "study on Prolific.",
        )
    if status in (Status.RESERVED, Status.ACTIVE, Status.PROCESSING):
        return _in_progress(status, work)
    if status == Status.AWAITING_REVIEW:
        return _to_review(code, match, work)
    if work.owes_bonus and status != Status.REJECTED:
        return _bonus(status)
    if work.is_listed:
        return Advice(Step.WAIT, "The amount owed is in a bonus list that is not paid yet.")
    if status == Status.TIMED_OUT and match == Match.SUBMISSION and not work.hits:
        return Advice(Step.NONE, "The time limit on Prolific ended before the participant submitted a HIT.")
    return _DONE


def _in_progress(status: Status, work: Work) -> Advice:
    if status == Status.ACTIVE and work.is_finished:
        return Advice(
            Step.CONTACT,
            "The participant has finished in Accord but has not completed the submission on Prolific. Ask the "
            "participant to enter the completion code before the time limit.",
        )
    return Advice(Step.WAIT, "The submission is in progress on Prolific.")


def _to_review(code: str, match: Match, work: Work) -> Advice:
    if match == Match.NOT_IN_ACCORD:
        return Advice(
            Step.CONTACT,
            "Accord has no participant with these IDs. Ask the participant for the link and the ID that they used.",
        )
    if work.stopped or work.outcome == "failed_gold":
        return _stopped(work)
    if work.is_complete:
        if code == NO_CODE:
            return Advice(
                Step.APPROVE, "All HITs are submitted, but the participant entered no code. Approve the submission."
            )
        return Advice(Step.APPROVE, "All HITs are submitted.")
    if work.outcome in ("no_consent", "incompatible_device"):
        return Advice(
            Step.ASK_RETURN, "The participant did not take part. Ask the participant to return the submission."
        )
    if work.outcome == "screened_out":
        return Advice(
            Step.ASK_RETURN,
            "The participant was screened out. Ask the participant to return the submission, unless Prolific pays the "
            "fixed screening reward.",
        )
    if work.hits:
        of = f" of {work.expected}" if work.expected else ""
        return Advice(
            Step.CONTACT,
            f"The participant submitted {work.hits}{of} HITs. Ask the participant to return the submission, then pay "
            "the submitted HITs as a bonus.",
        )
    if code == NO_CODE:
        return Advice(
            Step.ASK_RETURN,
            "Accord has received no HIT for this submission, and the submission has no completion code.",
        )
    return Advice(Step.CONTACT, "The participant entered a completion code, but submitted no HIT in Accord.")


def _stopped(work: Work) -> Advice:
    if work.pays_stopped:
        return Advice(
            Step.APPROVE,
            "The quality rule stopped the participant. This study is set to pay participants who are stopped.",
        )
    return Advice(
        Step.ASK_RETURN,
        "The quality rule stopped the participant. Ask the participant to return the submission. Prolific does not "
        "accept rejections for incorrect gold answers.",
    )


def _bonus(status: Status) -> Advice:
    if status in (Status.TIMED_OUT, Status.RETURNED):
        how = "timed out" if status == Status.TIMED_OUT else "was returned"
        return Advice(
            Step.BONUS, f"The submission {how}, but the participant submitted HITs. Pay the amount owed as a bonus."
        )
    return Advice(Step.BONUS, "The participant is owed a bonus in addition to the reward.")
