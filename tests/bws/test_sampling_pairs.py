"""Tests of `accord sample pairs`, which reads sentences and writes an item file and a report."""

import csv
import io
import json
from collections import Counter
from math import ceil

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.formats import read_items
from accord_core.bws.sampling.formats.sentences import read_sentences
from accord_core.bws.sampling.numerics.partners import Window
from accord_core.evaluation.numerics.overlap import words
from accord_core.exchange.tables import Limits, iter_table
from annotate.commands.main import main
from bws.sampling import cli
from bws.sampling.pairs import make_pairs
from bws.sampling.request import MEASURES, STRATEGIES, Request

NOUNS = "dog cat bird horse child woman man river street garden house train tree boat market".split()
VERBS = "sees leaves finds paints follows".split()
PLACES = "in the old town;by the quiet river;near a small market;on a cold day;under the tall tree".split(";")


def sentence(n):
    a, b = NOUNS[n % 15], NOUNS[(n * 7 + n // 15) % 15]
    return f"The {a} {VERBS[n % 5]} a {b} {PLACES[(n // 5) % 5]}, number{n}."


def table(rows, columns):
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(columns)
    writer.writerows(rows)
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(f"s{n}", sentence(n), ("news", "web")[n % 2]) for n in range(200)]
    (tmp_path / "s.csv").write_text(table(rows, ["id", "text", "source"]))
    pairs = [(f"p{n}", sentence(n), sentence(3 * n + 200), n % 11 / 2, "x") for n in range(120)]
    (tmp_path / "p.csv").write_text(table(pairs, ["id", "sentence1", "sentence2", "sts", "origin"]))
    tweets = [
        (sentence(n), ("clinton", "trump", "abortion")[n % 3], ("for", "against")[n // 3 % 2]) for n in range(120)
    ]
    (tmp_path / "t.csv").write_text(table(tweets, ["text", "target", "stance"]))
    return tmp_path


def sample(*arguments, status=0):
    result = CliRunner().invoke(main, ["sample", "pairs", *map(str, arguments)])
    assert result.exit_code == status, result.output
    return list(csv.DictReader(io.StringIO(result.stdout))) if not status else result


def overlap(row):
    x, y = set(words(row["sentence1"])), set(words(row["sentence2"]))
    return len(x & y) / len(x)


def test_the_help_names_what_there_is():
    assert (cli.STRATEGIES, cli.MEASURES) == (STRATEGIES, MEASURES)


def test_overlap_keeps_to_its_windows_its_sources_and_uses_nobody_twice(folder):
    rows = sample("s.csv", "--strategy", "overlap", "--pairs", 30)
    assert Counter(row["source"] for row in rows) == {"news": 30, "web": 30}
    assert all(0.25 <= overlap(row) < 0.75 for row in rows)
    assert [float(row["overlap"]) for row in rows] == pytest.approx([overlap(row) for row in rows], abs=5e-5)
    used = [row[f"id{n}"] for row in rows for n in (1, 2)]
    assert len(set(used)) == 120
    assert all(int(row["id1"][1:]) % 2 == int(row["id2"][1:]) % 2 == (row["source"] == "web") for row in rows)


def test_the_same_seed_draws_the_same_and_another_another(folder):
    drawn = [sample("s.csv", "--strategy", "overlap", "--pairs", 10, "--seed", seed) for seed in (4, 4, 5)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    "options",
    [
        ("s.csv", "--strategy", "overlap", "--pairs", 10),
        ("s.csv", "--strategy", "buckets", "--measure", "idf-dice", "--pairs", 10),
        ("s.csv", "--strategy", "random", "--pairs", 10),
        ("p.csv", "--strategy", "paraphrase", "--pairs", 10),
        ("p.csv", "--strategy", "buckets", "--pairs", 10, "--buckets", 4, "--base", 1),
        ("p.csv", "--strategy", "bins", "--score", "sts", "--pairs", 10),
        ("t.csv", "--strategy", "match", "--match", "target", "--pairs", 10),
    ],
    ids=lambda options: f"{options[0]} {options[2]}",
)
def test_a_best_worst_study_takes_the_items_as_they_are(folder, options):
    sample(*options, "-o", "items.csv")
    items, faults, warnings = read_items(
        iter_table((folder / "items.csv").read_bytes(), name="items.csv", limits=Limits()), size=4
    )
    assert (len(items), faults, warnings) == (20 if options[0] == "s.csv" else 10, [], [])


def test_quotas_choose_among_groups(folder):
    rows = sample("s.csv", "--strategy", "random", "--quota", "web=7")
    assert Counter(row["source"] for row in rows) == {"web": 7}
    rows = sample("s.csv", "--strategy", "random", "--quota", "web=7", "--pairs", 2)
    assert Counter(row["source"] for row in rows) == {"news": 2, "web": 7}
    assert (
        "the file has no group wiki. The groups are: news, web"
        in sample("s.csv", "--strategy", "random", "--quota", "wiki=7", status=2).output
    )


def test_match_pairs_a_target_by_kinds_of_stance(folder):
    quotas = {"for+for": 9, "against+against": 6, "for+against": 12}
    options = [part for kind, count in quotas.items() for part in ("--quota", f"{kind}={count}")]
    rows = sample("t.csv", "--strategy", "match", "--match", "target", "--kinds", "stance", *options)
    given = {sentence(n): (("clinton", "trump", "abortion")[n % 3], ("for", "against")[n // 3 % 2]) for n in range(120)}
    for row in rows:
        (target1, stance1), (target2, stance2) = given[row["sentence1"]], given[row["sentence2"]]
        assert target1 == target2 == row["target"]
        assert f"{stance1}+{stance2}" == row["stance"]
    assert Counter(row["stance"] for row in rows) == quotas
    assert Counter(row["target"] for row in rows) == {"clinton": 9, "trump": 9, "abortion": 9}


def test_bins_of_an_outside_score_are_filled_alike(folder):
    rows = sample("p.csv", "--strategy", "bins", "--score", "sts", "--bins", "0,1,2,3,4,5", "--pairs", 25)
    assert Counter(max(ceil(float(row["sts"])), 1) for row in rows) == dict.fromkeys(range(1, 6), 5)
    assert {row["id"][0] for row in rows} == {"p"}  # given pairs keep their ids and columns
    assert {row["origin"] for row in rows} == {"x"}


def test_higher_buckets_give_more(folder):
    sample("s.csv", "--strategy", "buckets", "--pairs", 31, "--buckets", 5, "--base", 2, "--report", "r.json")
    report = json.loads((folder / "r.json").read_text())
    for group in report["groups"]:
        requested = [part["requested"] for part in group["parts"]]
        assert requested == [part["sampled"] for part in group["parts"]]
        assert requested[-1] == 16
        assert requested == sorted(requested)
    assert sum(b["requested"] for b in report["histogram"]) == pytest.approx(62, abs=0.02)
    assert sum(b["pairs"] for b in report["histogram"]) == report["sampled"] == 62
    assert sum(b["at_random"] for b in report["histogram"]) == pytest.approx(62, abs=0.02)


def test_the_terminal_shows_only_buckets_with_requested_pairs(folder):
    arguments = ["s.csv", "--strategy", "buckets", "--pairs", 3, "--buckets", 5, "--report", "r.json", "-o", "o.csv"]
    shown = CliRunner().invoke(main, ["sample", "pairs", *map(str, arguments)]).stderr
    parts = [part for group in json.loads((folder / "r.json").read_text())["groups"] for part in group["parts"]]
    empty = [part for part in parts if not part["requested"]]
    assert empty
    assert shown.count("to choose from") == len(parts) - len(empty)
    listed = [line for line in shown.splitlines() if "buckets from which no pairs were requested: " in line]
    assert sum(int(line.rpartition(" ")[2]) for line in listed) == len(empty)


def test_given_pairs_can_be_kept_inside_a_window(folder):
    inside = sample("p.csv", "--strategy", "paraphrase", "--pairs", 500, "--overlap", 0.3, 0.6, "--reuse")
    rows = csv.DictReader(io.StringIO((folder / "p.csv").read_text()))
    assert sorted(row["id"] for row in inside) == sorted(row["id"] for row in rows if 0.3 <= overlap(row) < 0.6)


def test_what_is_left_out_is_counted_and_why(folder):
    texts = ["Too short.", *[sentence(n) for n in range(30)], sentence(3), "far too long " * 10]
    (folder / "plain.txt").write_text("\n".join(texts))
    result = CliRunner().invoke(main, ["sample", "pairs", "plain.txt", "--strategy", "random", "--pairs", "40"])
    assert "15 of 40 pairs by random, seed 1, of 30 sentences (33 read)" in result.stderr
    for reason in ("a sentence of under 5 words", "a sentence of over 25 words", "the same as an earlier row"):
        assert f"excluded: 1 × {reason}" in result.stderr


def test_it_warns_of_pairs_that_share_next_to_nothing(folder):
    letters = "abcdefghijkl"
    lines = [" ".join(f"{letter}{n}" for letter in letters[:6]) for n in range(40)]
    (folder / "strange.txt").write_text("\n".join(lines))
    told = CliRunner().invoke(main, ["sample", "pairs", "strange.txt", "--strategy", "random", "--pairs", "10"])
    assert "10 of 10 pairs have a value below 0.1 on the measure dice" in told.stderr
    related = CliRunner().invoke(main, ["sample", "pairs", "s.csv", "--strategy", "overlap", "--pairs", "10"])
    assert "warning" not in related.stderr
    nothing = sample("strange.txt", "--strategy", "overlap", "--pairs", 10, status=1)
    assert "40 of 40 tried sentences had no matching partner" in nothing.stderr


def test_synonyms_match_and_sentences_stay_as_they_are(folder):
    (folder / "two.txt").write_text("big dogs bark very loudly\nlarge hounds sleep rather deeply\n")
    (folder / "synonyms.csv").write_text("word,synonym\nlarge,big\nhounds,dogs\n")
    sample("two.txt", "--strategy", "overlap", "--pairs", 1, status=1)
    (row,) = sample("two.txt", "--strategy", "overlap", "--pairs", 1, "--synonyms", "synonyms.csv")
    assert row["overlap"] == "0.4000"
    assert {row["sentence1"], row["sentence2"]} == set((folder / "two.txt").read_text().splitlines())


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("s.csv", "--strategy", "bins", "--score", "x", "--pairs", 1), 2, "the strategy bins needs pairs"),
        (
            ("p.csv", "--strategy", "overlap", "--pairs", 1),
            2,
            "the strategy overlap needs sentences, but p.csv contains pairs",
        ),
        (("s.csv", "--strategy", "random"), 2, "--pairs: specify the number of pairs"),
        (
            ("s.csv", "--strategy", "random", "--quota", "web"),
            2,
            "--quota: a quota must have the form wiki=500, not web",
        ),
        (
            ("s.csv", "--strategy", "random", "--pairs", 1, "--within", "year"),
            1,
            "the file has no column year. The columns are source",
        ),
        (("t.csv", "--strategy", "match", "--pairs", 1), 2, "--match: the strategy match needs the column"),
        (
            ("t.csv", "--strategy", "match", "--match", "target", "--kinds", "stance", "--quota", "a+b=1"),
            2,
            "the kind a+b does not exist",
        ),
        (("p.csv", "--strategy", "bins", "--score", "sts", "--bins", "2,1", "--pairs", 1), 2, "--bins: the bounds"),
        (("p.csv", "--strategy", "bins", "--score", "origin", "--pairs", 1), 1, "line 2, column origin: x is no"),
        (
            ("s.csv", "--strategy", "random", "--pairs", 1, "--overlap", 0, 1),
            2,
            "--overlap: the strategy random does not use the overlap",
        ),
        (("s.csv", "--strategy", "overlap", "--pairs", 1, "--overlap", 1, 0.5), 2, "the minimum overlap (1) must be"),
    ],
)
def test_what_does_not_fit_is_said(folder, options, status, message):
    assert message in sample(*options, status=status).output


vocabulary = st.sampled_from([f"w{n}" for n in range(12)])
some_sentences = st.lists(st.lists(vocabulary, min_size=3, max_size=8).map(" ".join), min_size=2, max_size=20)


@given(
    some_sentences,
    st.sampled_from(["overlap", "buckets", "random"]),
    st.integers(1, 8),
    st.booleans(),
    st.integers(0, 99),
)
def test_whatever_the_sentences_no_pair_comes_twice_and_none_is_made_up(texts, strategy, wanted, reuse, seed):
    given_table = read_sentences("\n".join(["text", *texts]).encode(), name="s", limits=Limits())
    made = make_pairs(given_table, Request(strategy, pairs=wanted, words=(3, 8), reuse=reuse, seed=seed, examine=500))
    rows = [dict(zip(made.columns, row, strict=True)) for row in made.rows]
    pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
    assert len(pairs) <= wanted
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)  # and no sentence with itself
    assert {text for pair in pairs for text in pair} <= set(texts)
    if not reuse:
        assert len({text for pair in pairs for text in pair}) == 2 * len(pairs)
    if strategy == "random" and not reuse:
        assert len(pairs) == min(wanted, len(set(texts)) // 2)
    if strategy == "overlap":
        window = Window()
        for row in rows:
            assert window.low <= overlap(row) < window.high
            lengths = [len(row[name].split()) for name in ("sentence1", "sentence2")]
            assert np.ptp(lengths) <= window.length_difference * max(lengths)
    assert sum(b.pairs for b in made.report.histogram) == len(pairs)
