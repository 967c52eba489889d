"""Files as R, Qualtrics, fast_align and other programs write them: their rows are read, or the message says what to do.

The table is read like an upload, with the detected layout and without a database.
"""

import io
import re
import zipfile
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.test import Client

from accord_core.bws.formats.annotations import read_annotations
from accord_core.bws.formats.items import read_item_names
from accord_core.evaluation.formats.predictions import read_predictions
from accord_core.exchange.chunked import Chunked, read_chunks
from accord_core.exchange.tables import Limits, TableError
from accord_core.paraphrase.formats.phrase_files import read_paraphrases
from accord_core.paraphrase.systems.formats.scored_tables import read_table_scores
from annotate import tasktypes
from annotate.commands.main import main
from annotate.data.upload_contents import read_contents
from annotate.data.upload_source import Source
from tests.factories import make_study

PLANT = "Roots anchor the plant."


def contents_of(task_type: str, purpose: str, data: bytes, name: str = "file.txt"):
    task = tasktypes.get(task_type)
    return read_contents(
        Source(
            task=task,
            content=zlib.compress(data),
            filename=name,
            options=task.clean_options({}),
            items=None if purpose == "items" else {},
            limits={"rows": 1_000, "bytes": 1_000_000, "cell": 2_000},
        )
    )


def bws_text(*texts: str) -> list[dict[str, str]]:
    return [{"text": text} for text in texts]


def phrase(*paraphrases: str) -> list[dict[str, object]]:
    return [{"sentence": PLANT, "phrase": "plant", "start": 17, "paraphrases": list(paraphrases)}]


def pair(source: str, target: str) -> tuple[list[str], list[str]]:
    return source.split(), target.split()


