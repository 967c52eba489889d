"""The files for Prolific: all submissions, and the lists for Prolific's bulk actions.

These files contain participant IDs, so only members with permission to see platform IDs can download them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.prolific import bonus_list, id_list
from accord_core.numerics.printed import amount
from annotate.models import BonusList, Study
from annotate.prolific.selectors.submissions import SubmissionRow, submission_rows, to_approve, to_reject
from annotate.server.refusals import Refused, existing

SUBMISSIONS = "prolific-submissions.csv"
APPROVE = "prolific-approve.txt"
REJECT = "prolific-reject.txt"
BONUSES = "prolific-bonuses.csv"
FILES = {
    SUBMISSIONS: "all submissions with their status on Prolific and the next step",
    APPROVE: "the participant IDs of the submissions to approve, for Prolific's bulk action",
    REJECT: "the participant IDs of the submissions that a person has marked for rejection",
    BONUSES: "the latest unpaid bonus list, for Prolific's bulk bonus payments",
}


def files_of(study: Study) -> dict[str, str]:
    """Return the names and descriptions of the files, or an empty list if the study does not use Prolific."""
    return FILES if study.recruitment == Study.Recruitment.PROLIFIC else {}


def write_file(study: Study, filename: str) -> Iterator[str]:
    """Yield the file with this name. Raises `Refused` (`unknown`)."""
    if filename == BONUSES:
        return write_bonuses(latest_unpaid(study))
    rows = submission_rows(study)
    if filename == SUBMISSIONS:
        return submissions_csv(rows, study.currency)
    if filename == APPROVE:
        return id_list(_participants(to_approve(rows)))
    if filename == REJECT:
        return id_list(_participants(to_reject(rows)))
    message = f"The file {filename} does not exist. Available files: {', '.join(FILES)}."
    raise Refused("unknown", message, status=404)


def _participants(rows: Iterable[SubmissionRow]) -> Iterable[str]:
    """Return each participant ID once, even if a participant has several submissions."""
    return dict.fromkeys(row.participant_id for row in rows)


def write_bonuses(bonuses: BonusList) -> Iterator[str]:
    """Yield the list for Prolific's bulk bonus payments. Participants whose personal data was removed are omitted."""
    shares = bonuses.shares.exclude(participation__annotator__external_id="").order_by("pk")
    return bonus_list(shares.values_list("participation__annotator__external_id", "amount"))


def latest_unpaid(study: Study) -> BonusList:
    """Return the study's latest unpaid bonus list. Raises `Refused` (`unknown`)."""
    return existing(
        study.bonus_lists.filter(state=BonusList.State.OPEN).order_by("-number").first(),
        "This study has no unpaid bonus list. Create a bonus list on the page Prolific submissions first.",
    )


COLUMNS = (
    *("submission_id", "participant_id", "status", "code", "started_at", "completed_at", "seconds"),
    *(
        "pseudonym",
        "standing",
        "outcome",
        "hits",
        "hit_seconds",
        "gold_right",
        "gold_given",
        "bonus_due",
        "next_step",
        "instruction",
    ),
)


def submissions_csv(rows: Iterable[SubmissionRow], currency: str) -> Iterator[str]:
    """Yield prolific-submissions.csv."""
    return write_csv((_cells(row, currency) for row in rows), COLUMNS)


def _cells(row: SubmissionRow, currency: str) -> list[str]:
    reported, person = row.reported, row.participation
    return [
        row.submission_id,
        row.participant_id,
        row.status,
        row.code,
        reported.started_at.isoformat() if reported and reported.started_at else "",
        reported.completed_at.isoformat() if reported and reported.completed_at else "",
        str(reported.seconds) if reported and reported.seconds is not None else "",
        person.pseudonym if person else "",
        person.standing if person else "",
        row.outcome,
        str(row.hits),
        f"{row.seconds:.0f}",
        str(row.gold_right),
        str(row.gold_given),
        amount(row.due, currency),
        row.step,
        row.instruction,
    ]
