"""A study's to-do list: everything that currently needs the members' attention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil

from django.utils.text import Truncator

from accord_core.numerics.printed import count, money, with_noun
from annotate.core.selectors.jobs import job_name
from annotate.core.selectors.open_hits import annotators_waiting, open_hits
from annotate.core.selectors.pilot import Pilot
from annotate.core.selectors.progress import Progress
from annotate.core.selectors.remarks import open_reports, unanswered_messages
from annotate.core.setting_steps import setting_place
from annotate.data.selectors.additions import items_to_add
from annotate.gold.selectors.gold import with_place_warning
from annotate.models import Remark, Study
from annotate.pay.selectors.by_study import pay_by_study
from annotate.people.selectors.annotators import needing_a_look
from annotate.questions.selectors.adjudication import decisions_needed
from annotate.recruiting.selectors import slots_for_nobody
from annotate.results.selectors.reports import People
from annotate.server import clock
from annotate.studies.selectors import savings_sentences, target_of

from .overview import DoubtfulGold, doubtful_gold, failed_jobs, stopped_since

SHOWN_PER_KIND = 3  # entries of each kind; all others are summarized in one entry
QUOTED = 100  # characters of a message
LEVELS = ("bad", "warn", "info")


@dataclass(frozen=True)
class Todo:
    """An entry in the to-do list, with its level (bad, warn or info), title, explanation and link.

    `key` identifies the entry for as long as its reason exists, so that an e-mail contains only new entries. Each link
    is a text with a path below the study's page in the console.
    """

    key: str
    level: str
    title: str
    detail: str
    links: list[tuple[str, str]] = field(default_factory=list)


def todo_list(
    study: Study, figures: People, progress: Progress, pilot: Pilot | None, *, stale_design: str = ""
) -> list[Todo]:
    """Return all entries in the to-do list, most urgent first. `stale_design` is the reason why the design of a draft
    must be rebuilt, or an empty string.
    """
    doubtful = doubtful_gold(study)
    messages = list(unanswered_messages(study))
    entries = [
        *_failed(study),
        *_design(stale_design),
        *_pilot(pilot, figures),
        *_complete(study, progress, pilot),
        *_target(study, figures),
        *_budget(study, progress),
        *_nobody(study, progress),
        *_held(study, progress),
        *_wage(study, progress),
        *_objections([message for message in messages if message.kind == Remark.Kind.OBJECTION]),
        *_missed(doubtful),
        *_problems(study),
        *_disputed(doubtful),
        *_decisions(study, progress),
        *_pay(study, progress),
        *_places(study),
        *_careless(study, figures),
        *_comments([message for message in messages if message.kind == Remark.Kind.COMMENT]),
        *_stopped(study, progress),
    ]
    return sorted(entries, key=lambda entry: LEVELS.index(entry.level))


def _failed(study: Study) -> list[Todo]:
    return [
        Todo(f"job:{job.pk}", "bad", f"The job “{job_name(job.kind)}” failed", job.error, [("View jobs", "jobs/")])
        for job in failed_jobs(study)
    ]


def _design(stale: str) -> list[Todo]:
    links = [("Build it again", "design/")]
    return [Todo("design", "bad", "The design is out of date", stale, links)] if stale else []


def _pilot(pilot: Pilot | None, figures: People) -> list[Todo]:
    if pilot is None or not pilot.complete:
        return []
    detail = (
        "Annotators get no more HITs until the pilot ends. Check the results. After that, end the pilot, or close "
        "the study and start over with a copy that has different settings."
    )
    links = [_results(figures)]
    return [Todo("pilot", "warn", "The pilot is complete", detail, links)]


def _complete(study: Study, progress: Progress, pilot: Pilot | None) -> list[Todo]:
    """Return an entry if all assignments in an open or paused study are done. Items that were imported later may still
    have no questions.
    """
    if pilot is not None or not (progress.complete and study.state in (Study.State.OPEN, Study.State.PAUSED)):
        return []
    if waiting := items_to_add(study):
        title = f"{with_noun(waiting, 'item')} without {'a question' if waiting == 1 else 'questions'}"
        detail = "All other judgements have been collected."
        return [Todo(f"waiting:{waiting}", "warn", title, detail, [("Add them as questions", "design/#extension")])]
    detail = "All judgements have been collected."
    return [Todo(f"complete:{progress.slots}", "warn", "The study is complete", detail, [])]


def _target(study: Study, figures: People) -> list[Todo]:
    """Return an entry if an open or paused study has reached its target."""
    if not study.target_figure or study.state not in (Study.State.OPEN, Study.State.PAUSED):
        return []
    target = target_of(study)
    if target is None or not target.reached:
        return []
    links = [_results(figures)]
    if study.state == Study.State.PAUSED and target.paused_at:
        saved = " ".join(savings_sentences(study))
        detail = f"Accord paused the study. {saved} You can close the study, or open it again for more judgements."
    else:
        detail = "More judgements are no longer necessary."
    return [
        Todo(f"target:{target.figure.name}:{target.value:g}", "warn", "The study has reached its target", detail, links)
    ]


def _results(figures: People) -> tuple[str, str]:
    return ("View the results" if figures.number else "Go to the results", "results/")


def _budget(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry if the budget cap of an open study prevents annotators from claiming available assignments."""
    spend, currency = progress.spend, study.currency
    if not (study.is_open and progress.slots_open and spend.affordable(study.reward) == 0):
        return []
    detail = (
        f"Annotators get no new HITs, although {with_noun(progress.slots_open, 'HIT is,HITs are')} "
        f"available. The study has committed {money(spend.committed, currency)} of {money(spend.cap, currency)}."
    )
    links = [("Change the cap", setting_place("budget_cap"))]
    return [Todo("budget", "bad", "The budget cap is reached", detail, links)]


