"""Tests of WordNet in Princeton's format and of the quality-control questions, with a small WordNet for tests."""

from __future__ import annotations

import itertools
import shutil

import pytest
from click.testing import CliRunner

from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits, iter_table
from accord_core.paraphrase.formats.quality_control import read_quality_control, write_quality_control
from accord_core.paraphrase.formats.wordnet import band, read_wordnet
from accord_core.paraphrase.numerics.quality_control import TooFewQuestions, draw_quality_control
from annotate.commands.main import main
from paraphrase.wordnet_folder import wordnet_folder

LICENCE = "  1 This is nobody's licence; like the real one it has two spaces before each line.\n"
POOL = "apron barrel candle daisy engine feather gravel hammer island jacket kettle lantern".split()

# Offset, words, hypernyms, gloss. A word's tagged count is its frequency; 0 where it is not named.
NOUNS = [
    (100, ["deed", "act"], [], "something done"),
    (
        200,
        ["mistake", "error", "fault", "slip", "Mistake_of_fact"],
        [100],
        'a wrong deed; "the clerk made a mistake in the sum"; "a mistake"',
    ),
    (300, ["feat", "exploit", "stunt", "derring-do"], [100], 'a bold deed; "her first feat was a climb at night"'),
    (400, ["Everest"], [], "a name"),
    (500, ["fault", "break"], [], "a crack in rock"),
    *[(1000 + number, [word], [], "a thing") for number, word in enumerate(POOL)],
]
FREQUENCY = {"mistake": 9, "error": 5, "fault": 4, "slip": 2, "feat": 1, "exploit": 2, "stunt": 1, "act": 4, "deed": 5}
FREQUENCY |= dict(zip(POOL, itertools.cycle([1, 2, 4, 5, 9]), strict=False))
OTHERS = {
    "verb": ["00000700 30 v 01 run 0 000 01 + 02 00 | move fast  "],
    "adj": [
        "00000800 00 s 02 glad(a) 0 merry(ip) 0 001 & 00000810 a 0000 | in good spirits  ",
        "00000810 00 a 01 happy 0 001 & 00000800 s 0000 | in good spirits  ",
    ],
    "adv": ["00000900 02 r 01 gladly 0 001 \\ 00000800 s 0101 | with pleasure  "],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the layout of Debian's package. `counted_by_sense` is the same folder with the layout of
    npm's package.
    """
    place = tmp_path_factory.mktemp("wordnet")
    down = {offset: [other for other, _, up, _ in NOUNS if offset in up] for offset, *_ in NOUNS}
    lines = []
    for offset, words, up, gloss in NOUNS:
        pointers = [f"@ {each:08} n 0000" for each in up] + [f"~ {each:08} n 0000" for each in down[offset]]
        cells = [
            f"{offset:08} 04 n {len(words):02x}",
            *(f"{word} 0" for word in words),
            f"{len(pointers):03}",
            *pointers,
        ]
        lines.append(f"{' '.join(cells)} | {gloss}  ")
    write(place / "data.noun", lines)
    senses = {}
    for offset, words, _, _ in NOUNS:
        for word in words:
            senses.setdefault(word.lower(), []).append(offset)
    index = [f"{word} n {len(o)} 0 {len(o)} 0 {' '.join(f'{each:08}' for each in o)}  " for word, o in senses.items()]
    write(place / "index.noun", index)
    for kind, records in OTHERS.items():
        write(place / f"data.{kind}", records)
        first = {"verb": "run v 1 0 1 0 00000700", "adv": "gladly r 1 1 \\ 1 0 00000900"}
        write(
            place / f"index.{kind}",
            [first[kind]]
            if kind in first
            else ["glad a 1 1 & 1 0 00000800", "happy a 1 1 & 1 0 00000810", "merry a 1 1 & 1 0 00000800"],
        )
    write(place / "cntlist.rev", [f"{word}%1:04:00:: 1 {many}" for word, many in FREQUENCY.items()])
    return place


def write(file, lines):
    file.write_text(LICENCE + "\n".join(lines) + "\n")


def damaged(folder, tmp_path, name, old, new):
    place = tmp_path / "damaged"
    shutil.copytree(folder, place)
    text = (place / name).read_text()
    assert old in text
    (place / name).write_text(text.replace(old, new))
    return place


class TestReading:
    def test_synsets_with_their_words_neighbours_and_examples(self, folder):
        wordnet = read_wordnet(folder)
        mistake = wordnet.synsets["n", 200]
        assert mistake.words == ("mistake", "error", "fault", "slip", "Mistake of fact")
        assert mistake.near == (("n", 100),)
        assert mistake.definition == "a wrong deed"
        assert mistake.examples == ("the clerk made a mistake in the sum", "a mistake")
        assert wordnet.synsets["a", 800].words == ("glad", "merry")  # without the marks of position
        assert wordnet.synsets["a", 810].near == (("a", 800),)

    def test_senses_and_frequencies(self, folder):
        wordnet = read_wordnet(folder)
        assert wordnet.senses["fault", "n"] == [("n", 200), ("n", 500)]
        assert wordnet.frequency("Mistake", "n") == 9
        assert wordnet.frequency("mistake", "v") == wordnet.frequency("everest", "n") == 0

    def test_the_neighbourhood_is_the_synsets_of_a_word_and_what_is_above_and_below(self, folder):
        wordnet = read_wordnet(folder)
        assert wordnet.neighbourhood("mistake") == {("n", 200), ("n", 100)}
        assert wordnet.neighbourhood("deed") == {("n", 100), ("n", 200), ("n", 300)}
        assert wordnet.neighbourhood("unheard") == frozenset()

    def test_counts_may_be_in_the_index_of_senses(self, folder, tmp_path):
        place = tmp_path / "npm"
        shutil.copytree(folder, place)
        (place / "cntlist.rev").unlink()
        write(place / "index.sense", [f"{word}%1:04:00:: 00000001 1 {many}" for word, many in FREQUENCY.items()])
        assert read_wordnet(place).tagged == read_wordnet(folder).tagged

    def test_without_counts_every_word_counts_alike(self, folder, tmp_path):
        place = tmp_path / "bare"
        shutil.copytree(folder, place)
        (place / "cntlist.rev").unlink()
        drawn = draw_quality_control(read_wordnet(place), 2, seed=1)
        assert {row.phrase for row in drawn} == {"mistake", "feat"}

    @pytest.mark.parametrize(("frequency", "expected"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4)])
    def test_a_band_is_a_factor_of_two(self, frequency, expected):
        assert band(frequency) == expected


class TestOtherShapes:
    def test_another_folder(self, tmp_path):
        with pytest.raises(TableError, match=r"has no files index\.noun, data\.noun, .*\. A WordNet folder contains"):
            read_wordnet(tmp_path)
        with pytest.raises(TableError, match="the folder does not exist"):
            read_wordnet(tmp_path / "nowhere")

    @pytest.mark.parametrize(
        ("name", "old", "new", "message"),
        [
            ("data.noun", "00000200 04 n 05", "00000200 04 n 07", r"data\.noun, line 3: the line is not a synset"),
            ("data.noun", " | something done", "", r"data\.noun, line 2: the line is not a synset"),
            ("data.noun", "@ 00000100 n", "@ 00000199 n", r"00000200 refers to 00000199 \(n\), which does not exist"),
            (
                "index.noun",
                "00000400",
                "00000401",
                r"index\.noun, line \d+: the line is not a word whose synsets are in the data",
            ),
            ("index.verb", "run v 1", "run v x", r"index\.verb, line 2: the line is not a word with its synsets"),
            ("cntlist.rev", "mistake%1:04:00:: 1 9", "mistake,9", r"cntlist\.rev, line 2: the line is not a sense key"),
        ],
    )
    def test_a_line_of_another_shape_is_named(self, folder, tmp_path, name, old, new, message):
        with pytest.raises(TableError, match=message):
            read_wordnet(damaged(folder, tmp_path, name, old, new))


class TestDrawing:
    def test_synonyms_are_the_commonest_others_of_the_synset_whose_example_is_shown(self, folder):
        rows = {row.phrase: row for row in draw_quality_control(read_wordnet(folder), 1, seed=3)}
        row = rows["mistake"]
        assert row.sentence == "the clerk made a mistake in the sum"
        assert row.sentence[row.start :].startswith("mistake")
        assert row.synonyms == ["error", "fault", "slip"]  # not a longer form of the phrase
        assert row.explanation == "Here “mistake” means “a wrong deed”; error, fault and slip can have this meaning."

    def test_random_words_are_as_common_as_the_synonyms_and_no_neighbours(self, folder):
        wordnet = read_wordnet(folder)
        for seed in range(30):
            (row,) = draw_quality_control(wordnet, 1, seed=seed)
            bands = [[band(FREQUENCY[word]) for word in words] for words in (row.synonyms, row.random_words)]
            assert bands[0] == bands[1]
            assert len(set(row.random_words)) == 3
            assert not {"deed", "act", "feat", "exploit", "stunt", "everest"} & set(row.random_words)
            assert all(
                wordnet.neighbourhood(word).isdisjoint(wordnet.neighbourhood("mistake")) for word in row.random_words
            )

    def test_the_same_seed_draws_the_same_and_another_one_others(self, folder):
        wordnet = read_wordnet(folder)
        drawn = [tuple(draw_quality_control(wordnet, 1, seed=seed)[0].random_words) for seed in (1, 1, *range(2, 12))]
        assert drawn[0] == drawn[1]
        assert len(set(drawn)) > 3

    def test_a_synonym_that_nobody_tagged_is_not_asked_about(self, folder):
        with pytest.raises(TooFewQuestions, match="provides only 1 quality-control questions, not 2"):
            draw_quality_control(read_wordnet(folder), 2, seed=1)  # derring-do

    def test_a_synset_with_two_examples_is_asked_about_once(self, folder, tmp_path):
        more = '"the clerk made a mistake in the sum"; "an error in the sum cost us dearly"'
        place = damaged(folder, tmp_path, "data.noun", '"the clerk made a mistake in the sum"', more)
        drawn = [draw_quality_control(read_wordnet(place), 1, seed=seed)[0] for seed in range(8)]
        assert {row.phrase for row in drawn} == {"mistake", "error"}
        assert len({row.ref for row in drawn}) == 1
        with pytest.raises(TooFewQuestions, match="provides only 1 quality-control questions, not 2"):
            draw_quality_control(read_wordnet(place), 2, seed=1)

    def test_what_is_drawn_can_be_brought_in(self, folder):
        drawn = draw_quality_control(read_wordnet(folder), 1, seed=1)
        data = "".join(write_quality_control(drawn)).encode()
        rows = read_quality_control(iter_table(data, name="drawn.csv", limits=Limits()))
        assert [row._replace(line=None) for row in rows] == drawn


class TestCommand:
    def run(self, *arguments, **environment):
        return CliRunner().invoke(main, ["paraphrase", "quality-control", *map(str, arguments)], env=environment)

    def test_a_file_is_drawn(self, folder, tmp_path):
        target = tmp_path / "quality.csv"
        result = self.run("--wordnet", folder, "--count", 1, "--seed", 4, "-o", target)
        assert (result.exit_code, result.output) == (0, "")
        expected = "".join(write_quality_control(draw_quality_control(read_wordnet(folder), 1, seed=4)))
        assert target.read_text() == expected
        assert self.run("--count", 1, "--seed", 4, WORDNET_DIR=str(folder)).stdout == expected

    @pytest.mark.parametrize(
        ("arguments", "message", "status"),
        [
            ((), "Missing option '--wordnet'", 2),
            (("--wordnet", "nowhere"), "nowhere: the folder does not exist", 1),
            (("--wordnet", "HERE", "--count", 7), "WordNet provides only 1 quality-control questions, not 7", 1),
            (("--wordnet", "HERE", "--count", 0), "0 is not in the range x>=1", 2),
        ],
    )
    def test_what_is_wrong_is_said_in_a_line(self, folder, arguments, message, status):
        result = self.run(*(folder if each == "HERE" else each for each in arguments), WORDNET_DIR=None)
        assert result.exit_code == status
        assert message in result.stderr
        assert result.stderr.count("\n") == 1

    def test_items_from_two_files(self, tmp_path):
        (tmp_path / "s.csv").write_text("id,sentence,domain\na,They cut back the vines.,garden\nb,Nothing here.,x\n")
        (tmp_path / "p.csv").write_text("phrase,paraphrase\ncut back,prune\ncut,slice\n")
        command = ["paraphrase", "items", str(tmp_path / "s.csv"), str(tmp_path / "p.csv")]
        result = CliRunner().invoke(main, command)
        assert result.stdout == (
            '{"id": "a", "sentence": "They cut back the vines.", "phrase": "cut back", "start": 5, '
            '"paraphrases": ["prune"], "domain": "garden"}\n'
        )
        assert result.stderr == "accord: note: 1 of 2 sentences, 1 of 2 phrases, 1 candidates\n"
        (tmp_path / "p.csv").write_text("phrase,paraphrase\nvineyard,field\n")
        result = CliRunner().invoke(main, command)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "none of the 1 phrases occurs in any of the 2 sentences" in result.stderr


class TestFolder:
    def test_what_is_named_comes_first_and_then_what_is_there(self, folder, tmp_path, monkeypatch):
        monkeypatch.setattr("paraphrase.wordnet_folder.DEBIAN", tmp_path / "nothing")
        monkeypatch.delenv("WORDNET_DIR", raising=False)
        assert wordnet_folder() is None
        assert wordnet_folder([tmp_path, folder]) == folder
        monkeypatch.setenv("WORDNET_DIR", str(tmp_path / "named"))
        assert wordnet_folder([folder]) == tmp_path / "named"
