"""Tests of paraphrase files: items, quality-control questions, sentences and tables of paraphrases."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits, iter_table
from accord_core.paraphrase.formats.items import read_items, write_items
from accord_core.paraphrase.formats.phrase_files import read_paraphrases, read_sentences
from accord_core.paraphrase.formats.phrases import in_parts, joined
from accord_core.paraphrase.formats.quality_control import QualityRow, read_quality_control, write_quality_control

ITEM = {
    "id": "a",
    "sentence": "The bank by the river bank.",
    "phrase": "bank",
    "start": 4,
    "paraphrases": ["shore", "lender"],
    "domain": "money",
}

# Any characters but control ones and halves of surrogate pairs.
TEXT = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=20)


def items_of(*rows, **changes):
    lines = "".join(json.dumps(row | changes) + "\n" for row in rows or (ITEM,))
    return read_items(iter_table(lines.encode(), name="items.jsonl", limits=Limits()))


def faults_of(*rows, **changes):
    items, faults, _ = items_of(*rows, **changes)
    assert not items
    return [str(fault) for fault in faults]


class TestItems:
    def test_json_lines(self):
        (item,), faults, warnings = items_of(ITEM | {"source": "made up"})
        assert (faults, warnings) == ([], [])
        assert item.key == "a"
        assert item.content == {name: ITEM[name] for name in ("sentence", "phrase", "start", "paraphrases")}
        assert item.metadata == {"domain": "money", "source": "made up"}

    def test_csv_with_lists_by_bars_or_as_json(self):
        text = (
            "ID,Sentence,Phrase,Paraphrases,Domain,gold_only\n"
            'a,He went to bed.,bed,sleep | rest,home,\nb,He went to bed.,to bed,"[""off | away"", ""home""]",home,yes\n'
        )
        items, faults, _ = read_items(iter_table(text.encode(), name="items.csv", limits=Limits()))
        assert faults == []
        assert [item.content["paraphrases"] for item in items] == [["sleep", "rest"], ["off | away", "home"]]
        assert [item.content["start"] for item in items] == [11, 8]
        assert [item.held_out for item in items] == [False, True]

    def test_offsets_count_characters_and_not_bytes_or_units_of_javascript(self):
        sentence = "Ça 😀 va bien."
        (item,), _, _ = items_of(ITEM | {"sentence": sentence, "phrase": "va", "start": 5})
        assert in_parts(item.content) == ("Ça 😀 ", "va", " bien.")
        (fault,) = faults_of(ITEM | {"sentence": sentence, "phrase": "va", "start": 6})
        assert (
            "“va” is not at character 6: the sentence has “a ” at this position. The phrase is at 5 (in characters"
            in fault
        )

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            (
                {"start": ""},
                "column phrase: “bank” occurs 2 times in the sentence. Add a column start with its position: 4, 22",
            ),
            (
                {"start": 5},
                "“bank” is not at character 5: the sentence has “ank ” at this position. The phrase is at 4",
            ),
            ({"start": 99}, "column start: “bank” is not at character 99: the sentence ends before this position"),
            ({"start": "-1"}, "column start: -1 is not a whole number"),
            ({"phrase": "Bank", "start": None}, "upper-case and lower-case letters differ"),
            ({"phrase": "moor", "start": 0}, "The phrase does not occur in the sentence"),
            ({"phrase": " "}, "column phrase: the cell is empty"),
            ({"sentence": ""}, "column sentence: the cell is empty"),
            ({"domain": " "}, "column domain: the cell is empty"),
            ({"id": ""}, "column id: the cell is empty"),
            ({"paraphrases": None}, "column paraphrases: the cell is empty"),
            ({"paraphrases": ["shore", ""]}, "candidate 2 is empty"),
            ({"paraphrases": ["shore", "Shore"]}, "candidate 2, “Shore”, is already in the list"),
            ({"paraphrases": ["shore", 7]}, "7 is not text. The list can contain only texts"),
            ({"paraphrases": "[shore]"}, "not a JSON list"),
            ({"paraphrases": f"[{'9' * 5000}]"}, "the JSON list contains a number with too many digits"),
            ({"paraphrases": [f"p{n}" for n in range(201)]}, "the row has 201 candidates, more than the limit of 200"),
            ({"gold_only": "perhaps"}, "perhaps is neither yes nor no"),
        ],
    )
    def test_what_is_wrong_is_named_by_row_and_column(self, changes, message):
        (fault,) = faults_of(ITEM | changes)
        assert fault.startswith("line 1, ")
        assert message in fault

    def test_an_empty_list_is_no_question(self):
        assert "A question needs at least one candidate" in faults_of(ITEM | {"paraphrases": []})[0]

    def test_a_candidate_that_is_the_phrase_is_told_and_kept(self):
        (item,), faults, (warning,) = items_of(ITEM | {"paraphrases": ["Bank", "shore"]})
        assert faults == []
        assert str(warning) == "line 1, column paraphrases: candidate 1, “Bank”, is the phrase itself"
        assert item.content["paraphrases"] == ["Bank", "shore"]

    def test_every_fault_of_a_file_is_found_and_sound_rows_are_told_from_it(self):
        items, faults, warnings = items_of(
            ITEM, ITEM | {"domain": ""}, ITEM | {"id": "b"}, ITEM | {"id": "c", "paraphrases": ["", ""]}
        )
        assert [item.key for item in items] == ["a", "b"]
        assert [(fault.line, fault.column) for fault in faults] == [
            (2, "id"),
            (2, "domain"),
            (4, "paraphrases"),
            (4, "paraphrases"),
        ]
        assert [warning.line for warning in warnings] == [2, 3, 4]

    def test_missing_columns_are_named_once(self):
        _, faults, _ = read_items(iter_table(b"id,sentence,phrase\na,b c,b\nd,e f,e\n", name="i.csv", limits=Limits()))
        assert [(fault.line, fault.column) for fault in faults] == [(1, "paraphrases")]

    @given(
        TEXT,
        TEXT.map(str.strip).filter(bool),
        TEXT,
        st.lists(TEXT.map(str.strip).filter(bool), min_size=1, unique_by=str.casefold),
    )
    def test_what_is_written_is_read(self, before, phrase, after, paraphrases):
        sentence = before + phrase + after
        content = {"sentence": sentence, "phrase": phrase, "start": len(before), "paraphrases": paraphrases}
        data = "".join(write_items([("a", content, "d")])).encode()
        (item,), faults, _ = read_items(iter_table(data, name="i.jsonl", limits=Limits()))
        assert faults == []
        assert item.content == content
        assert "".join(in_parts(item.content)) == sentence


class TestQualityControl:
    ROW = QualityRow(
        "q1", "They were happy.", "happy", 10, ["glad", "pleased", "a | b"], ["oak", "ladle", "ham"], "Why."
    )

    def read(self, text):
        rows = read_quality_control(iter_table(text.encode(), name="quality.csv", limits=Limits()))
        return [row._replace(line=None) for row in rows]

    def test_what_is_written_is_read(self):
        assert self.read("".join(write_quality_control([self.ROW]))) == [self.ROW]

    def test_ids_and_offsets_may_be_left_out(self):
        (row,) = self.read("sentence,phrase,synonyms,random_words\nThey were happy.,happy,glad|merry|gay,oak|ham|tin\n")
        assert (row.ref, row.start, row.explanation) == ("quality-1", 10, "")

    @pytest.mark.parametrize(
        ("cells", "message"),
        [
            (
                "They were happy.,happy,glad|merry,oak|ham|tin",
                "column synonyms: the row has 2 synonyms, but a question needs at least 3",
            ),
            (
                "They were happy.,happy,glad|merry|gay,oak|ham",
                "column random_words: the row has 2 random words, but a question needs at",
            ),
            ("They were happy.,happy,glad|merry|gay,oak|ham|Glad", "“Glad” is also in the list of synonyms"),
            ("They were happy.,happy,glad|merry|happy,oak|ham|tin", "candidate 3, “happy”, is the phrase itself"),
            ("They were sad.,happy,glad|merry|gay,oak|ham|tin", "column phrase: “happy” does not occur"),
            ("They were happy.,happy,,oak|ham|tin", "column synonyms: the cell is empty"),
        ],
    )
    def test_faults_are_named_by_row(self, cells, message):
        with pytest.raises(TableError, match=r"quality\.csv, line 2, ") as refused:
            self.read(f"sentence,phrase,synonyms,random_words\n{cells}\n")
        assert message in str(refused.value)

    def test_the_same_question_or_id_twice(self):
        text = "".join(write_quality_control([self.ROW, self.ROW]))
        with pytest.raises(TableError) as refused:
            self.read(text)
        assert [(fault.line, fault.column) for fault in refused.value.faults] == [(3, "id"), (3, "sentence")]

    def test_columns_that_are_missing(self):
        with pytest.raises(TableError, match="line 1, column random_words: the column is missing"):
            self.read("sentence,phrase,synonyms\na b,a,c|d|e\n")


def test_semicolons_separate_only_without_the_separator():
    from accord_core.exchange.tables import Row
    from accord_core.paraphrase.formats.phrases import PhraseChecks

    checks = PhraseChecks([], 100)
    cells = {"stem; shoot ;stalk": ["stem", "shoot", "stalk"], "a; b | c": ["a; b", "c"]}
    assert {cell: checks.texts(Row(1, {"list": cell}), "list") for cell in cells} == cells


@given(st.lists(st.text(alphabet="ab|;[] \"'é", min_size=1, max_size=6).map(str.strip).filter(bool), min_size=1))
def test_a_list_in_a_cell_comes_back(texts):
    from accord_core.exchange.tables import Row
    from accord_core.paraphrase.formats.phrases import PhraseChecks

    faults = []
    assert PhraseChecks(faults, 100).texts(Row(1, {"list": joined(texts)}), "list") == texts
    assert faults == []


class TestPhraseFiles:
    def test_paraphrases_are_ranked_by_score_and_phrases_told_apart_whatever_their_case(self):
        text = "phrase,paraphrase,score\ncut,slice,0.2\nCut,trim,0.9\ncut back,prune,\n"
        assert read_paraphrases(text.encode(), name="p.csv") == {"cut": ["trim", "slice"], "cut back": ["prune"]}

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ("cut,Cut,1", "column paraphrase: “Cut” is the phrase itself"),
            ("cut,trim,1", "column paraphrase: “trim” is already a paraphrase of “cut”"),
            (",trim,1", "column phrase: the cell is empty"),
            ("cut,,1", "column paraphrase: the cell is empty"),
            ("cut,hew,much", "column score: much is not a number"),
            ("cut,hew,nan", "column score: nan is not a number"),
        ],
    )
    def test_faults_of_a_table_are_named_by_row(self, row, message):
        with pytest.raises(TableError, match=r"p\.csv, line 3, ") as refused:
            read_paraphrases(f"phrase,paraphrase,score\ncut,trim,1\n{row}\n".encode(), name="p.csv")
        assert message in str(refused.value)

    def test_faults_of_sentences_are_named_by_row(self):
        text = "id,sentence,domain\na,One two.,x\na,,x\nb,Three.,\n"
        with pytest.raises(TableError) as refused:
            read_sentences(text.encode(), name="s.csv")
        assert [(fault.line, fault.column) for fault in refused.value.faults] == [
            (3, "sentence"),
            (3, "id"),
            (4, "domain"),
        ]

    def test_sentences_have_ids_of_their_own_or_by_place(self):
        rows = read_sentences(b"sentence,domain\nOne.,x\nTwo.,y\n", name="s.csv")
        assert [(row.key, row.domain) for row in rows] == [("sentence-1", "x"), ("sentence-2", "y")]

    def test_sentences_without_domains_are_in_the_same_domain(self):
        rows = read_sentences(b"sentence\nOne.\nTwo.\n", name="s.csv")
        assert [row.domain for row in rows] == ["all", "all"]
        lines = b'{"text": "One.", "domain": "x"}\n{"text": "Two.", "domain": "x"}\n'
        assert [row.domain for row in read_sentences(lines, name="s.jsonl")] == ["x", "x"]

    def test_sentences_of_sample_sentences_are_read(self):
        rows = read_sentences(b"id,text,tokens,source\na,One two.,3,general\n", name="s.csv")
        assert rows == [("a", "One two.", "general")]
        with pytest.raises(TableError, match="line 2, column source: the cell is empty"):
            read_sentences(b"id,text,tokens,source\na,One two.,3,\n", name="s.csv")


def test_a_csv_of_quality_control_runs_in_no_spreadsheet():
    row = QualityRow("=q", "=SUM of all fears", "fears", 12, ["dreads", "=cmd", "terrors"], ["oak", "ham", "tin"])
    text = "".join(write_quality_control([row]))
    assert not any(cell.startswith("=") for line in csv.reader(io.StringIO(text)) for cell in line)
    assert read_quality_control(iter_table(text.encode(), name="q.csv", limits=Limits())) == [row._replace(line=2)]


def test_the_preview_says_how_rows_about_one_phrase_become_one_question() -> None:
    text = "id,sentence,phrase,candidate\na,Buy it.,Buy,Get\n{},Buy it.,Buy,Take\n"
    for key, items in (("b", 2), ("a", 1)):
        found, faults, warnings = read_items(iter_table(text.format(key).encode(), name="x.csv", limits=Limits()))
        assert (len(found), faults) == (items, [])
        assert ["give such rows the same ID or none" in str(each) for each in warnings] == [True] * (items - 1)
