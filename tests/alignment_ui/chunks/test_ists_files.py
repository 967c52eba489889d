"""Tests that unchanged `.wa` files are written byte for byte, and that changed pairs are written in the strict form."""

import io
import re
from dataclasses import replace

import openpyxl
import pytest
from hypothesis import given

from accord_core.chunks.formats.ists import pair_text, read_wa, write_wa
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.exchange.faults import TableError
from tests.ists_pairs import FILE, link, pair, pairs

BOM = b"\xef\xbb\xbf"


def read(text, **options):
    return read_wa(text.encode() if isinstance(text, str) else text, name="gold.wa", **options)


def written(pairs):
    return "".join(write_wa(pairs)).encode()


def workbook() -> bytes:
    stream = io.BytesIO()
    openpyxl.Workbook().save(stream)
    return stream.getvalue()


class TestReading:
    def test_tokens_links_types_and_scores(self):
        first, second = read(FILE)
        assert first.source == ("Two", "dogs", "chase", "a", "ball", ".")
        assert first.target == ("A", "dog", "runs", "after", "a", "red", "ball", ":")
        assert (first.id, first.status, first.line, second.id, second.status, second.line) == (
            *("1", "", 1),
            *("x2", "checked", 32),
        )
        assert first.links[:2] == (
            link([5], [], "NOALI", None, comment=". <==> -not aligned-"),
            link([0, 1], [0, 1], "SIMI", 3, ["FACT"], comment="Two dogs <==> A dog"),
        )
        assert first.links[4] == link([], [7], "ALIC", None, comment="-not aligned- <==> :")
        assert [each.line for each in first.links] == [23, 24, 25, 26, 27]

    def test_words_that_look_like_markup_or_separators(self):
        second = read(FILE)[1]
        assert second.source == ("R&D", "<up>")
        assert second.target == ("5", "//", "7")
        assert second.links[2].comment == "-not aligned- <==> //"

    def test_chunks_apart_and_scores_between(self):
        second = read(FILE)[1]
        assert second.links[0] == link([0], [0, 2], "REL", 1.5, comment="R&D <==> 5 7")
        assert second.target_chunks == [(0, 2), (1,)]

    def test_a_nought_makes_its_side_empty(self):
        first, _ = read(FILE.replace("6 <==> 0 // NOALI", "6 <==> 2 0 // NOALI"))
        assert first.links[0] == read(FILE)[0].links[0]

    @pytest.mark.parametrize("gone", ["numbered lists", "sentences"])
    def test_one_of_the_two_forms_of_the_sentences_is_enough(self, gone):
        list_line = re.compile(r"[0-9]+ \S+ : $|</?(source|translation)>$")
        wanted = (
            (lambda line: not line.startswith("//"))
            if gone == "sentences"
            else (lambda line: not list_line.match(line))
        )
        assert read("\n".join(filter(wanted, FILE.split("\n")))) == read(FILE)

    def test_without_tokens_the_sentences_are_passed_over(self):
        text = FILE.replace("2 dogs : ", "two dogs").replace("// R&D <up>\n", "")
        assert [(each.source, each.target, each.text, each.links) for each in read(text, tokens=False)] == [
            ((), (), None, each.links) for each in read(FILE)
        ]

    def test_every_fault_of_a_file_is_told(self):
        text = FILE.replace("3 chase : ", "4 chase : ").replace("// EQUI // 5", "// SAME // 6")
        with pytest.raises(TableError) as caught:
            read(text)
        assert [fault.line for fault in caught.value.faults] == [7, 25, 25, 25]
        assert str(caught.value).startswith(
            "gold.wa, line 7: this line must be token 3, in the form “1 A : ”, not “4 chase :”"
        )

    def test_a_pair_without_tokens_is_a_fault(self):
        with pytest.raises(TableError, match="sentence pair 7 has no tokens"):
            read('<sentence id="7" status="">\n<alignment>\n1 <==> 1 // EQUI // 5 // a\n</alignment>\n')

    @pytest.mark.parametrize("data", [b"", b"\n \n", BOM])
    def test_an_empty_file_is_refused(self, data):
        with pytest.raises(TableError, match="empty"):
            read(data)

    def test_another_encoding_is_recognised(self):
        text = FILE.replace("Two dogs", "é dogs", 1)
        assert read(text.encode("cp1252")) == read(text.encode())

    def test_a_workbook_is_refused_without_advice_that_leads_to_another_format(self):
        with pytest.raises(TableError, match=r"the file is an Excel workbook\. Choose a \.wa file") as caught:
            read_wa(workbook(), name="headlines.xlsx")
        assert "CSV" not in str(caught.value)


