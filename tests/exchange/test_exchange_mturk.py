"""Tests of Mechanical Turk's files: batches, questions, and results with decisions about payment."""

import csv
import io
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.mturk import (
    HTML_QUESTION,
    QUESTION_LIMIT,
    QuestionError,
    fill,
    html_question,
    placeholders,
    write_batch,
)
from accord_core.exchange.mturk_cells import Rate, read_time, write_time
from accord_core.exchange.mturk_results import COLUMNS, Result, iter_results, mark, write_results
from accord_core.exchange.tables import Limits, TableError, read_table

PUBLISHED = (
    "HITId HITTypeId Title Description Keywords Reward CreationTime MaxAssignments RequesterAnnotation "
    "AssignmentDurationInSeconds AutoApprovalDelayInSeconds Expiration NumberOfSimilarHITs LifetimeInSeconds "
    "AssignmentId WorkerId AssignmentStatus AcceptTime SubmitTime AutoApprovalTime ApprovalTime RejectionTime "
    "RequesterFeedback WorkTimeInSeconds LifetimeApprovalRate Last30DaysApprovalRate Last7DaysApprovalRate"
)
HEADER = PUBLISHED.split()

FIRST = dict.fromkeys(HEADER, "") | {
    "HITId": "3H1",
    "HITTypeId": "3T1",
    "Title": "Which pair is closest in meaning?",
    "Keywords": "text, language",
    "Reward": "$0.25",
    "CreationTime": "Thu Nov 19 14:03:22 UTC 2026",
    "MaxAssignments": "2",
    "AssignmentDurationInSeconds": "3600",
    "AssignmentId": "3A1",
    "WorkerId": "AW1",
    "AssignmentStatus": "Submitted",
    "AcceptTime": "Sat Jul 04 08:00:00 PDT 2026",
    "SubmitTime": "Thu Dec 31 23:59:59 PST 2026",
    "WorkTimeInSeconds": "95",
    "LifetimeApprovalRate": "95% (19/20)",
    "Last7DaysApprovalRate": "0% (0/0)",
}
SECOND = FIRST | {"AssignmentId": "3A2", "WorkerId": "AW2", "AssignmentStatus": "Approved"}
THIRD = FIRST | {"AssignmentId": "3A3", "WorkerId": "AW3", "AssignmentStatus": "Rejected"}


def results_file(*rows, extra=("Input.tuple", "Answer.best", "Answer.note", "Approve", "Reject")):
    columns = [*HEADER, *extra]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read(text):
    faults = []
    table = read_table(text.encode(), name="batch.csv", limits=Limits())
    results = [result for _, result in iter_results(table, faults)]
    if faults:
        raise TableError(table.name, faults)
    return results


