"""The target of a study: pausing the study when its figure reaches the target."""

from __future__ import annotations

from accord_core.numerics.still_needed import refuse_impossible
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Study
from annotate.prolific.services.remote import request_pause
from annotate.server import clock
from annotate.studies.selectors import judgements_missing, savings, target_of


def target_errors(study: Study) -> dict[str, list[str]]:
    """Return the errors in the settings of the target by field."""
    if not study.target_figure:
        return {}
    figures = {figure.name: figure for figure in tasktypes.get(study.task_type).reports.targets}
    if study.target_figure not in figures:
        names = ", ".join(figures) or "empty, because this task type has no figure for a target"
        return {"target_figure": [f"must be one of: {names}"]}
    if study.target_value is None:
        return {"target_value": ["must be a number if the study has a target"]}
    try:
        refuse_impossible(float(study.target_value), figures[study.target_figure].kind)
    except ValueError as error:
        return {"target_value": [str(error)]}
    fewest = figures[study.target_figure].fewest
    if study.target_minimum < fewest:
        return {"target_minimum": [f"must be at least {fewest} for this figure"]}
    return {}


def check_target_again(study: Study) -> bool:
    """Pause the study if it has reached its target since the latest report, for example because the target has changed
    or because the last missing judgements have arrived. Return whether this call has paused the study.
    """
    target = target_of(study)
    attained = target is not None and target.needed is not None and target.needed.reached
    return attained and check_target(study.pk)


def check_target(study_id: int) -> bool:
    """Count the judgements missing for the minimum, and pause the study if it has reached its target. Return whether
    this call has paused the study.

    An open study is paused only if the setting is on, if the study is not in its pilot, and if no answers have been
    excluded since the report with the figure. A study is paused only once per target, so a person can open it again.
    Annotators can finish open HITs. Concurrent calls wait for each other, and one of them pauses the study.
    """
    study = Study.objects.get(pk=study_id)
    if not study.target_figure:
        return False
    missing = judgements_missing(study)
    with write():
        Study.objects.filter(pk=study_id).update(target_missing=missing)
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        pauses = study.target_pauses and study.target_paused_at is None and study.is_open
        if not pauses or (study.piloting and study.pilot_hits):
            return False
        target = target_of(study)
        saved = savings(study)
        if target is None or not target.reached or target.outdated or not saved.judgements:
            return False
        study.state, study.target_paused_at = Study.State.PAUSED, clock.now()
        study.save(update_fields=["state", "target_paused_at"])
        record(
            study,
            "paused",
            user=SYSTEM,
            reason="The study has reached its target.",
            before=Study.State.OPEN,
            target=f"{target.figure.label}: {target.figure.direction} {target.value:g}",
            report=target.report,
            judgements_saved=saved.judgements,
            rewards_saved=str(saved.rewards),
        )
        request_pause(study)
        return True
