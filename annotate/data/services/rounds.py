"""Services that choose an adaptive round and add its HITs to the study. Existing questions and answers never change."""

from __future__ import annotations

from typing import Any

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, require, researcher
from annotate.core.services.archived import refuse_archived
from annotate.core.services.jobs import request_job
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots, store_slot_counts
from annotate.core.services.writing import write
from annotate.data.selectors.additions import (
    MOST_QUESTIONS,
    hits_of_round,
    is_outdated,
    offers_rounds,
    round_parameters,
    size_of,
)
from annotate.data.services.extension import append_questions, next_hit, save_longer_design
from annotate.models import AdaptiveRound, Job, Report, Study
from annotate.questions.services.more_judgements import append_slots, new_hits
from annotate.server.refusals import Refused
from annotate.tasktypes import ROUND, QuestionDraft

from .design import bundles


def choose_round(study: Study, questions: int, *, user: Actor) -> Job:
    """Start the job that chooses the `questions` of the next adaptive round. Nothing is added to the study.

    Raises `Refused` with the code `kind` if the task type has no adaptive rounds, `draft`, or `invalid`.
    """
    _permitted(study, user)
    if not 1 <= questions <= MOST_QUESTIONS:
        raise Refused(
            "invalid",
            f"An adaptive round can have between 1 and {MOST_QUESTIONS:,} questions.",
            status=400,
            fields={"questions": [f"must be between 1 and {MOST_QUESTIONS}"]},
        )
    return request_job(study, f"report:{ROUND}", parameters=round_parameters(study, questions), user=user)


def add_round(study_id: int, number: int, *, user: Actor) -> AdaptiveRound:
    """Add the round that report `number` has chosen, with new HITs and slots after all others, and return the round.

    New questions get one judgement. Raises `Refused` with the code `kind`, `draft`, `not_found`, `empty` if the report
    has chosen no questions, or `changed` if this round was already added or the study has other new questions.
    """
    _permitted(Study.objects.get(pk=study_id), user)
    with write():
        study = Study.objects.select_for_update(no_key=True, of=("self",)).select_related("design").get(pk=study_id)
        _permitted(study, user)
        report = study.reports.filter(kind=ROUND, number=number).defer("input", "people").first()
        if report is None:
            raise Refused("not_found", f"This study has no chosen round with the number {number}.", status=404)
        if not size_of(report.result):
            raise Refused("empty", report.result.get("reason") or "The report has chosen no questions.", status=400)
        if is_outdated(study, report):
            raise Refused("changed", "The study has new questions since this round was chosen. Choose the round again.")
        added = _insert(study, report, user)
        record(study, "added adaptive round", user=user, **_facts(added, report))
    return added


def _permitted(study: Study, user: Actor) -> None:
    require(study, user, Action.ADD_JUDGEMENTS)
    refuse_archived(study)
    if study.has_quotas:
        raise Refused("quotas", "Groups have quotas, so adaptive rounds are not available.")
    if not offers_rounds(study):
        raise Refused("kind", f"{tasktypes.get(study.task_type).name} has no adaptive rounds.")
    if study.is_draft:
        raise Refused("draft", "Open the study before you add an adaptive round.")


def _insert(study: Study, report: Report, user: Actor) -> AdaptiveRound:
    first = next_hit(study)
    added = AdaptiveRound.objects.create(
        study=study,
        number=report.parameters["round"],
        report=report,
        first_hit=first,
        last_hit=first + hits_of_round(study, report.result) - 1,
        created_by=researcher(user),
    )
    if report.result.get("again"):
        _ask_again(study, report.result)
    else:
        _add_questions(study, report, added, user)
    return added


def _ask_again(study: Study, result: dict[str, Any]) -> None:
    """Add HITs with existing questions, in the order of the design. Questions of the same HIT have been answered by the
    same annotators, so a new HIT with these questions excludes few other annotators.
    """
    chosen = study.questions.filter(ref__in=result["again"]).order_by("pk").values_list("pk", flat=True)
    append_slots(study, new_hits(study, list(chosen)) * result["judgements_each"])


def _add_questions(study: Study, report: Report, added: AdaptiveRound, user: Actor) -> None:
    number, payloads = added.number, report.result["questions"]
    digits = len(str(len(payloads)))
    drafts = [
        QuestionDraft(f"round-{number}-{place:0{digits}}", payload, judgements=1)
        for place, payload in enumerate(payloads, start=1)
    ]
    bundled = bundles(drafts, study.questions_per_hit, study.judgements)
    append_questions(study, drafts, bundled, added)
    store_slot_counts(study)
    note_opened_slots(study)
    earlier = study.design
    if earlier is None:
        raise Refused("no-design", "This study has no design yet.")
    kept = {name: value for name, value in earlier.result.items() if name != "extension"}
    save_longer_design(
        study, earlier, bundled, parameters=earlier.parameters, result=kept | {"round": number}, user=user
    )


def _facts(added: AdaptiveRound, report: Report) -> dict[str, Any]:
    return {
        "round": added.number,
        "report": report.number,
        "seed": report.seed,
        "questions": size_of(report.result),
        "hits": added.last_hit - added.first_hit + 1,
    }