def _nobody(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry if the annotators who are left in an open study's team cannot answer all open HITs."""
    left = slots_for_nobody(study, progress.slots_open) if study.is_open and progress.slots_open else 0
    if not left:
        return []
    title = f"{with_noun(left, 'HIT has,HITs have')} no annotator"
    detail = "Too few annotators are left. Add one, or close the study when the others have finished."
    return [Todo(f"nobody:{left}", "warn", title, detail, [("Add an annotator", "named/")])]


def _held(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry if annotators are waiting for an open study's last HITs, which other annotators hold."""
    if not study.is_open or progress.slots_open or not progress.open_hits:
        return []
    waiting = annotators_waiting(study)
    if not waiting:
        return []
    # Another annotator can already get a HIT whose lease has ended.
    held = [assignment for assignment in open_hits(study) if assignment.lease_until > clock.now()]
    if not held:
        return []
    names = ", ".join(assignment.participation.pseudonym for assignment in held[:SHOWN_PER_KIND])
    more = f" and {count(len(held) - SHOWN_PER_KIND)} more" if len(held) > SHOWN_PER_KIND else ""
    end = max(assignment.longest_lease for assignment in held)
    minutes = max(1, ceil((end - clock.now()) / timedelta(minutes=1)))
    title = f"{with_noun(waiting, 'annotator waits,annotators wait')} for questions that others have not submitted"
    hits = "HIT is" if len(held) == 1 else f"{count(len(held))} HITs are"
    detail = f"The last {hits} reserved for {names}{more}, for at most {with_noun(minutes, 'minute')}."
    return [Todo(f"held:{held[0].public_id}", "info", title, detail, [("End a reservation", "open-hits/")])]


def _wage(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry if the actual hourly wage is below the minimum."""
    wage = progress.wage
    if wage is None or not wage.below_minimum:
        return []
    hourly, minimum = money(wage.hourly, study.currency), money(wage.minimum, study.currency)
    title = f"The actual hourly wage of {hourly} is below the minimum of {minimum}"
    detail = f"The median time of {with_noun(wage.hits, 'submitted HIT')} is {wage.seconds:.0f} s."
    links = [("Change the reward", setting_place("reward"))]
    return [Todo("wage", "warn", title, detail, links)]


def _objections(objections: Sequence[Remark]) -> list[Todo]:
    entries = [
        Todo(
            f"objection:{objection.public_id}",
            "bad",
            f"{objection.participation.pseudonym} objects to being stopped",
            _quoted(objection),
            [("Read and answer", f"messages/?show=objection#message-{objection.public_id}")],
        )
        for objection in objections
    ]
    what = "more objection has no reply yet,more objections have no reply yet"
    return _summarized(entries, what, "messages/?show=objection")


def _problems(study: Study) -> list[Todo]:
    reports = list(open_reports(study))
    if not reports:
        return []
    questions = len({report.answer.question_id for report in reports if report.answer})
    title = f"Annotators report problems with {with_noun(questions, 'question')}"
    links = [("Review the reports", "problem-reports/")]
    return [Todo(f"problems:{reports[-1].public_id}", "warn", title, _quoted(reports[-1]), links)]


def _decisions(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry if reviewers should decide disagreements, which is urgent once all answers have arrived."""
    waiting = decisions_needed(study)
    if not waiting:
        return []
    level = "warn" if progress.complete or study.state == Study.State.CLOSED else "info"
    title = f"{with_noun(waiting, 'question waits,questions wait')} for a decision"
    detail = "Annotators disagree on the answers."
    return [Todo(f"decisions:{level}", level, title, detail, [("Decide", "adjudicate/")])]


def _pay(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry if annotators can be paid, which is urgent once all assignments are done."""
    sums = [row.sums for row in pay_by_study([study]) if row.sums.annotators_owed]
    if not sums:
        return []
    level = "warn" if progress.complete or study.state == Study.State.CLOSED else "info"
    people = with_noun(sums[0].annotators_owed, "annotator waits,annotators wait")
    amount = money(sums[0].owed, study.currency)
    return [Todo(f"pay:{level}", level, f"{people} for pay", "", [(f"Pay {amount}", "pay/?show=owed")])]


def _comments(comments: Sequence[Remark]) -> list[Todo]:
    if not comments:
        return []
    title = f"{with_noun(len(comments), 'comment has,comments have')} no reply"
    links = [("Read and reply", "messages/?show=unanswered")]
    return [Todo(f"comments:{comments[0].public_id}", "info", title, _quoted(comments[0]), links)]


def _quoted(message: Remark) -> str:
    return f"“{Truncator(message.text).chars(QUOTED)}”"


def _missed(doubtful: Sequence[DoubtfulGold]) -> list[Todo]:
    entries = [
        Todo(
            f"missed:{gold.public_id}",
            "bad",
            f"{gold.missed} of {gold.given} annotators miss gold question “{gold.ref}”",
            "The expected answer may be wrong.",
            [("View the question", f"questions/{gold.public_id}/"), ("View all gold questions", "gold/")],
        )
        for gold in doubtful
        if gold.is_missed
    ]
    what = "more gold question is missed by most annotators,more gold questions are missed by most annotators"
    return _summarized(entries, what, "gold/")


def _disputed(doubtful: Sequence[DoubtfulGold]) -> list[Todo]:
    entries = [
        Todo(
            f"disputed:{gold.public_id}",
            "warn",
            f"{with_noun(gold.disputes, 'annotator disputes,annotators dispute')} gold question “{gold.ref}”",
            "",
            [("Review the dispute", f"gold/disputes/{gold.public_id}/")],
        )
        for gold in sorted(doubtful, key=lambda gold: (-gold.disputes, gold.ref))
        if gold.disputes
    ]
    what = "more gold question is disputed,more gold questions are disputed"
    return _summarized(entries, what, "gold/disputes/")


def _places(study: Study) -> list[Todo]:
    """Return an entry if the explanations of gold questions seem to refer to shuffled items by position."""
    refs = with_place_warning(study)
    if not refs:
        return []
    shown = ", ".join(refs[:SHOWN_PER_KIND]) + (" …" if len(refs) > SHOWN_PER_KIND else "")
    title = f"{with_noun(len(refs), 'explanation')} of gold questions should be checked"
    name = "explanation seems to name a place" if len(refs) == 1 else "explanations seem to name places"
    detail = f"The {name}, but annotators see the items in another order: {shown}"
    return [Todo(f"places:{len(refs)}", "warn", title, detail, [("View the gold questions", "gold/")])]


def _careless(study: Study, figures: People) -> list[Todo]:
    entries = [
        Todo(
            f"careless:{row.participation.pseudonym}",
            "warn",
            f"{', '.join(sign['title'] for sign in row.signs)}: {row.participation.pseudonym}",
            row.reasons,
            [("View the answers", f"annotators/{row.participation.pseudonym}/")],
        )
        for row in needing_a_look(study, figures)
    ]
    what = "more annotator needs attention,more annotators need attention"
    return _summarized(entries, what, "annotators/?show=look")


def _stopped(study: Study, progress: Progress) -> list[Todo]:
    """Return an entry about recent stops, until other annotators have taken the slots or the study is closed. Failed
    practice is not included, because these annotators have no HITs.
    """
    events = [event for event in stopped_since(study) if not event.by_qualification]
    if not events or study.state == Study.State.CLOSED:
        return []
    reopened = sum(event.detail.get("opened", 0) for event in events)
    opened = min(reopened, progress.slots_open)
    if reopened and not opened:
        return []
    title = f"{with_noun(len(events), 'annotator')} stopped since yesterday"
    detail = f"{with_noun(opened, 'HIT is,HITs are')} open again."
    return [Todo("stopped", "info", title, detail, [("View the reasons", "annotators/?show=stopped")])]


def _summarized(entries: list[Todo], what: str, path: str) -> list[Todo]:
    """Return the first entries of one kind, followed by one entry that summarises the others. `what` has both forms."""
    more = len(entries) - SHOWN_PER_KIND
    if more <= 0:
        return entries
    kind = entries[0].key.partition(":")[0]
    rest = Todo(f"{kind}s:{len(entries)}", entries[0].level, with_noun(more, what), "", [("View all", path)])
    return [*entries[:SHOWN_PER_KIND], rest]