R_ROWS = r""""id" "text" "n"
"1" "p1" "He said \"no\", C:\new
and left." 1.5
"2" "p2" "b" NA
"3" "p3" "c" 3
"4" "p4" "d" 4
"""
R_TEXTS = bws_text('He said "no", C:\\new\nand left.', "b", "c", "d")
QUALTRICS = (
    'ResponseId,text\nResponse ID,"Write\na sentence."\n"{""ImportId"":""_id""}","{""ImportId"":""QID1_TEXT""}"\n'
    "R_1,a\nR_2,b\nR_3,c\nR_4,d\n"
)
LONG = "".join(f"t1,{PLANT},plant,{text},bio,{number}\n" for number, text in enumerate(("shrub", "factory", "herb")))
LATER = (
    f'{{"sentence": "{PLANT}", "phrase": "plant", "domain": "b", "candidate1": "a"}}\n'
    f'{{"sentence": "A {PLANT}", "phrase": "plant", "domain": "b", "candidate1": "a", "candidate2": "b"}}\n'
)
READ = {
    "R, spaces": ("bws", R_ROWS, R_TEXTS),
    "R, spaces without row names": ("bws", '"id" "text"\n' + "".join(f'"{x}" "{x} y"\n' for x in "abcd"),
                                    bws_text("a y", "b y", "c y", "d y")),
    "R, one column": ("bws", '"text"\n' + "".join(f'"{n}" "{n} y"\n' for n in "1234"),
                      bws_text("1 y", "2 y", "3 y", "4 y")),
    "R, commas": ("bws", '"id","text"\n' + "".join(f'"{n}","p{n}","x, {n}"\n' for n in "1234"),
                  bws_text("x, 1", "x, 2", "x, 3", "x, 4")),
    "R, an empty last column": ("bws", '"id","text","n"\n' + "".join(f'"{n}","p{n}","x{n}",""\n' for n in "1234"),
                                bws_text("x1", "x2", "x3", "x4")),
    "a delimiter at the end": ("bws", '"id","text"\n' + "".join(f'"{n}","x{n}",\n' for n in "1234"),
                               bws_text("x1", "x2", "x3", "x4")),
    "quoted header of a list": ("bws", '"text"\nGood morning\nGood night\nSee you\nWell done\n',
                                bws_text("Good morning", "Good night", "See you", "Well done")),
    "tabs without quoting": ("bws", 'id\ttext\na\t"Open\nb\t"Mid" word\nc\tx"y\nd\tz\n',
                             bws_text('"Open', '"Mid" word', 'x"y', "z")),
    "tabs with quoting": ("bws", 'id\ttext\na\t"Line\nbreak"\nb\t"x ""y"""\nc\tc\nd\td\n',
                          bws_text("Line\nbreak", 'x "y"', "c", "d")),
    "spaces after delimiters": ("bws", '"id", "text"\n' + "".join(f'"{x}", "{x}, ""y"""\n' for x in "abcd"),
                                bws_text('a, "y"', 'b, "y"', 'c, "y"', 'd, "y"')),
    "texts that begin with a space": ("bws", 'id, text\n' + "".join(f'{x}, {x} ""\n' for x in "abcd"),
                                      bws_text(' a ""', ' b ""', ' c ""', ' d ""')),
    "concatenated": ("bws", "id,text\na,1\nb,2\n\ufeffid,text\nc,3\nd,4\n", bws_text("1", "2", "3", "4")),
    "concatenated, with another name": ("bws", "nr;text\na;1\nb;2\nnr;text\nc;3\nd;4\n", bws_text("1", "2", "3", "4")),
    "a comma after each object": ("bws", "".join(f'{{"id": "{x}", "text": "{x}"}},\n' for x in "abcd"),
                                  bws_text("a", "b", "c", "d")),
    "texts as formulas": ("bws", 'id,text\n' + "".join(f'{x},"=""00{x}"""\n' for x in "abcd"),
                          bws_text("00a", "00b", "00c", "00d")),
    "Qualtrics": ("bws", QUALTRICS, bws_text("a", "b", "c", "d")),
    "one paraphrase per row": ("paraphrase", "target_id,context,target,substitute,genre,score\n" + LONG,
                               phrase("shrub", "factory", "herb")),
    "one paraphrase per row without IDs": (
        "paraphrase",
        "".join(f'{{"sentence": "{PLANT}", "phrase": "plant", "domain": "bio", "candidate": "{text}"}}\n'
                for text in ("shrub", "herb")),
        phrase("shrub", "herb"),
    ),
    "numbered paraphrases": (
        "paraphrase",
        f"id;Sentence;Phrase;Paraphrase 10;paraphrase_2;paraphrase1;domain\n1;{PLANT};plant;ten;;one;bio\n",
        phrase("one", "ten"),
    ),
    "numbered after one without a number": (
        "paraphrase",
        f"sentence,phrase,paraphrase,paraphrase2,paraphrase_3,domain\n{PLANT},plant,one,two,,bio\n",
        phrase("one", "two"),
    ),
    "several lists of paraphrases": (
        "paraphrase",
        f"sentence,phrase,candidate,domain\n{PLANT},plant,['a'],bio\n{PLANT},plant,\"['b', 'c']\",bio\n",
        phrase("a", "b", "c"),
    ),
    "numbered in later rows": (
        "paraphrase",
        LATER,
        [*phrase("a"), {"sentence": f"A {PLANT}", "phrase": "plant", "start": 19, "paraphrases": ["a", "b"]}],
    ),
    "fast_align": ("words", "The cat ||| Die Katze\r\nA dog ||| Ein Hund\r\n",
                   [pair("The cat", "Die Katze"), pair("A dog", "Ein Hund")]),
    "bars between tabs": ("words", "a ||| b\tx y\n", [pair("a ||| b", "x y")]),
    "quoted tabs of R": ("words", '"id"\t"source"\t"target"\n"1"\t"a"\t"The cat"\t"Die Katze"\n',
                         [pair("The cat", "Die Katze")]),
    "quotation marks as tokens": ("words", 'id\tsource\ttarget\na\t" x "\t" y\n', [pair('" x "', '" y')]),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_tables_of_other_programs_are_read(name: str) -> None:
    task_type, text, expected = READ[name]
    read = contents_of(task_type, "items", text.encode())
    assert not read.faults
    found = [item.content for item in read.items]
    assert expected == [(each["source"], each["target"]) if task_type == "words" else each for each in found]


def archive(name: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(name, "1 1\n")
    return data.getvalue()


TWICE = f"sentence,phrase,candidate,domain\n{PLANT},plant,a,b\n{PLANT},plant,A,b\n"
TWO_PHRASES = f"id,sentence,phrase,candidate,domain\n1,{PLANT},plant,a,b\n1,{PLANT},Roots,c,b\n"
# The file, the line of the error, and words that the message must contain.
REFUSED = {
    "R without quotes": ("bws", "items", b"id text\n1 p1 One text\n2 p2 Two\n", 1, ("spaces", "write.csv")),
    "R, a row without a name": ("bws", "items", b'"id","text"\n"1","a","b"\n"2","c","d"\n"x","e","f"\n', 4, ("3",)),
    "no known column": ("bws", "items", b"Satz;Wort;Ort;n\na;b;c;1\n", None, ("sentence1", "Satz, Wort, Ort, n")),
    "a JSON document": ("bws", "items", b'{\n"version": 1,\n"texts": [{"id": "a"}]\n}\n', None, ("version", "“texts”")),
    "a pretty JSON object": ("words", "items", b'{\n"source": "a",\n"target": "b"\n}\n', None, ("source, target",)),
    "a broken line of JSON Lines": ("bws", "items", b'{"text": "a"\n{"text": "b"}\n', 1, ("character 13",)),
    "BLINKER": ("words", "items", archive("A1/samp1.SentPair0"), None, ("BLINKER", "“Import two files”")),
    "one sentence per line": ("chunks", "items", b"[ A cat ] [ . ]\n[ A dog ]\n", None, ("“Import two files”",)),
    "SPSS": ("bws", "items", b"$FL2@(#) SPSS DATA FILE" + bytes(100), None, ("SPSS", "CSV")),
    "Arrow": ("bws", "items", b"ARROW1\0\0" + bytes(100), None, ("Arrow", "CSV")),
    "Apple Numbers": ("bws", "items", archive("Index/Document.iwa"), None, ("Numbers", "CSV")),
    "all rows faulty": ("bws", "items", b"Id;text\n1;a;b\n2;c;d\n", 2, ("3",)),
    "Rich Text": ("bws", "items", b"{\\rtf1\\ansi id, text\\par}", None, ("Rich Text",)),
    "a paraphrase twice": ("paraphrase", "items", TWICE.encode(), 3, ("line 2",)),
    "a paraphrase missing": ("paraphrase", "items", TWICE.replace("A", "").encode(), 3, ("the cell is empty",)),
    "an ID missing": ("paraphrase", "items", TWO_PHRASES.replace("1,", ",").encode(), 2, ("the cell is empty",)),
    "an ID for two phrases": ("paraphrase", "items", TWO_PHRASES.encode(), 3, ("phrase",)),
    "a fast_align line without a target": ("words", "items", b"a ||| b\nc\n", 2, ("|||",)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_other_files_are_refused_with_a_way_on(name: str) -> None:
    task_type, purpose, data, line, words = REFUSED[name]
    fault, *_ = contents_of(task_type, purpose, data).faults
    assert fault.line == line
    for word in words:
        assert word in fault.message


def test_links_in_a_cell_can_be_on_lines_or_missing() -> None:
    links = "1 <==> 1 // SPE1 // 4\r\n2 <==> 2 // EQUI // 5"
    data = f'id,source,target,links\np1,A cat,It slept,"{links}"\np2,A dog,It barked,NA\n'.encode()
    task = tasktypes.get("chunks")
    limits = {"rows": 10, "bytes": 10_000, "cell": 1_000}
    read = task.read_items(data, "pairs.csv", task.clean_options({"begin": "links"}), limits)
    assert not read.faults
    assert [len(item.content.get("links", ())) for item in read.items] == [2, 0]


def test_values_that_differ_between_the_paraphrases_of_an_item_are_named() -> None:
    read = contents_of("paraphrase", "items", f"id,sentence,phrase,candidate,domain,n\n{LONG}".encode())
    assert [item.metadata for item in read.items] == [{"domain": "bio"}]
    assert [warning.column for warning in read.warnings] == ["n"]


def test_numbered_columns_of_quality_control_questions() -> None:
    header = "sentence,phrase,synonym 1,synonym 2,synonym 3,random_word1,random_word2,distractor"
    data = f"{header},random_word3\n{PLANT},plant,a,b,c,d,e,,f\n".encode()
    (question,) = contents_of("paraphrase", "gold", data).questions
    assert question.payload["content"]["paraphrases"] == list("abcdef")
    assert question.gold["votes"] == [True] * 3 + [False] * 3


def test_warnings_about_the_encoding_of_gold_questions_are_shown() -> None:
    data = "id,source,target,gold\nw1,Björn,Bjorn,0-0\n".encode("mac-roman")
    read = contents_of("words", "gold", data)
    assert read.questions
    assert [warning for warning in read.warnings if "encoding" in warning.message]


def test_commands_and_results_files_read_tables_of_r() -> None:
    assert read_item_names(R_ROWS.encode(), name="r.txt") == ["p1", "p2", "p3", "p4"]
    header = " ".join(f'"{name}"' for name in ("Item1", "Item2", "Item3", "BestItem", "WorstItem"))
    annotations = read_annotations(f'{header}\n"1" "a" "b" "c" "a" "c"\n'.encode(), name="r.txt")
    assert annotations.items == ["a", "b", "c"]
    results = Chunked("r.txt", lambda: [b'"HITId" "Answer.x"\n"1" "h1" "a b"\n'])
    assert [row.values for row in read_chunks(results, limits=Limits()).rows] == [{"HITId": "h1", "Answer.x": "a b"}]


def test_commands_mention_an_uncertain_encoding(tmp_path: Path) -> None:
    items = tmp_path / "items.txt"
    items.write_bytes("Björn\na\nb\nc\nd\ne\n".encode("mac-roman"))
    for options, named in (([], True), (["--encoding", "mac-roman"], False)):
        outcome = CliRunner().invoke(main, [*options, "bws", "tuples", str(items)])
        assert outcome.exit_code == 0
        assert ("Windows-1252" in outcome.stderr) == named
        assert ("Björn" in outcome.stdout) != named


@pytest.mark.django_db
def test_all_files_can_be_chosen(client: Client) -> None:
    study = make_study(task_type="words", items=0, state="draft")
    client.force_login(study.memberships.get().user)
    (field,) = re.findall(r"<input[^>]*type=\"file\"[^>]*>", client.get(f"/console/{study.public_id}/items/").text)
    assert "accept=" not in field  # a filter would hide the files .jsonl, .wa and .A3.final


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The CafÃ©", "“é”"),
        ("Heâ€™s", "“’”"),
        ("25 Â°C", "“°”"),
        ("Tom &amp; Al", "“&”"),
        ("It&#39;s", "“'”"),
        ("São João NÃO à côté", ""),
        ("„Spaß“", ""),
        ("Das macht Spaß…", ""),
        ("Il est fatigué\u00a0». Désolé…\u00a0!", ""),
        ("fatigué\u00a0»", ""),
        ("Il a mangé…\u00a0!", ""),
        ("“no sé…” “CAFÉ”", ""),
        ("Ça & Là; ÎLE", ""),
        ("AT&T; &c.", ""),
    ],
)
def test_texts_that_were_damaged_before_the_import_are_named(text: str, named: str) -> None:
    data = f"id,text\na,{text}\nb,1\nc,2\nd,3\n".encode()
    messages = [warning.message for warning in contents_of("bws", "items", data).warnings if warning.line == 2]
    assert bool(messages) == bool(named)
    assert all(named in message for message in messages)


PPDB = (
    "[NN] ||| plant ||| factory ||| PPDB2.0Score=5.2 PPDB1.0Score=9 ||| 0-0 ||| Equivalence\n"
    "[NN] ||| plant ||| shrub ||| PPDB2.0Score=6 ||| 0-0 ||| Other\n"
    "[NNP] ||| plant ||| Factory ||| PPDB2.0Score=7.5 ||| 0-0 ||| Equivalence\n"
)
PHRASE_TABLES = {
    "PPDB 2.0": (PPDB, ["Factory", "shrub"]),
    "PPDB 1.0": ("[NN] ||| plant ||| b ||| Abstract=0 ||| 0-0\n[NN] ||| plant ||| a ||| Lex=1 ||| 0-0\n", ["b", "a"]),
    "numbered": ("phrase,paraphrase1,paraphrase2\nplant,shrub,\nPlant,herb,mill\n", ["shrub", "herb", "mill"]),
    "numbered after one without a number": ("phrase,paraphrase,paraphrase2\nplant,shrub,herb\n", ["shrub", "herb"]),
    "R": ('"phrase" "paraphrase" "score"\n"1" "plant" "a" NA\n"2" "plant" "b" 2\n', ["b", "a"]),
}  # fmt: skip


@pytest.mark.parametrize("name", PHRASE_TABLES)
def test_tables_of_phrases(name: str) -> None:
    text, expected = PHRASE_TABLES[name]
    assert read_paraphrases(text.encode(), name="table") == {"plant": expected}


def test_scores_of_ppdb_are_read_for_systems() -> None:
    scores, twice = read_table_scores(PPDB.encode(), ["all"], name="ppdb")
    assert scores == {"all": {("plant", "factory"): 7.5, ("plant", "shrub"): 6.0}}
    assert not twice


@pytest.mark.parametrize("line", ["[NN] ||| plant ||| a", "[NN] ||| plant ||| a ||| PPDB2.0Score=x ||| 0-0"])
def test_a_faulty_line_of_ppdb_is_named(line: str) -> None:
    with pytest.raises(TableError) as error:
        read_paraphrases(f"{PPDB}{line}\n".encode(), name="ppdb")
    assert [fault.line for fault in error.value.faults] == [4]


def test_a_decimal_comma_and_labels_of_r_are_explained(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="point"):
        read_predictions(b"item;score\na;0,5\n", ["a"], name="scores.csv")
    labels = tmp_path / "labels.csv"
    labels.write_text("item,annotator,label\nq1,a,yes\nq1,b,NA\n", encoding="utf-8")
    for options, named in (([], True), (["--missing", "NA"], False)):
        outcome = CliRunner().invoke(main, ["labels", "aggregate", str(labels), *options])
        assert outcome.exit_code == 0
        assert ("use --missing NA" in outcome.stderr) == named
