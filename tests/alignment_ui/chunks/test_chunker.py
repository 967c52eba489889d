"""Tests of the chunker, of the reader for CoNLL-U files, and of the scores of chunks."""

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.formats.chunk_files import parse_chunks, write_chunks
from accord_core.chunks.numerics.chunk_scores import chunk_scores
from accord_core.chunks.numerics.chunker import chunks_of
from accord_core.exchange.conllu import UPOS, TaggedToken, read_conllu
from accord_core.exchange.faults import TableError
from annotate.commands.main import main

CONLLU = """\
# sent_id = s1
1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
1\tca\tcan\tAUX\tMD\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\tPolarity=Neg\t3\tadvmod\t_\t_
3\tsleep\tsleep\tVERB\tVB\tVerbForm=Inf|Voice=Act\t0\troot\t_\t_

1\tIt\tit\tPRON\tPRP\t_\t_\t_\t_\t_
2\trains\train\tVERB\tVBZ\tTense=Pres|VerbForm=Fin\t_\t_\t_\t_
"""


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, ["ists", *map(str, arguments)], input=stdin)


def tagged(text):
    """Return the tokens of a text such as `a/DET fenced/VERB:Part area/NOUN`."""
    tokens = []
    for part in text.split():
        form, tag = part.rsplit("/", 1)
        upos, _, verb_form = tag.partition(":")
        tokens.append(TaggedToken(form, upos=upos, features={"VerbForm": verb_form} if verb_form else None))
    return tokens


def chunked(text):
    tokens = tagged(text)
    return write_chunks([token.form for token in tokens], chunks_of(tokens))


class TestChunks:
    @pytest.mark.parametrize(
        ("sentence", "expected"),
        [
            (
                "A/DET black/ADJ and/CCONJ white/ADJ cat/NOUN is/AUX sitting/VERB:Ger on/ADP branches/NOUN ./PUNCT",
                "[ A black and white cat ] [ is sitting ] [ on branches ] [ . ]",
            ),
            (
                "Two/NUM green/ADJ and/CCONJ white/ADJ trains/NOUN of/ADP a/DET firm/NOUN",
                "[ Two green and white trains ] [ of a firm ]",
            ),
            ("A/DET horse/NOUN in/ADP a/DET fenced/VERB:Part area/NOUN", "[ A horse ] [ in a fenced area ]"),
            ("Red/ADJ truck/NOUN spinning/VERB:Ger tires/NOUN", "[ Red truck ] [ spinning ] [ tires ]"),
            (
                "They/PRON play/VERB:Fin and/CCONJ have/VERB:Fin a/DET drink/NOUN",
                "[ They ] [ play ] [ and ] [ have ] [ a drink ]",
            ),
            (
                "a/DET man/NOUN and/CCONJ a/DET boy/NOUN walk/VERB:Fin in/ADP front/NOUN of/ADP a/DET house/NOUN",
                "[ a man and a boy ] [ walk ] [ in front of a house ]",
            ),
            (
                "with/ADP a/DET bed/NOUN ,/PUNCT a/DET bench/NOUN and/CCONJ dresser/NOUN",
                "[ with a bed , a bench and dresser ]",
            ),
            ("He/PRON stands/VERB:Fin up/ADP on/ADP it/PRON", "[ He ] [ stands up ] [ on it ]"),
            ("who/PRON does/AUX not/PART want/VERB:Inf to/PART go/VERB:Inf", "[ who ] [ does not want ] [ to go ]"),
            ("There/PRON is/VERB:Fin the/DET dog/NOUN 's/PART ball/NOUN", "[ There is ] [ the dog 's ball ]"),
            ("A/DET cat/NOUN ,/PUNCT the/DET king/NOUN ,/PUNCT", "[ A cat ] [ , ] [ the king ] [ , ]"),
        ],
    )
    def test_by_the_guidelines(self, sentence, expected):
        assert chunked(sentence) == expected

    @given(
        st.lists(
            st.tuples(st.sampled_from(["to", "'s", "of", "in", "front", ",", "who", "there", "seen", "x"]),
                      st.sampled_from(sorted(UPOS)), st.sampled_from(["", "Part", "Fin"])),
            max_size=9,
        )
    )  # fmt: skip
    def test_every_token_is_in_exactly_one_chunk(self, words):
        tokens = [TaggedToken(form, upos=upos, features={"VerbForm": verb}) for form, upos, verb in words]
        chunks = chunks_of(tokens)
        assert [token for chunk in chunks for token in chunk] == list(range(len(tokens)))

    def test_a_token_without_a_tag_is_named(self):
        with pytest.raises(ValueError, match="the token 2, “cat”, has no universal part-of-speech tag"):
            chunks_of([TaggedToken("a", upos="DET"), TaggedToken("cat")])


