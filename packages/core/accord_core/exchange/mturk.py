"""Files for Mechanical Turk: a batch's input file and the questions in its HITs.

A batch consists of an HTML template with `${column}` placeholders and a CSV file with one row per HIT. Sources: the
Requester UI Guide and the HTMLQuestion reference of Amazon Mechanical Turk.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.faults import Fault, TableError, raise_faults

QUESTION_LIMIT = 65_535
HTML_QUESTION = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"

# Hosts place a template between two texts like these, which count towards Mechanical Turk's limit on the size of a
# question.
_BEFORE = """<!DOCTYPE html>
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"/>
<script type="text/javascript" src="https://s3.amazonaws.com/mturk-public/externalHIT_v1.js"></script>
</head>
<body>
<form name="mturk_form" method="post" id="mturk_form" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" value="" name="assignmentId" id="assignmentId"/>
"""
_AFTER = """
<p><input type="submit" id="submitButton" value="Submit"/></p>
</form>
<script language="Javascript">turkSetAssignmentID();</script>
</body>
</html>
"""

_PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
_COLUMN = re.compile(r"[A-Za-z0-9_]+\Z")
_FOUR_BYTES = re.compile(r"[\U00010000-\U0010FFFF]")
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


class QuestionError(ValueError):
    """Error raised for a question that Mechanical Turk would reject."""


def write_batch(rows: Iterable[Mapping[str, str]], columns: Sequence[str], *, name: str) -> Iterator[str]:
    """Return a batch's input CSV, with one column per placeholder in the template and one row per HIT.

    Formulas are not escaped, because annotators would see the apostrophes. Raises TableError for a column whose name
    does not consist of letters, digits and underscores, and for the first row with a character of four bytes in UTF-8
    (such as an emoji), which Mechanical Turk rejects. Callers must write such characters as HTML references or JSON
    escapes. The lines in the error count the header as row 1.
    """
    if wrong := [column for column in columns if not _COLUMN.match(column)]:
        raise TableError(
            name, [Fault(1, column, "a column name can only contain letters, digits and _") for column in wrong]
        )
    return write_csv(_cells(rows, columns, name), columns, formulas=False)


def _cells(rows: Iterable[Mapping[str, str]], columns: Sequence[str], name: str) -> Iterator[list[str]]:
    for number, row in enumerate(rows, start=2):
        cells = [row[column] for column in columns]
        matches = [(column, _FOUR_BYTES.search(cell)) for column, cell in zip(columns, cells, strict=True)]
        faults = [Fault(number, column, _four_bytes(match[0])) for column, match in matches if match]
        raise_faults(name, faults)
        yield cells


def _four_bytes(character: str) -> str:
    return (
        f"The character {character} (U+{ord(character):X}) has four bytes in UTF-8. Write it as "
        f"&#{ord(character)}; in HTML"
    )


def placeholders(template: str) -> list[str]:
    """Return the names of the placeholders `${…}` in a template, in order of first appearance."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(template)))


def fill(template: str, row: Mapping[str, str]) -> str:
    """Replace each `${column}` in the template without escaping HTML, as Mechanical Turk does.

    Raises QuestionError for a placeholder without a column.
    """
    missing = [column for column in placeholders(template) if column not in row]
    if missing:
        raise QuestionError(f"The template contains ${{{missing[0]}}}, but the batch has no column with this name.")
    return _PLACEHOLDER.sub(lambda match: row[match[1]], template)


def wrapped(html: str) -> str:
    """Return the complete page that a host such as Mechanical Turk makes from a filled template."""
    return _BEFORE + html + _AFTER


def html_question(html: str, *, frame_height: int = 0) -> str:
    """Return the XML of an HTMLQuestion that contains a complete HTML page. If the frame height is 0, the frame is as
    high as the page.

    Raises QuestionError if the question has more than 65,535 bytes in UTF-8, or a character that XML cannot contain.
    """
    if unfit := _NOT_IN_XML.search(html):
        raise QuestionError(
            f"Character {unfit.start() + 1} of the page, U+{ord(unfit[0]):04X}, is not allowed in XML. Remove it."
        )
    # A CDATA section ends at the first `]]>`, so each `]]>` in the page is split between two sections.
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
    """Return a question's size in UTF-8 bytes. Raises `QuestionError` if the question is too large."""
    size = len(question.encode())
    if size > QUESTION_LIMIT:
        raise QuestionError(
            f"The question has {size:,} bytes, {size - QUESTION_LIMIT:,} more than the Mechanical Turk limit of "
            f"{QUESTION_LIMIT:,} bytes. Shorten the guidelines, or reduce the number of questions in a HIT."
        )
    return size
