"""Tests of best–worst files: readers are tolerant, writers are strict, and every fault is reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.formats import (
    gold_columns,
    iter_items,
    read_gold,
    read_item_names,
    read_items,
    read_plain_items,
    read_tuples,
    write_scores,
    write_tuples,
)
from accord_core.exchange.tables import Limits, TableError, iter_table, read_table

PAIRS = "id,sentence1,sentence2,source\n" + "".join(f"p{n},A dog runs {n}.,A cat sits {n}.,news\n" for n in range(5))


def table(text, name="items.csv"):
    return read_table(text.encode(), name=name, limits=Limits())


def items(text, **options):
    return read_items(table(text), **{"size": 4, **options})


def messages(faults):
    return [str(fault) for fault in faults]


class TestItems:
    def test_pairs_of_sentences_with_metadata(self):
        rows, faults, warnings = items(PAIRS)
        assert (faults, warnings) == ([], [])
        assert rows[1].line == 3
        assert rows[1].key == "p1"
        assert rows[1].content == {"sentence1": "A dog runs 1.", "sentence2": "A cat sits 1."}
        assert rows[1].metadata == {"source": "news"}
        assert rows[1].held_out is False

    def test_texts_in_any_case_and_order(self):
        rows, faults, _ = items("Domain;TEXT;Id\nx;one;a\n;two;b\n", size=2)
        assert not faults
        assert [(row.key, row.content, row.metadata) for row in rows] == [
            ("a", {"text": "one"}, {"Domain": "x"}),
            ("b", {"text": "two"}, {"Domain": ""}),
        ]

    @pytest.mark.parametrize(
        ("word", "held_out"), [("yes", True), ("TRUE", True), ("1", True), ("no", False), ("", False)]
    )
    def test_items_held_out_of_the_design(self, word, held_out):
        rows, faults, _ = items(f"id,text,gold_only\na,one,{word}\nb,two,\n", size=1)
        assert not faults
        assert rows[0].held_out is held_out
        assert rows[0].metadata == {}

    def test_held_out_items_do_not_fill_a_tuple(self):
        _, faults, _ = items("id,text,gold_only\na,1,\nb,2,\nc,3,\nd,4,yes\n")
        assert messages(faults) == ["the file has only 3 items, but each tuple needs 4. Add items"]

    def test_every_fault_of_a_row_is_named(self):
        text = "id,text,gold_only\na,one,\n,two,\na, ,maybe\nb," + "x" * 2001 + ",\n"
        rows, faults, _ = items(text)
        assert messages(faults) == [
            "line 3, column id: the cell is empty; give the item an ID",
            "line 4, column id: the ID a is already in line 2; give each item its own ID",
            "line 4, column text: the cell is empty",
            "line 4, column gold_only: maybe is neither yes nor no",
            "line 5, column text: the text has 2,001 characters, more than the limit of 2,000",
        ]
        assert [row.key for row in rows] == ["a"]

    def test_an_id_must_fit_into_other_files(self):
        _, faults, _ = items('id,text\n"a\tb",one\n' + "c" * 201 + ",two\n")
        assert messages(faults) == [
            "line 2, column id: an ID cannot contain tabs or line breaks",
            "line 3, column id: the ID has 201 characters; the limit is 200",
        ]

    @pytest.mark.parametrize(
        ("header", "message"),
        [
            ("id,title", "must have the column text, or the columns"),
            ("id,sentence1", "must have the column text, or the columns"),
            ("id,text,sentence1,sentence2", "a column for texts and a column for sentences"),
        ],
    )
    def test_the_columns_must_say_what_an_item_is(self, header, message):
        _, faults, _ = items(f"{header}\n" + ",".join("x" for _ in header.split(",")) + "\n")
        assert message in str(faults[0])

    def test_warnings_do_not_stop_anything(self):
        long = " ".join(["word"] * 26)
        rows, faults, warnings = items(f"id,text\na,one\nb,one\nc,{long}\nd,be\x07ll\n")
        assert not faults
        assert len(rows) == 4
        assert messages(warnings) == [
            "line 3, column text: the content is the same as on line 2, or looks the same",
            "line 4, column text: the text has 26 words. Texts of more than 25 words tire annotators",
            "line 5, column text: the text contains an invisible control character (U+0007)",
        ]

    def test_json_lines_may_bring_columns_late(self):
        rows, faults, _ = items('{"id": 1, "text": "one"}\n{"id": 2, "text": "two", "gold_only": true}\n', size=1)
        assert not faults
        assert [(row.key, row.held_out) for row in rows] == [("1", False), ("2", True)]

    def test_json_lines_that_turn_from_text_to_sentences(self):
        _, faults, _ = items('{"id": 1, "text": "one"}\n{"id": 2, "sentence1": "a", "sentence2": "b"}\n', size=1)
        assert "a column for texts and a column for sentences" in str(faults[0])

    def test_a_stream_gives_items_as_it_goes(self):
        faults, warnings = [], []
        stream = iter_table(PAIRS.encode(), name="items.csv", limits=Limits())
        first = next(iter_items(stream, faults=faults, warnings=warnings))
        assert first.key == "p0"

    @given(st.lists(st.sampled_from(["sound", "short", "long", "no id", "twice", "empty", "neither"]), max_size=12))
    def test_the_faults_of_a_file_are_those_of_its_form_and_of_its_contents(self, kinds):
        rows = {
            "sound": "i{n},A dog runs {n}.,no",
            "short": "i{n},A dog",
            "long": "i{n},a,no,more",
            "no id": ",Text {n}.,no",
            "twice": "first,Text {n}.,no",
            "empty": "i{n},,no",
            "neither": "i{n},Text {n}.,perhaps",
        }
        lines = ["first,The first.,no", *(rows[kind].format(n=n) for n, kind in enumerate(kinds))]
        header = "id,text,gold_only"
        text = "\n".join([header, *lines])
        wrong = {number for number, kind in enumerate(kinds, start=3) if kind != "sound"}

        stream = iter_table(text.encode(), name="items.csv", limits=Limits())
        found, together, _ = read_items(stream, size=1)
        assert [fault.line for fault in together] == sorted(wrong)
        assert {item.line for item in found} == set(range(2, len(lines) + 2)) - wrong

        formless = {number for number, kind in enumerate(kinds, start=3) if kind in ("short", "long")}
        # Malformed rows are left blank, so that line numbers do not change.
        sound = "\n".join("" if n in formless else line for n, line in enumerate([header, *lines], start=1))
        _, contents, _ = items(sound, size=1)
        try:
            form = table(text) and []
        except TableError as error:
            form = error.faults
        assert set(together) == {*form, *contents}

    def test_unclear_columns_and_faults_of_form_are_named_together(self):
        stream = iter_table(b"id,words\na,one\nb\n", name="items.csv", limits=Limits())
        assert [(fault.line, fault.column) for fault in read_items(stream, size=1)[1]] == [(None, None), (3, "words")]

    def test_one_item_a_line(self):
        plain = read_plain_items("\ufeffa dog\r\n\r\na cat, black\r\n".encode(), name="words.txt")
        rows, faults, _ = read_items(plain, size=2)
        assert not faults
        assert [(row.line, row.key, row.content["text"]) for row in rows] == [
            (1, "item-1", "a dog"),
            (3, "item-2", "a cat, black"),
        ]


class TestItemNames:
    def test_ids_of_a_table_without_those_held_out(self):
        text = "id,sentence1,sentence2,gold_only\na,x,y,\nb,x,y,yes\nc,x,y,no\n"
        assert read_item_names(text.encode(), name="items.csv") == ["a", "c"]

    def test_a_table_of_ids_alone(self):
        assert read_item_names(b"ID\na\nb\n", name="items.csv") == ["a", "b"]

    def test_json_lines(self):
        assert read_item_names(b'{"id": "a"}\n{"id": "b"}\n', name="items.jsonl") == ["a", "b"]

    def test_lines_are_their_own_names(self):
        assert read_item_names("war\nkälte, große\n\n“id”\n".encode(), name="words.txt") == [
            "war",
            "kälte, große",
            "“id”",
        ]

    def test_rows_without_ids_are_numbered_as_in_a_study(self):
        assert read_item_names(b"text,source\nOne.,news\nTwo.,news\n", name="words.csv") == ["item-1", "item-2"]

    def test_a_quotation_mark_in_a_plain_list_is_no_csv(self):
        assert read_item_names(b'"quoted\nwar\n', name="words.txt") == ['"quoted', "war"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a\nb\na\n", "words.txt, line 3: the ID a is already in line 1"),
            ("a\tb\nc\n", "words.txt, line 1: an ID cannot contain tabs"),
            (
                "id,text\na,x\na,y\n,z\n",
                "words.txt, line 3, column id: the ID a is already in line 2.*; line 4, column id",
            ),
            (
                "id,text\na,x\nb\na,y\n",
                "words.txt, line 3, column text: the row ends.*; line 4, column id: the ID a is already in",
            ),
            ("text,x\na,b\nc\n", "words.txt, line 3, column x: the row ends"),
        ],
    )
    def test_faults(self, text, message):
        with pytest.raises(TableError, match=message):
            read_item_names(text.encode(), name="words.txt")


class TestGold:
    KEYS = ("a", "b", "c", "d", "e")
    HEADER = "id,Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"

    def gold(self, rows, header=HEADER, size=4):
        return read_gold(table(header + rows, "gold.csv"), size=size, keys=self.KEYS)

    def test_gold_questions(self):
        first, second = self.gold('g1,a,b,c,d,a,d,"Same event, other words"\n,a,b,c,e,e,a,\n')
        assert first == (2, "g1", ("a", "b", "c", "d"), "a", "d", "Same event, other words", False)
        assert (second.ref, second.explanation) == ("gold-2", "")

    def test_columns_in_any_case_and_without_ids(self):
        (row,) = self.gold("because,b,a,c,a,b\n", "EXPLANATION,item2,ITEM1,item3,bestitem,worstitem\n", size=3)
        assert row == (2, "gold-1", ("a", "b", "c"), "a", "b", "because", True)

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ("g2,a,b,c,x,a,b,", "line 3, column Item4: the study has no item with the ID or text x"),
            ("g2,a,b,c,a,a,b,", "line 3, column Item4: a is already in Item1"),
            ("g2,a,b,c,,a,b,", "line 3, column Item4: the cell is empty"),
            ("g2,a,b,c,e,d,b,", "line 3, column BestItem: d is not one of the 4 items in this row"),
            ("g2,a,b,c,e,a,,", "line 3, column WorstItem: the cell is empty"),
            ("g2,a,b,c,e,a,a,", "line 3, column WorstItem: a cannot be both best and worst"),
            ("g1,a,b,c,e,a,b,", "line 3, column id: the ID g1 is already on line 2"),
            ("g2,d,c,b,a,a,b,", "line 3: the items are the same as on line 2"),
        ],
    )
    def test_faults(self, row, message):
        with pytest.raises(TableError) as caught:
            self.gold(f"g1,a,b,c,d,a,d,\n{row}\n")
        assert [str(fault).startswith(message) for fault in caught.value.faults] == [True]

    def test_faults_of_form_and_of_contents_are_named_together(self):
        rows = b"g1,a,b,c,d,a,d,\ng2,a,b\ng1,a,b,c,e,a,b,\ng4,a,b,c,x,a,b,\n"
        stream = iter_table(self.HEADER.encode() + rows, name="gold.csv", limits=Limits())
        with pytest.raises(TableError) as caught:
            read_gold(stream, size=4, keys=self.KEYS)
        places = [(fault.line, fault.column) for fault in caught.value.faults]
        assert places == [(3, "Item3"), (4, "id"), (5, "Item4")]

    def test_missing_columns_and_faults_of_form_are_named_together(self):
        stream = iter_table(b"Item1,Item2\na,b\nc\n", name="gold.csv", limits=Limits())
        with pytest.raises(TableError, match=r"the file has no column Item3.*; line 3, column Item2: the row ends"):
            read_gold(stream, size=4, keys=self.KEYS)

    def test_missing_columns(self):
        with pytest.raises(
            TableError, match=r"the file has no column WorstItem, Explanation\. The header must be Item1,"
        ):
            self.gold("a,b,c,d,a\n", "Item1,Item2,Item3,Item4,BestItem\n")

    def test_tuples_of_another_size(self):
        with pytest.raises(TableError, match="the file has a column Item4, but the tuples of this study have 3 items"):
            self.gold("g1,a,b,c,d,a,d,\n", size=3)

    def test_the_header_is_the_one_that_is_read(self):
        (row,) = self.gold("a,b,a,b,\n", ",".join(gold_columns(2)) + "\n", size=2)
        assert row.items == ("a", "b")


class TestTuples:
    def test_round_trip(self):
        tuples = [("a", "b c", "=d"), ("e", "'f", "g")]
        assert read_tuples("".join(write_tuples(tuples)).encode(), name="t") == tuples

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a\tb\tc\na\tb\n", "t, line 2: the tuple has 2 items, but the first tuple has 3"),
            ("a\tb\n\na\ta\n", "t, line 3: the tuple contains an item twice"),
            ("a\tb\n\tb\n", "t, line 2, column 1: the item between two tabs is empty"),
        ],
    )
    def test_faults(self, text, message):
        with pytest.raises(TableError, match=message):
            read_tuples(text.encode(), name="t")

    @pytest.mark.parametrize("item", ["a\tb", "a\nb", "a\rb"])
    def test_an_item_that_would_break_the_file(self, item):
        with pytest.raises(ValueError, match="does not fit into a file of tuples"):
            list(write_tuples([("x", item)]))


class TestScores:
    def test_three_decimals_highest_first_ties_by_name_unknown_last(self):
        scores = [0.5, -0.0001, 0.5, float("nan"), 0.8126]
        assert "".join(write_scores(["b", "c", "a", "x", "=d"], scores)) == (
            "item,score\n'=d,0.813\na,0.500\nb,0.500\nc,0.000\nx,\n"
        )

    def test_standard_errors(self):
        written = "".join(write_scores(["a", "b"], [1.0, -1.0], [0.25, float("nan")]))
        assert written == "item,score,standard_error\na,1.000,0.250\nb,-1.000,\n"