def test_the_example_has_the_chunks_of_its_gold_file():
    folder = Path(__file__).parents[3] / "examples" / "chunks"
    made = accord("chunk", folder / "captions.conllu").stdout
    assert made == (folder / "captions.chunk.txt").read_text()


class TestItems:
    def test_pairs_become_items_with_chunks(self, tmp_path, monkeypatch):
        """The first sentence of p1 is matched by `sent_id`, and all other sentences by their words."""
        monkeypatch.chdir(tmp_path)
        Path("pairs.csv").write_text("id,sentence1,sentence2,genre\np1,I can't sleep,It  rains,talk\n")
        Path("pairs.conllu").write_text(CONLLU.replace("= s1", "= p1:1").replace("can't\t_", "can't\t_"))
        result = accord("chunk", "pairs.conllu", "--pairs", "pairs.csv")
        assert json.loads(result.stdout) == {
            "id": "p1", "source": "[ ca n't sleep ]", "target": "[ It ] [ rains ]", "genre": "talk",
        }  # fmt: skip
        Path("pairs.csv").write_text("id,sentence1,sentence2\np2,It snows,It rains\n")
        refused = accord("chunk", "pairs.conllu", "--pairs", "pairs.csv").stderr
        assert refused == "accord: pairs.conllu: sentence 1 of p2 has no parse (sent_id p2:1)\n"
        assert "cannot be combined with --model" in accord("chunk", "a", "--pairs", "b", "--model", "m").stderr
        assert "To tag plain sentences, use --model NAME" in accord("chunk", "-", stdin="It rains\n").stderr

    def test_two_sentence_files_become_items(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("one.txt").write_text("[ It ] [ rains ]\n")
        Path("two.txt").write_text("[ It ] [ is raining ]\n")
        result = accord("items", "one.txt", "two.txt", "--dataset", "weather")
        assert json.loads(result.stdout) == {
            "id": "weather:1", "source": "[ It ] [ rains ]", "target": "[ It ] [ is raining ]", "dataset": "weather",
        }  # fmt: skip


class TestConllu:
    def test_tokens_comments_and_lines(self):
        first, second = read_conllu(CONLLU.encode(), name="test")
        assert (first.forms, first.comments, first.line) == (("ca", "n't", "sleep"), {"sent_id": "s1"}, 2)
        assert (second.forms, second.comments, second.line) == (("It", "rains"), {}, 7)
        sleep, rains = first.tokens[2], second.tokens[1]
        assert (sleep.lemma, sleep.upos, sleep.xpos, sleep.head, sleep.relation) == ("sleep", "VERB", "VB", -1, "root")
        assert (first.tokens[0].head, rains.head) == (2, None)
        assert (sleep.feature("VerbForm"), rains.feature("Tense"), rains.feature("Voice")) == ("Inf", "Pres", "")

    def test_every_error_by_its_line(self):
        text = (
            CONLLU.replace("2\tn't", "3\tn't").replace("\tVERB\tVB\t", "\tVRB\tVB\t").replace("\t0\troot", "\t9\troot")
        )
        with pytest.raises(TableError) as error:
            read_conllu((text + "3 ./PUNCT\n").encode(), name="test")
        assert [(fault.line, fault.column) for fault in error.value.faults] == [
            (4, "ID"),
            (5, "UPOS"),
            (5, "HEAD"),
            (9, None),
        ]
        with pytest.raises(TableError, match="the file has no sentences"):
            read_conllu(b"# only a comment\n", name="test")


class TestScores:
    def test_by_hand(self):
        """The gold file has 4 chunks without punctuation, the system has 3, and 2 of them are correct."""
        tokens = ("a", "cat", "sleeps", "well", "there", ".")
        gold = parse_chunks("[ a cat ] [ sleeps ] [ well ] [ there ] [ . ]")[1]
        system = parse_chunks("[ a cat ] [ sleeps well ] [ there ] [ . ]")[1]
        scores = chunk_scores([(tokens, gold, system)])
        assert (scores.gold, scores.system, scores.correct, scores.correct_sentences) == (4, 3, 2, 0)
        assert [each.value for each in scores.measures] == pytest.approx([2 / 3, 1 / 2, 4 / 7])
        assert scores.measures[0].low is None  # one sentence
        with_marks = chunk_scores([(tokens, gold, system)] * 2, punctuation=True)
        assert [each.value for each in with_marks.measures] == pytest.approx([3 / 4, 3 / 5, 2 / 3])

    def test_the_commands(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "gold.txt").write_text("[ ca n't sleep ] \n[ It rains ] \n")
        made = accord("chunk", "-", stdin=CONLLU)
        assert made.stdout == "[ ca n't sleep ] \n[ It ] [ rains ] \n"
        found = json.loads(accord("score-chunks", "gold.txt", "-", "--json", stdin=made.stdout).stdout)
        assert (found["gold"], found["system"], found["correct"], found["correct_sentences"]) == (2, 3, 1, 1)
        assert found["recall"]["value"] == 0.5
        table = accord("score-chunks", "gold.txt", "-", "--resamples", 0, "--format", "csv", stdin=made.stdout).stdout
        assert table.splitlines()[1:] == ["precision,0.333,,", "recall,0.500,,", "F1,0.400,,"]
        other = accord("score-chunks", "gold.txt", "-", stdin="[ ca n't sleep ]\n[ It ] [ snows ]\n")
        assert other.stderr.startswith("accord: standard input, line 2: the tokens differ from the tokens on the same")
        plain = accord("score-chunks", "gold.txt", "-", stdin="ca n't sleep\nIt rains\n")
        assert plain.stderr.startswith("accord: standard input, line 1: the sentences have no chunks")
        untagged = accord("chunk", "-", stdin=CONLLU.replace("\tPRON\t", "\t_\t"))
        assert untagged.stderr == (
            "accord: standard input, line 7, column UPOS: “It” has no universal part-of-speech tag\n"
        )


class TestSpacy:
    def test_a_missing_package_and_a_missing_model(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "spacy", None)
        said = accord("chunk", "-", "--model", "small", stdin="It rains\n").stderr
        assert said == (
            "accord: The tagging of sentences needs the extra ‘spacy’: pip install 'accord-annotation[spacy]'\n"
        )

    def test_a_model(self, monkeypatch):
        """The stand-in has the interface that the command uses: `load`, `Doc`, and the attributes of tokens."""

        def pipeline(words):
            tags = {"It": ("PRON", "nsubj"), "gives": ("VERB", "ROOT"), "up": ("ADP", "prt"), "fails": ("", "")}
            return [
                SimpleNamespace(
                    text=word, lemma_=word, pos_=tags[word][0], tag_="", dep_=tags[word][1],
                    morph=SimpleNamespace(to_dict=dict),
                )
                for word in words
            ]  # fmt: skip

        def load(name):
            if name != "small":
                raise OSError(name)
            return pipeline

        pipeline.vocab = None
        package, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")
        package.load = load
        tokens.Doc = lambda vocab, words: words
        monkeypatch.setitem(sys.modules, "spacy", package)
        monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
        assert accord("chunk", "-", "--model", "small", stdin="It gives up\n").stdout == "[ It ] [ gives up ] \n"
        untagged = accord("chunk", "-", "--model", "small", stdin="It fails\n").stderr
        assert untagged.startswith("accord: standard input, line 1: the spaCy model small does not assign universal")
        assert (
            "large: the spaCy model is not installed" in accord("chunk", "-", "--model", "large", stdin="It\n").stderr
        )
