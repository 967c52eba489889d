"""Tests of files of best–worst annotations: readers are tolerant, and every fault is reported."""

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.formats import (
    AnnotationRow,
    annotation_columns,
    read_annotations,
    write_annotations,
)
from accord_core.exchange.tables import TableError
from tests.bws.test_formats import messages

names = st.text(string.ascii_letters + "=-' ,\"é", min_size=1, max_size=5).filter(lambda name: name == name.strip())


@st.composite
def annotation_rows(draw):
    size = draw(st.integers(2, 6))
    pool = draw(st.lists(names, min_size=size, max_size=12, unique=True))
    rows = []
    for _ in range(draw(st.integers(1, 10))):
        chosen = draw(st.permutations(pool))[:size]
        best, worst = draw(st.sampled_from(chosen)), draw(st.sampled_from(chosen))
        rows.append(AnnotationRow(chosen, best, worst, draw(names), draw(names), draw(st.integers(0, 900)) / 10))
    return size, rows


class TestAnnotations:
    HEADER = "Item1,Item2,Item3,BestItem,WorstItem\n"

    def read(self, text):
        return read_annotations(text.encode(), name="annotations.csv")

    def faults(self, text):
        with pytest.raises(TableError) as caught:
            self.read(text)
        return messages(caught.value.faults)

    @given(annotation_rows())
    def test_round_trip(self, drawn):
        size, rows = drawn
        read = self.read("".join(write_annotations(rows, size=size)))
        judgements = read.judgements
        assert [[read.items[item] for item in row] for row in judgements.items] == [list(row.items) for row in rows]
        assert [read.items[item] for item in judgements.best] == [row.best for row in rows]
        assert [read.items[item] for item in judgements.worst] == [row.worst for row in rows]
        assert [read.annotators[who] for who in judgements.annotator] == [row.annotator for row in rows]
        assert read.tuples == [row.tuple for row in rows]
        assert read.seconds.tolist() == [row.seconds for row in rows]

    def test_the_bare_columns(self):
        read = self.read(self.HEADER + "a,b,c,a,c\nb,c,d,d,b\n")
        assert read.items == ["a", "b", "c", "d"]
        assert read.judgements.items.tolist() == [[0, 1, 2], [1, 2, 3]]
        assert read.judgements.items.dtype == np.int64
        assert read.judgements.annotator is None
        assert (read.annotators, read.tuples, read.seconds) == ([], None, None)

    def test_any_case_any_order_and_columns_of_others(self):
        read = self.read("worstitem;BESTITEM;comment;item2;item1;ANNOTATOR\nb;a;x;b;a;ann\n")
        assert read.judgements.items.tolist() == [[0, 1]]
        assert read.judgements.best.tolist() == [0]
        assert read.annotators == ["ann"]

    def test_a_header_in_mid_file_is_left_out_and_counted(self):
        read = self.read(self.HEADER + "a,b,c,a,c\n" + self.HEADER.lower() + "b,c,d,d,b\n" + self.HEADER)
        assert len(read.judgements) == 2
        assert read.lines == [2, 4]
        assert read.repeated_headers == 2

    def test_another_header_in_mid_file(self):
        text = self.HEADER + "a,b,c,a,c\nBestItem,WorstItem,Item1,Item2,Item3\n"
        assert self.faults(text) == [
            "line 3: the line is a second header with different columns. Split the file at this line"
        ]

    def test_dirt_that_is_kept(self):
        read = self.read(self.HEADER + "a,b,c,a,a\na,a,b,a,b\n")
        assert len(read.judgements) == 2
        assert read.repeated_items == 1

    def test_every_fault_is_named(self):
        text = "Item1,Item2,BestItem,WorstItem,Annotator,Seconds\na,b,c,a,x,1\na,,a,,x,soon\na,b,a,b,,-1\n"
        assert self.faults(text) == [
            "line 2, column BestItem: c is not one of the items in this row",
            "line 3, column Item2: the cell is empty",
            "line 3, column Seconds: soon is not a number of seconds",
            "line 4, column Annotator: the cell is empty, but other rows name an annotator",
            "line 4, column Seconds: -1 is not a valid time. Times must be finite and not negative",
        ]

    def test_an_empty_choice(self):
        assert self.faults(self.HEADER + "a,b,c,,c\n") == ["line 2, column BestItem: the cell is empty"]

    def test_ragged_rows(self):
        assert self.faults(self.HEADER + "a,b,c,a\n") == ["line 2: the row has 4 cells for 5 columns"]

    def test_a_header_alone(self):
        assert self.faults(self.HEADER) == ["the file has a header but no annotations"]

    def test_columns_that_are_missing_or_come_twice(self):
        assert "the file has no column Item1, Item2, WorstItem." in self.faults("BestItem,x\na,b\n")[0]
        assert self.faults("Item1,Item2,item1,BestItem,WorstItem\na,b,a,a,b\n") == [
            "line 1, column item1: two columns have this name"
        ]

    def test_the_header_that_is_written(self):
        assert annotation_columns(2) == ["Item1", "Item2", "BestItem", "WorstItem", "Annotator", "Tuple", "Seconds"]
