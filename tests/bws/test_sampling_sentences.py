"""Tests of sentences from texts: token counts compared with NLTK, splitting, and the way to `accord sample pairs`."""

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.sampling.formats.texts import read_texts
from accord_core.evaluation.numerics.treebank import treebank_tokens
from accord_core.exchange import extras
from accord_core.exchange.extras import MissingExtraError
from accord_core.exchange.tables import Limits, TableError
from annotate.commands.main import main
from bws.sampling.sentences import SourceTexts, make_sentences, sentence_splitter, whole_text

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/relatedness/texts"
PIECES = """The dog cannot gonna gotta wanna gimme lemme d'ye more'n 'tis 'Twas n't 's 'S 'll 'LL 've '' ' `` ` " . ..
... , : ; ? ! ( ) [ ] { } < > -- - — $ % & @ # 3 .5 1,000 U.S. é ’s “ ”""".split()


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def texts(data, **options):
    return read_texts(data.encode(), name="t.txt", limits=Limits(), **options)


class TestTokens:
    @given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "\t"])), max_size=14))
    def test_tokens_are_those_of_nltk(self, parts):
        from nltk.tokenize import TreebankWordTokenizer  # a slow import

        sentence = "".join(piece + space for piece, space in parts)
        assert treebank_tokens(sentence) == TreebankWordTokenizer().tokenize(sentence)

    def test_clitics_and_punctuation_marks_are_tokens(self):
        assert treebank_tokens('He didn\'t say "no", did he?') == [
            "He", "did", "n't", "say", "``", "no", "''", ",", "did", "he", "?",
        ]  # fmt: skip


class TestTexts:
    def test_blank_lines_separate_paragraphs(self):
        read = texts("One\ntwo.\n\n\nThree.\n")
        assert (read.texts, read.ids, read.lines) == (
            (["One two.", "Three."],),
            ["line-1", "line-5"],
            [1, 5],
        )
        assert texts("One\ntwo.\n\nThree.\n", per_line=True).texts == (["One", "two.", "Three."],)

    def test_tables_and_their_columns(self):
        read = texts("id,Review_Text,stars\na,Good. Bad.,3\n", text_column="review_text")
        assert (read.ids, read.texts, read.columns) == (["a"], (["Good. Bad."],), {"stars": ["3"]})
        with pytest.raises(TableError, match="must have the column review"):
            texts("id,body\na,b\n", text_column="review")

    def test_pairs_are_refused(self):
        with pytest.raises(TableError, match="pairs of sentences"):
            texts("sentence1,sentence2\na,b\n")


class TestSentences:
    def test_limits_repetitions_and_sources(self):
        table = read_texts(
            b"id,text,source,mood\na,One two three four.,x,calm\nb,One two three four.,y,\nc,One two three  four.,x,\n"
            b"d,One two three.,x,\ne,One two three four five.,,\n",
            name="t.csv",
            limits=Limits(),
        )
        sample = make_sentences([SourceTexts(table, "rest", "t")], whole_text, (5, 6))
        assert sample.columns == ["id", "text", "tokens", "source", "mood"]
        assert sample.rows == [
            ["a", "One two three four.", "5", "x", "calm"],
            ["b", "One two three four.", "5", "y", ""],
            ["e", "One two three four five.", "6", "rest", ""],
        ]
        assert list(sample.lines()) == [
            "x: 1 of 3 sentences from 3 texts",
            "  excluded: 1 × fewer than 5 tokens",
            "  excluded: 1 × the same as an earlier sentence of the source",
            "y: 1 of 1 sentences from 1 text",
            "rest: 1 of 1 sentences from 1 text",
        ]

    def test_a_missing_package_is_one_clear_line(self, monkeypatch, tmp_path):
        def absent(name):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        monkeypatch.setattr(extras, "import_module", absent)
        with pytest.raises(MissingExtraError):
            sentence_splitter()
        result = CliRunner().invoke(main, ["sample", "sentences", str(EXAMPLES / "travel.txt")])
        assert result.exit_code == 1
        assert result.stderr == (
            "accord: Sentence splitting needs the extra ‘pysbd’: pip install 'accord-annotation[pysbd]'\n"
        )
        assert accord("sample", "sentences", "-", "--no-split", stdin="One two three four five.").exit_code == 0


class TestCommand:
    def test_texts_become_sentences_that_can_be_paired(self, tmp_path):
        result = accord("sample", "sentences", EXAMPLES / "travel.txt", EXAMPLES / "gardening.txt")
        assert result.exit_code == 0
        rows = rows_of(result.stdout)
        sentences = {row["id"]: row["text"] for row in rows}
        assert sentences["travel-line-1-4"] == "The heating has not worked since Dr. Alvarez retired."
        assert sentences["gardening-line-6-1"].startswith("A hedgehog eats about 80 slugs a night, e.g. the small")
        assert {row["source"] for row in rows} == {"travel", "gardening"}
        assert all(5 <= len(treebank_tokens(row["text"])) == int(row["tokens"]) <= 25 for row in rows)
        assert "Wonderful." not in sentences.values()
        assert result.stderr.splitlines() == [
            "travel: 15 of 16 sentences from 4 texts",
            "  excluded: 1 × fewer than 5 tokens",
            "gardening: 11 of 11 sentences from 3 texts",
        ]
        pairs = accord("sample", "pairs", "-", "--strategy", "random", "--pairs", 3, stdin=result.stdout)
        assert pairs.exit_code == 0
        assert len(rows_of(pairs.stdout)) == 6
        assert f"of {len(rows)} sentences ({len(rows)} read)" in pairs.stderr

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--language", "tlh"], "accord: --language: "),
            (["--tokens", "9", "5"], "accord: --tokens: no sentence has at least 9 and at most 5 tokens"),
            (["--tokens", "90", "95"], "accord: no sentence has a suitable length"),
        ],
    )
    def test_impossible_requests(self, arguments, message):
        result = accord("sample", "sentences", EXAMPLES / "travel.txt", *arguments)
        assert result.exit_code in (1, 2)
        assert result.stderr.splitlines()[-1].startswith(message)

    def test_two_texts_cannot_share_an_id(self, tmp_path):
        for name in ("a.csv", "b.csv"):
            (tmp_path / name).write_text(f"id,text\n1,One two three four five {name}.\n")
        result = accord("sample", "sentences", tmp_path / "a.csv", tmp_path / "b.csv")
        assert result.exit_code == 1
        assert "two sentences have the ID 1" in result.stderr
