"""The reader of Prolific's export of submissions, and the lists for Prolific's bulk actions."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from accord_core.exchange.faults import TableError
from accord_core.exchange.prolific import Status, SubmissionReport, bonus_list, id_list, read_submissions

PRESENT = """\
Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,Reviewed at,Archived at,\
Time taken,Completion code,Total approvals,Age
671b8e95b17f88050648883e,5e9088a8a4b6ed018b45ba7b,APPROVED,Not Applicable,2024-10-25T12:27:09.179000Z,\
2024-10-25T12:46:18.540000Z,2024-10-25T23:35:53.040000Z,,1150,C1A2B3,389,25
671b8e98fd64b1b65fa1a726,5c655e3c42faef0001283e77,TIMED-OUT,Not Applicable,2024-10-25T14:27:10+02:00,,,,,,12,44
671b8e99fd64b1b65fa1a727,5c655e3c42faef0001283e78,AWAITING REVIEW,,2024-10-25T12:30:00Z,2024-10-25T12:31:00Z,,,60.4,\
NOCODE,3,40
"""
OLD = """\
session_id,participant_id,status,started_datetime,completed_date_time,time_taken,age,num_approvals,num_rejections,\
prolific_score,reviewed_at_datetime,entered_code
5f1a,5e90,Awaiting_Review,2021-03-02 14:18:24.327000,2021-03-02 14:30:00,696.0,31,4,0,100,,A1
"""
FAULTY = f"""\
Submission id,Participant id,Status,Started at,Time taken,Completion code
,p1,ACTIVE,,,
s2,p 2,GONE,,,
s3,6.71E+23,ACTIVE,yesterday,long,{"c" * 129}
s4,p4,ACTIVE,,,
s4,p5,ACTIVE,,,
"""


def read(text: str) -> list[SubmissionReport]:
    return read_submissions(text.encode(), name="export.csv")


def test_the_present_columns_are_read_with_their_times_in_utc() -> None:
    approved, timed_out, no_code = read(PRESENT)
    assert approved == SubmissionReport(
        submission_id="671b8e95b17f88050648883e",
        participant_id="5e9088a8a4b6ed018b45ba7b",
        status=Status.APPROVED,
        code="C1A2B3",
        started_at=datetime(2024, 10, 25, 12, 27, 9, 179000, tzinfo=UTC),
        completed_at=datetime(2024, 10, 25, 12, 46, 18, 540000, tzinfo=UTC),
        reviewed_at=datetime(2024, 10, 25, 23, 35, 53, 40000, tzinfo=UTC),
        seconds=1150,
    )
    assert (timed_out.status, timed_out.code, timed_out.seconds) == (Status.TIMED_OUT, "", None)
    assert timed_out.started_at == datetime(2024, 10, 25, 12, 27, 10, tzinfo=UTC)
    assert (no_code.status, no_code.code, no_code.seconds) == (Status.AWAITING_REVIEW, "NOCODE", 60)


def test_the_old_columns_and_spellings_are_read() -> None:
    (submission,) = read(OLD)
    assert submission.status == Status.AWAITING_REVIEW
    assert submission.started_at == datetime(2021, 3, 2, 14, 18, 24, 327000, tzinfo=UTC)
    assert (submission.submission_id, submission.code, submission.seconds) == ("5f1a", "A1", 696)


def test_a_file_that_excel_saved_in_another_encoding_is_read() -> None:
    saved = PRESENT.replace(",", ";").replace("C1A2B3", "C1É").encode("windows-1252")
    assert read_submissions(saved, name="export.csv")[0].code == "C1É"
    assert len(read_submissions(PRESENT.encode("utf-16"), name="export.csv")) == 3
    assert len(read_submissions(b"\xef\xbb\xbf" + PRESENT.encode(), name="export.csv")) == 3


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("Participant id,Status\np,ACTIVE\n", ["the file has no column Submission id. Choose the export of a study's"]),
        ("Submission id,Age\ns,4\n", ["the file has no column Participant id or Status."]),
        ("", ["the file is empty"]),
        ("Submission id,Participant id,Status\n", ["the file has a header but no rows"]),
        (
            FAULTY,
            [
                "line 2, column Submission id: the cell is empty",
                "line 3, column Participant id: p 2 is not a valid ID",
                "line 3, column Status: GONE is not a valid status. The statuses are RESERVED, ACTIVE, AWAITING REVIEW",
                "line 4, column Participant id: a spreadsheet program has rounded this ID to 6.71E+23",
                "line 4, column Completion code: the completion code has 129 characters",
                "line 4, column Started at: yesterday is not a valid time, such as",
                "line 4, column Time taken: long is not a number of seconds",
                "line 6, column Submission id: the submission is already on line 5",
            ],
        ),
        (
            (
                "Submission id,Participant id,Status,Started at\ns1,p1,ACTIVE,0001-01-01T00:00:00+14:00\n"
                "s2,p2,ACTIVE,9999-12-31T23:59:59\n"
            ),
            [
                "line 2, column Started at: 0001-01-01T00:00:00+14:00 is not a valid time",
                "line 3, column Started at: 9999-12-31T23:59:59 is not a valid time",
            ],
        ),
        (
            "Submission id;Participant id;Status\ns1;p1;ACTIVE;more\n",
            ["line 2, column 4: the row has 4 cells for 3 columns"],
        ),
    ],
)
def test_all_errors_are_reported_with_line_and_column(text: str, errors: list[str]) -> None:
    with pytest.raises(TableError) as caught:
        read(text)
    faults = [str(fault) for fault in caught.value.faults]
    assert len(faults) == len(errors), faults
    for fault, error in zip(faults, errors, strict=True):
        assert error in fault


def test_lists_have_one_id_per_line_and_bonuses_two_decimal_places() -> None:
    assert "".join(id_list(["a1", "b2"])) == "a1\nb2\n"
    assert "".join(bonus_list([("a1", Decimal("1.5")), ("b2", Decimal("12.3400"))])) == "a1,1.50\nb2,12.34\n"