class TestByteForByte:
    @pytest.mark.parametrize(
        ("what", "text"),
        {
            "as it is": FILE,
            "no line end at the end": FILE.rstrip("\n"),
            "a preamble and a tail": f"# by hand\n\n{FILE}\n\n# the end\n",
            "other blanks": FILE.replace(" // ", "  //\t").replace("6 . : ", "6 .  :"),
            "scores in other words": FILE.replace("// 5 //", "// 5.0 //").replace("// 4 //", "// 4e0 //"),
            "types the other way round": FILE.replace("SIMI_FACT", "FACT_SIMI"),
            "no comments": re.sub(r"(<==> .* // .* // .*) // .*", r"\1", FILE),
            "wrong comments": FILE.replace("chase <==> runs after", "see <==> // <==> line 9"),
            "other attributes": FILE.replace('status="">', 'by="ann">'),
            "remarks among the links": FILE.replace("</alignment>", "<!-- sure? -->\n\n</alignment>"),
            "odd blanks within a token": FILE.replace("Two", "Two\u2028\x85\xa0"),
            "the same id twice": FILE.replace('"x2"', '"1"'),
        }.items(),
    )
    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", [b"", BOM])
    def test_whatever_the_form(self, what, text, newline, mark):
        data = mark + text.replace("\n", newline).encode()
        assert written(read(data)) == data

    @given(pairs())
    def test_what_is_written_is_read_back(self, each):
        data = written([each])
        assert [replace(link, comment=None) for link in read(data)[0].links] == list(each.links)
        assert replace(read(data)[0], links=each.links) == each
        assert written(read(data)) == data

    @pytest.mark.parametrize(("score", "shown"), [(4, "4"), (4.0, "4"), (2.5, "2.5"), (10 / 3, "3.3333333333333335")])
    def test_scores_are_written_in_full_and_no_longer(self, score, shown):
        text = pair_text(pair(link([0], [0], score=score)))
        assert f"// SIMI // {shown} //" in text
        assert read(text)[0].links[0].score == score

    def test_the_strict_form_is_that_of_the_published_files(self):
        bare = [
            replace(each, text=None, links=tuple(replace(one, comment=None) for one in each.links))
            for each in read(FILE)
        ]
        assert written(bare) == FILE.encode()

    def test_the_order_of_links_and_their_comments_may_be_forgotten(self):
        """Annotators' answers contain sorted links without comments. Such an answer can leave the
        annotation unchanged.
        """
        forgetful = [
            replace(each, links=tuple(replace(one, comment=None, line=None) for one in reversed(each.links)))
            for each in read(FILE)
        ]
        assert written(forgetful) == FILE.encode()

    def test_of_two_links_alike_one_may_have_kept_its_comment(self):
        [twice] = read(pair_text(pair(link([0], [0], comment="sure"), link([0], [0], comment="really"))))
        for kept in ("sure", "really"):
            links = (replace(twice.links[0], comment=None), replace(twice.links[0], comment=kept))
            assert pair_text(replace(twice, links=links)) == twice.text
        both = tuple(replace(each, comment="sure") for each in twice.links)
        assert pair_text(replace(twice, links=both)) != twice.text

    def test_some_of_the_pairs_in_another_order(self):
        first, second = read(BOM + FILE.encode().rstrip(b"\n"))
        assert written([second, first]) == (second.text + "\n" + first.text.removeprefix("\ufeff")).encode()


class TestChanged:
    def changed(self, text, **change):
        """Return the lines of a file after its first link has been changed, and the original lines."""
        first, *rest = read(text)
        links = (replace(first.links[1], comment=None, **change), first.links[0], *first.links[2:])
        return written([replace(first, links=links), *rest]).decode("utf-8-sig").split("\n"), text.split("\n")

    def test_only_the_pair_that_is_changed_is_written_anew(self):
        untidy = f"# by hand\n{FILE}".replace("1 Two : ", "1  Two  :").replace("// REL //", "//REL//")
        lines, before = self.changed(untidy, type="REL", score=2.0)
        assert lines[23:25] == [
            "1 2 <==> 1 2 // REL_FACT // 2 // Two dogs <==> A dog ",
            "6 <==> 0 // NOALI // NIL // . <==> -not aligned- ",
        ]
        assert lines[0] == "# by hand"
        assert lines[5] == "1 Two : "
        assert lines[28:] == before[28:], "the end of the changed pair, and the other pair, stay as they are"

    def test_line_ends_and_the_byte_order_mark_are_kept(self):
        first, second = read(BOM + FILE.replace("\n", "\r\n").encode())
        data = written([replace(first, links=first.links[1:]), second])
        assert data.startswith(BOM + b"<sentence")
        assert data.count(b"\r\n") == data.count(b"\n") == FILE.count("\n") - 1

    @pytest.mark.parametrize(
        "change", [{"score": 2.0}, {"flags": frozenset()}, {"source": (0,)}, {"comment": "unsure"}]
    )
    def test_any_part_of_a_link_counts(self, change):
        first, _ = read(FILE)
        other = replace(first, links=(first.links[0], replace(first.links[1], **change), *first.links[2:]))
        assert pair_text(other) != first.text
        [again] = read(pair_text(other))
        assert replace(again.links[1], comment=None) == replace(other.links[1], comment=None)

    def test_a_doubled_link_is_a_change(self):
        first, _ = read(FILE)
        doubled = replace(first, links=(*first.links, replace(first.links[0], comment=None)))
        assert len(read(pair_text(doubled))[0].links) == 6

    def test_new_pairs_stand_two_lines_apart_from_others(self):
        new = [pair(link([0], [0]), name=name) for name in "ab"]
        lines = written([new[0], *read(FILE), new[1]]).decode().split("\n")
        assert lines.count("") == 3 * 2 + 1, "two between any two of four pairs, and the end"
        assert [each.id for each in read("\n".join(lines))] == ["a", "1", "x2", "b"]

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (IstsPair("1", ("a b",), ("c",)), "“a b” cannot be written as a token"),
            (IstsPair("1", ("",), ("c",)), "“” cannot be written as a token"),
            (IstsPair('1"', ("a",), ("c",)), "tag"),
            (pair(link([0], [7])), "no token 8, only 5 tokens"),
            (pair(link([0], [0], score=7)), "from 0 to 5"),
            (pair(link([0], [0], score=None)), "NIL"),
            (pair(link([0], [0], "SAME")), "SAME"),
            (pair(link([0], [0], comment="one\nanother")), "cannot be written to a .wa file"),
        ],
    )
    def test_what_the_format_cannot_hold_is_refused(self, wrong, message):
        with pytest.raises(ValueError, match=message):
            written([wrong])
