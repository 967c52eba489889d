"""Tests of tables: tolerated variants of the formats, and the report of each fault."""

import pytest

from accord_core.exchange.tables import Fault, Limits, Row, TableError, find_column, iter_table, read_table
from tests.memory import peak_memory

NO_LIMITS = Limits()


def table(text, limits=NO_LIMITS):
    data = text if isinstance(text, bytes) else text.encode()
    return read_table(data, name="items.csv", limits=limits)


def faults(text, limits=NO_LIMITS):
    with pytest.raises(TableError) as caught:
        table(text, limits)
    return caught.value.faults


@pytest.mark.parametrize(
    "text",
    [
        "id,text\na,one\nb,two\n",
        "id,text\r\na,one\r\nb,two\r\n",
        "id,text\ra,one\rb,two",
        "id;text\na;one\nb;two\n",
        "id\ttext\na\tone\nb\ttwo\n",
        "\ufeffid,text\na,one\nb,two\n",
        ' id , "text"\na,one\nb,two\n'.replace(', "', ',"'),
        '"id","text"\n"a","one"\n"b","two"\n',
        "id,text\na,one,\nb,two,,\n",
    ],
    ids=["lf", "crlf", "cr", "semicolons", "tabs", "bom", "spaced-header", "quoted", "trailing-separators"],
)
def test_the_same_table_in_every_dress(text):
    read = table(text)
    assert read.columns == ["id", "text"]
    assert [row.values for row in read.rows] == [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}]
    assert [row.line for row in read.rows] == [2, 3]


def test_lines_are_counted_as_an_editor_does():
    read = table('id,text\n\na,"one\ntwo\nthree"\n,\n\nb,four\n')
    assert [(row.line, row.values["id"]) for row in read.rows] == [(3, "a"), (8, "b")]


def test_a_separator_inside_quotes_decides_nothing():
    assert table('"id, or name, or key";text\n1;x\n').columns == ["id, or name, or key", "text"]


def test_cells_are_kept_to_the_letter():
    text = '  two  spaces, "quotes", ﬁ, e\u0301 '
    assert table(f'id,text\na,"{text.replace(chr(34), chr(34) * 2)}"\n').rows[0].values["text"] == text


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", " \r\n"])
def test_an_empty_file(text):
    assert faults(text) == [Fault(None, None, "the file is empty")]


def test_separators_alone_are_an_empty_file():
    assert faults(",,\n,,\n") == [Fault(None, None, "the file is empty")]


def test_a_header_alone():
    assert faults("id,text\n")[0].message == "the file has a header but no rows"


def test_one_invalid_byte_in_utf_8_is_named_by_line_and_byte():
    (fault,) = faults("id,text\na,é à ü ö ñ ø\n".encode() + b"b,caf\xe9\n")
    assert fault.line == 3
    assert fault.message.startswith("byte 6: 0xE9 is not valid UTF-8")


def test_nul_is_refused_where_it_stands():
    (fault,) = faults(b"id,text\na,o\0ne\n")
    assert (fault.line, fault.message[:32]) == (2, "byte 4: the file contains a NUL ")


def test_header_names_must_be_there_and_distinct():
    assert faults("id,,text,ID\n1,2,3,4\n") == [
        Fault(1, "2", "the header has no name for this column"),
        Fault(1, "ID", "columns 1 and 4 have the same name"),
    ]


def test_repeated_names_are_reported_together_with_the_errors_in_rows():
    assert [fault.line for fault in faults("id,text,topic,topic\na,one\nb,two,x,y,z\n")] == [1, 2, 3]


def test_ragged_rows_are_all_named():
    short, long = faults("id,text,source\na,one\nb,two,x\nc,three,x,y\n")
    assert short == Fault(2, "source", "the row ends before this column: it has 2 cells for 3 columns")
    assert (long.line, long.column) == (4, "4")
    assert long.message.startswith("the row has 4 cells for 3 columns")


def test_a_quote_left_open_is_named_where_it_opens():
    assert faults('id,text\na,"one\nb,two\n') == [
        Fault(2, None, "a cell begins with a quotation mark that is never closed")
    ]


def test_a_quote_left_open_in_a_large_file():
    (fault,) = faults('id,text\na,"one\n' + "b,two\n" * 50_000)
    assert fault.line == 2
    assert "Check whether a quotation mark is missing" in fault.message


def test_text_after_a_closing_quote():
    (fault,) = faults('id;text\na;"one" two\n')
    assert fault.line == 2
    assert "a semicolon must follow" in fault.message


def test_limits_are_named_with_the_figure():
    text = "id,text\na,12345\nb,123456\nc,1\n"
    assert table(text, Limits(rows=3, bytes=len(text), cell=6)).rows[1].values["text"] == "123456"
    assert faults(text, Limits(bytes=len(text) - 1))[0].message.startswith(
        "the file has 29 bytes, more than the limit of 28"
    )
    assert faults(text, Limits(rows=2)) == [
        Fault(4, None, "the file has more than 2 rows. Split the file or raise the limit")
    ]
    assert faults(text, Limits(cell=5)) == [Fault(3, "text", "the cell has 6 characters, more than the limit of 5")]


def test_the_error_shows_the_first_faults_and_counts_the_rest():
    text = "id,text\n" + "a\n" * 5
    with pytest.raises(TableError) as caught:
        table(text)
    assert len(caught.value.faults) == 5
    message = str(caught.value)
    assert message.startswith("items.csv, line 2, column text: the row ends before this column")
    assert message.endswith("; and 2 more")
    assert "\n" not in message


def test_json_lines():
    read = table('{"id": 7, "text": "one", "on": true}\n\n{"id": "b", "text": null, "tags": ["x", "é"]}\r\n')
    assert read.columns == ["id", "text", "on", "tags"]
    assert read.rows == [
        Row(1, {"id": "7", "text": "one", "on": "true"}),
        Row(3, {"id": "b", "text": "", "tags": '["x", "é"]'}),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": }', "character 8: not valid JSON"),
        ('["a"]', "each line must be one JSON object"),
        ('{"a":' * 20_000, "the JSON has too many nested lists or objects"),
        ('{"id": "a", "id": "b"}', "an object has the same key twice"),
        ('{"": "a"}', "a key is empty"),
        ("{}", "the object is empty"),
        ('{"id": "\\ud800"}', "half of a surrogate pair"),
        ('{"ID": "a"}', "other rows spell this column id"),
    ],
)
def test_json_lines_faults(line, message):
    (fault,) = faults('{"id": "x"}\n' + line + "\n")
    assert fault.line == 2
    assert message in fault.message


def test_columns_are_found_in_any_case():
    assert find_column(["ID", "Text"], "id") == "ID"
    assert find_column(["ID", "Text"], "gold") is None


def test_faults_of_a_stream_come_after_its_rows():
    stream = iter_table(b"id,text\na,one\nb\nc,three\n", name="items.csv", limits=NO_LIMITS)
    read = []
    with pytest.raises(TableError, match="line 3"):
        read.extend(stream.rows)
    assert [row.line for row in read] == [2, 4]


@pytest.mark.nightly
def test_a_long_file_is_streamed_in_little_memory():
    data = b"id,text\n" + b"".join(b"%d,a sentence of middling length\n" % n for n in range(30_000))
    counts = []
    peak = peak_memory(lambda: counts.append(sum(1 for _ in iter_table(data, name="items.csv", limits=NO_LIMITS).rows)))
    assert counts == [30_000]
    assert peak < 2 * len(data)
