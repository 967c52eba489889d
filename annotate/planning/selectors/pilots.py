"""Studies whose answers can replace a plan's assumptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Sum
from django.db.models.functions import Coalesce

from accord_core.numerics.unfinished import FEWEST_ANNOTATORS, FEWEST_QUESTIONS
from annotate.core.permissions import Action, permitted_studies
from annotate.models import HourCount, Study, User
from annotate.questions.selectors.agreement import fingerprint

MOST = 50  # other studies in the list


@dataclass(frozen=True)
class PilotChoice:
    """A study that can be a plan's pilot, with its numbers of judgements and annotators."""

    public_id: str
    title: str
    judgements: int
    annotators: int
    is_own: bool

    @property
    def is_large_enough(self) -> bool:
        """Whether the study probably has enough judgements for estimates. Only the job, which reads the answers, can be
        sure.
        """
        return self.judgements >= 2 * FEWEST_QUESTIONS and self.annotators >= FEWEST_ANNOTATORS


def pilot_choices(study: Study, user: User) -> list[PilotChoice]:
    """Return the study itself and the user's other studies of the same task type, newest first. Studies without
    judgements are excluded. Needs two queries.
    """
    studies = permitted_studies(user, Action.LOOK).filter(task_type=study.task_type)
    given = Coalesce(Sum("hour_counts__judgements"), 0)
    rows = studies.annotate(given=given).filter(given__gt=0).order_by("-created_at", "-pk")[: MOST + 1]
    counts = HourCount.objects.filter(study__in=[row.pk for row in rows]).order_by()
    by_annotator = counts.values("study", "participation").annotate(sum=Sum("judgements")).filter(sum__gt=0)
    annotators = Counter(by_annotator.values_list("study", flat=True))
    choices = [PilotChoice(row.public_id, row.title, row.given, annotators[row.pk], row.pk == study.pk) for row in rows]
    return sorted(choices, key=lambda choice: not choice.is_own)


def own_pilot(study: Study, user: User) -> dict[str, str] | None:
    """Return the study itself as the pilot if it has enough judgements for estimates."""
    choices = pilot_choices(study, user)
    return next(({"study": each.public_id} for each in choices if each.is_own and each.is_large_enough), None)


def pilot_state(study: Study) -> dict[str, Any]:
    """Return the study and the state of its answers. A different state leads to a different plan."""
    return {"study": study.public_id, **asdict(fingerprint(study))}


def chosen_pilot(parameters: Mapping[str, Any]) -> str:
    """Return the public ID of a plan's pilot study, or an empty string."""
    pilot = parameters.get("pilot")
    return str(pilot["study"]) if pilot else ""
