"""Tests that one function detects the encoding of files, and that files which are not text are named."""

import pytest

from accord_core.exchange.encoding import codec_of, detect_encoding, open_text
from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits, read_table

TEXTS = {
    "windows-1252": "id,text\n1,Die Katze schläft in der Küche.\n",
    "windows-1250": "id,text\n1,Zażółć gęślą jaźń. Łódź jest dużym miastem.\n",
    "iso-8859-2": "id,text\n1,Příliš žluťoučký kůň úpěl ďábelské ódy.\n",
    "windows-1251": "id,text\n1,Съешь же ещё этих мягких французских булок.\n",
    "shift_jis": "id,text\n1,吾輩は猫である。名前はまだ無い。\n2,どこで生れたかとんと見当がつかぬ。\n",
    "gb18030": "id,text\n1,今天天气很好,我们去公园散步吧。\n",
    "utf-16": "id,text\n1,Пример\n",
    "utf-16-le": "id,text\n1,Пример\n",
    "utf-8": "id,text\n1,café\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_encodings_are_detected(encoding: str) -> None:
    data = TEXTS[encoding].encode(codec_of(encoding))
    assert data.decode(codec_of(detect_encoding([data]).encoding)) == TEXTS[encoding]
    assert open_text(data, name="f").read() == TEXTS[encoding]


def test_other_files_are_named() -> None:
    with pytest.raises(TableError, match=r"\.xls"):
        open_text(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", name="f.xls")
    with pytest.raises(TableError, match=r"\.ods"):
        open_text(b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", name="f.ods")


def test_nan_is_refused_with_its_line() -> None:
    with pytest.raises(TableError) as error:
        read_table(b'{"id": 1}\n{"id": NaN}\n', name="f.jsonl", limits=Limits())
    assert error.value.faults[0].line == 2


def test_tabs_win_over_a_comma_in_a_header_and_empty_columns_at_the_end_are_ignored() -> None:
    table = read_table(b"id\ttext, in English, old\n1\ta\n2\tb\n", name="f", limits=Limits())
    assert table.columns == ["id", "text, in English, old"]
    assert read_table(b";;;\n\nid;text;\n1;a;\n", name="f", limits=Limits()).columns == ["id", "text"]
