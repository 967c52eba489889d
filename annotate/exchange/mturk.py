"""Mechanical Turk, outgoing: a batch's input file and the questions made from it.

A batch is a template in HTML with `${column}` placeholders and a CSV with a row for each HIT. Facts from the
Requester UI Guide and the HTMLQuestion reference of Amazon Mechanical Turk.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from annotate.exchange.csvtext import write_csv
from annotate.exchange.faults import Fault, TableError

QUESTION_LIMIT = 65_535
HTML_QUESTION = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"

_PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
_COLUMN = re.compile(r"[A-Za-z0-9_]+\Z")
_FOUR_BYTES = re.compile(r"[\U00010000-\U0010FFFF]")
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


class QuestionError(ValueError):
    """A question that Mechanical Turk would refuse."""


def write_batch(rows: Iterable[Mapping[str, str]], columns: Sequence[str], *, name: str) -> Iterator[str]:
    """The input CSV of a batch: a column for each placeholder of the template, a row for each HIT.

    Cells are not escaped against spreadsheets, because annotators would see the apostrophes.
    Raises TableError, with lines counted as rows from the header's 1, for a column whose name is not made of
    letters, digits and underscores and, at the first such row, for a character of more than three bytes in UTF-8 (an
    emoji), which Mechanical Turk refuses: write it as an HTML reference, or in JSON as an escape, before it comes here.
    """
    if wrong := [column for column in columns if not _COLUMN.match(column)]:
        raise TableError(
            name, [Fault(1, column, "a column's name is made of letters, digits and _") for column in wrong]
        )
    return write_csv(_cells(rows, columns, name), columns, formulas=False)


def _cells(rows: Iterable[Mapping[str, str]], columns: Sequence[str], name: str) -> Iterator[list[str]]:
    for number, row in enumerate(rows, start=2):
        cells = [row[column] for column in columns]
        found = [(column, _FOUR_BYTES.search(cell)) for column, cell in zip(columns, cells, strict=True)]
        faults = [Fault(number, column, _four_bytes(match[0])) for column, match in found if match]
        if faults:
            raise TableError(name, faults)
        yield cells


def _four_bytes(character: str) -> str:
    return f"{character} (U+{ord(character):X}) has four bytes; write it as &#{ord(character)}; in HTML"


def placeholders(template: str) -> list[str]:
    """The names in `${…}`, in order of first appearance."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(template)))


def fill(template: str, row: Mapping[str, str]) -> str:
    """The template with each `${column}` replaced, as Mechanical Turk does it: as it stands, without HTML escapes.

    Raises QuestionError naming placeholders without a column.
    """
    missing = [column for column in placeholders(template) if column not in row]
    if missing:
        raise QuestionError(f"The template asks for ${{{missing[0]}}}, but the batch has no column of that name.")
    return _PLACEHOLDER.sub(lambda found: row[found[1]], template)


def html_question(html: str, *, frame_height: int = 0) -> str:
    """An HTMLQuestion in XML around a whole HTML page. A frame height of 0 is the height of the page.

    Raises QuestionError if the question has more than 65,535 bytes in UTF-8, or a character that XML cannot hold.
    """
    if unfit := _NOT_IN_XML.search(html):
        raise QuestionError(
            f"Character {unfit.start() + 1} of the page, U+{ord(unfit[0]):04X}, cannot stand in XML; leave it out."
        )
    # A CDATA section ends at the first ]]>, so one inside the page is cut in two sections.
    sections = html.replace("]]>", "]]]]><![CDATA[>")
    question = (
        f'<HTMLQuestion xmlns="{HTML_QUESTION}">\n'
        f"<HTMLContent><![CDATA[{sections}]]></HTMLContent>\n"
        f"<FrameHeight>{frame_height}</FrameHeight>\n"
        "</HTMLQuestion>\n"
    )
    check_size(question)
    return question


def check_size(question: str) -> int:
    """The bytes of a question in UTF-8. Raises QuestionError if there are too many."""
    size = len(question.encode())
    if size > QUESTION_LIMIT:
        raise QuestionError(
            f"The question has {size:,} bytes, {size - QUESTION_LIMIT:,} more than the {QUESTION_LIMIT:,} that "
            "Mechanical Turk takes; shorten the instructions or ask fewer questions in one HIT."
        )
    return size


def check_batch(template: str, rows: Iterable[Mapping[str, str]], *, name: str) -> int:
    """The bytes of a batch's largest question. Raises TableError naming every row whose question is refused."""
    largest = 0
    faults = []
    for number, row in enumerate(rows, start=2):
        try:
            largest = max(largest, len(html_question(fill(template, row)).encode()))
        except QuestionError as error:
            faults.append(Fault(number, None, str(error)))
    if faults:
        raise TableError(name, faults)
    return largest
