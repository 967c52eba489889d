"""The outcome of a Prolific submission, and how the participant returns to Prolific or to another panel."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from annotate.core.selectors.limits import comes_from_prolific, prolific_settings
from annotate.core.selectors.own_gold import latest_stop
from annotate.core.selectors.participations import OwnPart
from annotate.models import Annotator, Assignment, Outcome, Participation, ProlificSettings, Study
from annotate.prolific.selectors.settings import latest_submission
from annotate.recruiting.panels import return_address

# Participants always return to this address, which never comes from a request or a setting.
COMPLETE = "https://app.prolific.com/submissions/complete"
SUBMISSIONS = "https://app.prolific.com/submissions"


@dataclass(frozen=True)
class WayBack:
    """How a participant returns to the panel. The code is empty if the participant must return the submission on
    Prolific.
    """

    outcome: str
    code: str
    screenout_reward: Decimal | None = None
    panel_url: str | None = None  # of another panel; empty if the study has no return address

    @property
    def url(self) -> str:
        if self.panel_url is not None:
            return self.panel_url
        return f"{COMPLETE}?{urlencode({'cc': self.code})}" if self.code else SUBMISSIONS


def way_back(study: Study, outcome: str) -> WayBack:
    """Return how a participant with this outcome returns to Prolific. An empty outcome has no completion code."""
    settings = prolific_settings(study)
    returns = outcome == Outcome.FAILED_GOLD and settings.failed_gold == ProlificSettings.FailedGold.RETURN
    code = "" if returns else settings.code(outcome)
    reward = settings.screenout_reward if outcome == Outcome.SCREENED_OUT and code else None
    return WayBack(outcome, code, reward)


def own_way_back(participation: Participation, part: OwnPart) -> WayBack | None:
    """Return how the participant can now return to the panel, or None if the participant can still work.

    The completion code is for participants who have submitted at least one HIT in the current submission. Participants
    without a HIT return their submission.
    """
    if not part.why or (part.in_hand and not participation.has_ended):
        return None
    if participation.annotator.platform == Annotator.Platform.PANEL:
        return _way_to_panel(participation)
    if not comes_from_prolific(participation):
        return None
    if part.why == "stopped":
        stop = latest_stop(participation)
        unqualified = stop is not None and stop.by_qualification
        return way_back(participation.study, Outcome.SCREENED_OUT if unqualified else Outcome.FAILED_GOLD)
    return way_back(participation.study, Outcome.COMPLETED if _has_worked(participation) else "")


def _way_to_panel(participation: Participation) -> WayBack | None:
    """Return how a participant of another panel returns after submitting at least one HIT. Participants whom a rule has
    stopped also return, because they keep the pay for their submitted HITs.
    """
    code, url = participation.study.completion_code, return_address(participation)
    return WayBack("", code, panel_url=url) if (code or url) and _has_worked(participation) else None


def needs_finish(participation: Participation, back: WayBack) -> bool:
    """Return whether the participant must still finish the submission, which records its outcome."""
    if not back.outcome or participation.study.state == Study.State.ARCHIVED:
        return False
    latest = latest_submission(participation)
    return latest is None or latest.outcome != back.outcome


def may_finish(participation: Participation, part: OwnPart) -> bool:
    """Return whether the participant can finish the submission even though more HITs are available. Participants can do
    this if submissions have no fixed number of HITs.
    """
    if not comes_from_prolific(participation) or part.why or part.in_hand:
        return False
    return prolific_settings(participation.study).hits_per_submission is None and _has_worked(participation)


def _has_worked(participation: Participation) -> bool:
    """Return whether the participant has submitted a HIT since the latest submission began."""
    submitted = participation.assignments.filter(kind=Assignment.Kind.REGULAR, submitted_at__isnull=False)
    if latest := latest_submission(participation):
        submitted = submitted.filter(submitted_at__gte=latest.arrived_at)
    return submitted.exists()