class TestQuestions:
    @given(st.text(st.characters(min_codepoint=32, exclude_categories=("Cs",), exclude_characters="\x7f\ufffe\uffff")))
    def test_a_page_survives_its_envelope(self, html):
        question = ET.fromstring(html_question(html + "]]>"))  # noqa: S314
        assert question.tag == f"{{{HTML_QUESTION}}}HTMLQuestion"
        content, height = question
        assert content.text == html + "]]>"
        assert height.text == "0"

    def test_the_limit_is_in_bytes_of_the_whole_question(self):
        envelope = len(html_question("").encode())
        fits = "é" * ((QUESTION_LIMIT - envelope) // 2)
        assert len(html_question(fits).encode()) in (QUESTION_LIMIT, QUESTION_LIMIT - 1)
        with pytest.raises(
            QuestionError, match=r"The question has 65,53\d bytes, [12] more than the Mechanical Turk limit of 65,535"
        ):
            html_question(fits + "é")

    def test_a_character_that_xml_cannot_hold(self):
        with pytest.raises(QuestionError, match=r"Character 3 of the page, U\+0008, is not allowed in XML"):
            html_question("ab\x08")


class TestBatches:
    TEMPLATE = "<p>${first}</p><p>${second}</p>${first}"

    def test_placeholders_are_filled_as_they_stand(self):
        assert placeholders(self.TEMPLATE) == ["first", "second"]
        assert fill(self.TEMPLATE, {"first": r"a & \1", "second": "${first}"}) == (
            r"<p>a & \1</p><p>${first}</p>a & \1"
        )

    def test_a_placeholder_without_a_column(self):
        with pytest.raises(QuestionError, match=r"contains \$\{second\}, but the batch has no column"):
            fill(self.TEMPLATE, {"first": "a"})

    def test_the_input_file(self):
        rows = [{"first": "= a, b", "second": "é\nz"}, {"first": "-", "second": ""}]
        written = "".join(write_batch(rows, ["first", "second"], name="batch.csv"))
        assert list(csv.DictReader(io.StringIO(written))) == rows

    def test_what_mechanical_turk_refuses(self):
        with pytest.raises(
            TableError, match="line 1, column a b: a column name can only contain letters, digits and _"
        ):
            write_batch([{"a b": "ok"}], ["a b"], name="batch.csv")
        rows = [{"a": "ok"}, {"a": "smile 😀"}]
        message = (
            "line 3, column a: The character 😀 \\(U\\+1F600\\) has four bytes in UTF-8. Write it as &#128512; in HTML"
        )
        with pytest.raises(TableError, match=message):
            "".join(write_batch(rows, ["a"], name="batch.csv"))


class TestTimes:
    @pytest.mark.parametrize(
        ("cell", "utc"),
        [
            ("Thu Nov 19 14:03:22 UTC 2026", datetime(2026, 11, 19, 14, 3, 22, tzinfo=UTC)),
            ("Thu Nov 19 14:03:22 GMT 2026", datetime(2026, 11, 19, 14, 3, 22, tzinfo=UTC)),
            ("Thu Dec 31 23:59:59 PST 2026", datetime(2027, 1, 1, 7, 59, 59, tzinfo=UTC)),
            ("Sat Jul 04 08:00:00 PDT 2026", datetime(2026, 7, 4, 15, 0, 0, tzinfo=UTC)),
            ("Sat Jul 04 08:00:00 EDT 2026", datetime(2026, 7, 4, 12, 0, 0, tzinfo=UTC)),
            ("Sat Jul 04 08:00:00 CEST 2026", datetime(2026, 7, 4, 6, 0, 0, tzinfo=UTC)),
        ],
    )
    def test_zones(self, cell, utc):
        assert read_time(cell) == utc
        assert write_time(read_time(cell)) == cell

    @pytest.mark.parametrize("cell", ["2026-11-19", "Thu Nov 31 14:03:22 UTC 2026", "Thu Nov 19 14:03:22 IST 2026"])
    def test_no_times(self, cell):
        with pytest.raises(ValueError, match=cell):
            read_time(cell)


class TestResults:
    def test_cells_are_understood(self):
        (result,) = read(results_file(FIRST | {"Input.tuple": "t1", "Answer.best": "2", "Answer.note": ""}))
        assert result.reward == Decimal("0.25")
        assert result.submit_time == datetime(2027, 1, 1, 7, 59, 59, tzinfo=UTC)
        assert result.lifetime_approval_rate == Rate(95, 19, 20)
        assert result.last_30_days_approval_rate is None
        assert result.work_time_in_seconds == 95
        assert result.input == {"tuple": "t1"}
        assert result.answers == {"best": "2", "note": ""}
        assert (result.approve, result.reject) == (False, "")

    def test_the_columns_are_those_of_mechanical_turk(self):
        assert list(COLUMNS) == HEADER

    def test_a_file_is_written_back_as_it_was(self):
        text = results_file(FIRST | {"Input.tuple": "a, b", "Answer.note": "two\nlines", "Approve": "x"}, SECOND, THIRD)
        assert "".join(write_results(read(text))) == text

    def test_what_a_worker_wrote_is_no_formula_in_a_spreadsheet(self):
        results = read(results_file(FIRST | {"Answer.note": "=1+1"}))
        written = "".join(write_results(results))
        assert "'=1+1" in written
        assert read(written) == results

    def test_results_can_be_made(self):
        result = Result(hit_id="h", assignment_id="a", worker_id="w", input={}, answers={"best": "1"})
        assert read("".join(write_results([result]))) == [result]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"WorkerId": ""}, "line 3, column WorkerId: the cell is empty"),
            (
                {"AssignmentStatus": "Done"},
                "line 3, column AssignmentStatus: Done is not a valid status. The statuses are Submitted, Approved",
            ),
            ({"Reward": "25 cents"}, "line 3, column Reward: 25 cents is not an amount of money such as"),
            ({"SubmitTime": "yesterday"}, "line 3, column SubmitTime: yesterday is not a time such as"),
            ({"LifetimeApprovalRate": "95"}, "line 3, column LifetimeApprovalRate: 95 is not a rate such as"),
            ({"MaxAssignments": "two"}, "line 3, column MaxAssignments: two is not a whole number"),
            ({"AssignmentId": "3A1"}, "line 3, column AssignmentId: the assignment is already on line 2"),
            ({"Approve": "x", "Reject": "no"}, "line 3, column Reject: the assignment is marked for both approval and"),
        ],
    )
    def test_faults(self, change, message):
        with pytest.raises(TableError) as caught:
            read(results_file(FIRST, SECOND | change))
        assert [str(fault).startswith(message) for fault in caught.value.faults] == [True]

    def test_another_file(self):
        with pytest.raises(TableError, match=r"the file has no column HITId, AssignmentId, WorkerId. Choose"):
            read("id,text\na,b\n")


class TestMarking:
    def results(self):
        return read(results_file(FIRST, SECOND, THIRD))

    def test_pay_or_refuse_with_a_reason(self):
        first, second, third = mark(self.results(), {"3A1": "All answers in one second", "3A3": None})
        assert (first.approve, first.reject) == (False, "All answers in one second")
        assert (second.approve, second.reject) == (False, "")
        assert (third.approve, third.reject) == (True, "")

    @pytest.mark.parametrize(
        ("decision", "message"),
        [
            ({"3A9": None}, "Assignment 3A9 is not in the results, so no decision was stored"),
            ({"3A1": " "}, "Assignment 3A1: enter a reason for the rejection"),
            ({"3A2": None}, "Assignment 3A2 has already been approved"),
            ({"3A2": "late"}, "Assignment 3A2 has already been approved and can no longer be rejected"),
            ({"3A3": "late"}, "Assignment 3A3 has already been rejected and can no longer be rejected"),
        ],
    )
    def test_what_cannot_be_marked(self, decision, message):
        with pytest.raises(ValueError, match=message):
            mark(self.results(), decision)
