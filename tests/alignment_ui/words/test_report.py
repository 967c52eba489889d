"""Tests of word-alignment reports with hand-made answers."""

import csv
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np
import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.arrays import pack, unpack
from accord_core.pairs.formats.jacana import read_jacana
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.agreement import AlignedPair, phrase_agreement, word_agreement
from alignment_ui.words.answer import as_value
from alignment_ui.words.columns import collected, columns
from alignment_ui.words.console.report import _conclusion
from alignment_ui.words.exports import model
from alignment_ui.words.exports import pairs as pairs_tsv
from alignment_ui.words.final import final_alignment
from alignment_ui.words.people import compared_f1
from alignment_ui.words.report import results
from alignment_ui.words.soft_links import soft_links
from alignment_ui.words.tasktype import Words
from annotate.tasktypes import AnswerRow, End, Headline, ItemDraft, QuestionDraft, StudyData

TASK = Words()
OPTIONS = TASK.clean_options({})
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
SIZE = 5
alignments = st.builds(
    lambda sure, possible: Alignment.of(sure, set(possible) - set(sure)),
    *[st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=6)] * 2,
)


def study(pairs, answers, *, gold=(), decisions=None, **options):
    """`pairs` maps each ref to (subcorpus, shown, withheld). `answers` contains (pseudonym, ref, alignment)."""
    items, questions = [], []
    for ref, (subcorpus, shown, withheld) in pairs.items():
        words = {side: [f"{side[0]}{n}" for n in range(SIZE - 1)] + ["."] for side in ("source", "target")}
        items.append(ItemDraft(ref, words, {"subcorpus": subcorpus}))
        payload = {"item": ref, **words, "prealignment": None if shown is None else as_value(shown)}
        if withheld is not None:
            payload["withheld"] = as_value(withheld)
        questions.append(QuestionDraft(ref, payload))
    rows = [
        AnswerRow(
            ref=ref,
            kind="regular",
            value={**as_value(alignment), "log": [[0, "confirm", "button", []]] * 2},
            shown=[],
            pseudonym=who,
            hit=1,
            position=1,
            seconds=10.0 + number,
            given_at=NOON + timedelta(minutes=number),
            counts=True,
            reason="",
            passed=None,
            tally=None,
        )
        for number, (who, ref, alignment) in enumerate(answers)
    ]
    rows += [
        AnswerRow(
            ref=ref,
            kind="gold",
            value=as_value(Alignment()),
            shown=[],
            pseudonym=who,
            hit=1,
            position=2,
            seconds=5.0,
            given_at=NOON,
            counts=False,
            reason="gold",
            passed=f1 >= 0.7,
            tally={"right": 1, "wrong": 0, "f1": f1},
            payload={"prealignment": None},
        )
        for who, ref, f1 in gold
    ]
    decided = {ref: as_value(alignment) for ref, alignment in (decisions or {}).items()}
    return StudyData({"options": OPTIONS | options, "judgements": 2}, items, questions, [], rows, decisions=decided)


def report(data, **parameters):
    kept = unpack(pack(columns(data)))
    return results(kept, {"resamples": 50, "samples": 5} | parameters, 1, lambda share, text: None).as_json()


def of(*sure, possible=()):
    return Alignment.of(sure, possible)


START = of((0, 0), (1, 1), (4, 4))
TWO = {
    "n1": ("news", START, None),
    "n2": ("news", START, None),
    "s1": ("stories", START, None),
}
DRAWN = [
    ("ann", "n1", of((0, 0), (1, 1), (2, 2), (4, 4))),
    ("bea", "n1", of((0, 0), (1, 1), (4, 4), possible=[(2, 2), (3, 3)])),
    ("bea", "n2", of((0, 0), (1, 2), (4, 4))),
    ("ann", "n2", of((0, 0), (1, 1), (4, 4))),
    ("ann", "s1", of((0, 1), (1, 0), (4, 4))),
    ("bea", "s1", of((0, 1), (1, 0), (4, 4))),
]


@pytest.mark.nightly
@given(st.lists(st.tuples(st.none() | alignments, st.none() | alignments), min_size=1, max_size=4), st.data())
def test_arrays_hold_all_that_a_report_speaks_of(starts, data):
    pairs = {f"p{n}": ("é", shown, withheld) for n, (shown, withheld) in enumerate(starts)}
    answers = [(who, ref, data.draw(alignments)) for ref in pairs for who in data.draw(st.sets(st.sampled_from("xyz")))]
    decided = {ref: data.draw(alignments) for ref in data.draw(st.sets(st.sampled_from(sorted(pairs))))}
    found = collected(unpack(pack(columns(study(pairs, answers, decisions=decided)))))
    assert [(pair.ref, pair.subcorpus, pair.shown, pair.withheld) for pair in found.pairs] == [
        (ref, *told) for ref, told in pairs.items()
    ]
    assert {pair.ref: pair.decided for pair in found.pairs if pair.decided is not None} == decided
    told = [(found.names[one.annotator], found.pairs[one.pair].ref, one.alignment) for one in found.judgements]
    assert told == answers
    assert [one.seconds for one in found.judgements] == [10.0 + n for n in range(len(answers))]


def test_tables_three_and_four_are_those_of_the_agreement_measures_by_subcorpus_and_over_all():
    words = [f"s{n}" for n in range(4)] + ["."]
    other = [f"t{n}" for n in range(4)] + ["."]
    by_pair = {ref: {who: drawn for who, place, drawn in DRAWN if place == ref} for ref in TWO}
    aligned = {
        ref: AlignedPair(words, other, drawn["ann"], drawn["bea"], START.links) for ref, drawn in by_pair.items()
    }
    result = report(study(TWO, DRAWN))
    for table, agreement in (("words", word_agreement), ("phrases", phrase_agreement)):
        rows = {row["subcorpus"]: row for row in result[table]}
        parts = {"news": [aligned["n1"], aligned["n2"]], "stories": [aligned["s1"]], None: list(aligned.values())}
        assert list(rows) == ["news", "stories", None]
        for name, pairs in parts.items():
            assert rows[name] == {"subcorpus": name, **agreement(pairs, seed=1, resamples=50, samples=5)}
    assert result["headline"]["ends"][0]["value"] == result["words"][-1]["och_ney"]["f1"]["value"]
    assert "3 comparisons" in result["headline"]["doubt"]


def test_who_comes_first_is_told_by_name_not_by_time():
    backwards = report(study(TWO, DRAWN[::-1]))
    assert backwards["words"] == report(study(TWO, DRAWN))["words"]


@pytest.mark.parametrize("order", ["abc", "acb", "bac", "bca", "cab", "cba"])
def test_agreement_of_several_annotators_does_not_depend_on_their_random_pseudonyms(order):
    drawn = [*DRAWN[:4], ("cid", "s1", DRAWN[4][2]), ("bea", "s1", of((0, 1), (4, 4), possible=[(1, 0), (2, 2)]))]
    renamed = dict(zip(("ann", "bea", "cid"), order, strict=True))
    one, other = (report(study(TWO, answers)) for answers in (drawn, [(renamed[who], *rest) for who, *rest in drawn]))
    for table in ("words", "phrases"):
        assert other[table] == one[table]
    assert other["headline"]["ends"] == one["headline"]["ends"]


def test_with_several_annotators_each_is_compared_in_both_directions():
    drawn = [*DRAWN[:4], ("cid", "s1", of((0, 1), (4, 4))), ("bea", "s1", of((0, 1), possible=[(1, 0), (2, 2)]))]
    crossed = report(study(TWO, drawn, ignore_identical=False))["words"][-1]["och_ney"]
    # n1: 4 and 3 of 4 and 3 sure links; n2: 2 and 2 of 3 and 3; s1: 1 and 1 of 2 and 1.
    assert {name: figure["value"] for name, figure in crossed.items()} == pytest.approx(
        dict.fromkeys(("precision", "recall", "f1"), 13 / 16)
    )


def test_complete_agreement_has_no_interval():
    same = [(who, place, DRAWN[0][2]) for who in ("ann", "bea") for place in ("n1", "n2")]
    assert report(study(TWO, same, ignore_identical=False))["headline"]["doubt"] == "From 2 comparisons."


def test_identical_words_count_where_the_study_says_so():
    strict, lenient = (report(study(TWO, DRAWN, ignore_identical=ignore)) for ignore in (True, False))
    assert lenient["words"][-1]["possible"]["f1"]["value"] > strict["words"][-1]["possible"]["f1"]["value"]
    assert strict["headline"]["doubt"].endswith(" comparisons without identical words.")
    assert lenient["headline"]["doubt"].endswith(" comparisons.")


def test_table_five_holds_each_alignment_against_what_it_began_from():
    rows = report(study(TWO, DRAWN))["against_start"]
    assert [(row["subcorpus"], row["pairs"]) for row in rows["phrases"]] == [("news", 4), ("stories", 2), (None, 6)]
    # n1 and n2 have nine relevant links in total, and six of them are among the initial links.
    news = rows["words"][0]["possible"]
    assert news["precision"]["value"] == pytest.approx(7 / 11)
    assert news["recall"]["value"] == pytest.approx(7 / 8)
    # All answers began with links, and C would correct for them.
    assert not any(
        "without_prealignment" in row or "c" in row["sure"] or "c" in row["possible"] for row in rows["words"]
    )


def test_annotators_are_told_two_by_two_where_there_are_more_than_two():
    assert report(study(TWO, DRAWN))["twos"] == {"rows": [], "left_out": 0}
    third = [("cid", "n1", of((0, 0), (4, 4))), ("cid", "n2", of((0, 0), (4, 4)))]
    rows = report(study(TWO, DRAWN + third))["twos"]["rows"]
    assert [(row["annotators"], row["words"]["pairs"]) for row in rows] == [
        (["ann", "bea"], 3),
        (["ann", "cid"], 2),
        (["bea", "cid"], 2),
    ]


def test_disagreements_are_those_that_differ_worst_first():
    rows = report(study(TWO, DRAWN, decisions={"n2": START}))["disagreements"]
    assert [(row["ref"], row["annotators"], row["differ"], row["other_kind"]) for row in rows] == [
        ("n2", ["ann", "bea"], 2, 0),
        ("n1", ["ann", "bea"], 1, 1),
    ]
    assert [row["decided"] for row in rows] == [True, False]
    assert rows[0]["f1"] == pytest.approx(0.5)


def test_without_answers_there_is_nothing_and_without_doubles_no_agreement():
    assert report(study(TWO, []))["judgements"] == 0
    single = report(study(TWO, DRAWN[:1]))
    assert (single["words"], single["phrases"], single["disagreements"]) == ([], [], [])
    assert single["headline"]["ends"][0]["value"] is None
    assert single["pairs"]["aligned_twice"] == 0


def test_what_was_aligned_is_counted_in_final_alignments():
    (news, stories, everything) = report(study(TWO, DRAWN, decisions={"s1": of((0, 0), possible=[(1, 1)])}))["aligned"]
    # n1: both annotators drew four links, one of which only one annotator marked as sure. n2: two links in common.
    assert news == {
        "subcorpus": "news",
        "pairs": 2,
        "tokens": 20,
        "unaligned": 8,
        "sure": 5,
        "possible": 1,
        "identical": 2,
        "atomic": 6,
        "composite": 7,
    }
    assert (stories["sure"], stories["possible"]) == (1, 1)
    assert everything["pairs"] == 3


@pytest.mark.parametrize(
    ("decided", "drawn", "expected"),
    [
        (None, [], None),
        (None, [of((0, 0), possible=[(1, 1)])], of((0, 0), possible=[(1, 1)])),
        (None, [of((0, 0), (1, 1)), of((0, 0), possible=[(1, 1), (2, 2)])], of((0, 0), possible=[(1, 1)])),
        (None, [of((0, 0)), of((0, 0), (1, 1)), of((1, 1), possible=[(0, 0)])], of((0, 0), (1, 1))),
        (None, [of((0, 0)), of(possible=[(0, 0)]), of()], of(possible=[(0, 0)])),
        (of((3, 3)), [of((0, 0)), of((0, 0))], of((3, 3))),
        (of(), [of((0, 0))], of()),
    ],
)
def test_the_final_alignment_is_the_decision_or_what_most_have_drawn(decided, drawn, expected):
    assert final_alignment(decided, drawn) == expected


@pytest.mark.nightly
@given(st.lists(alignments, min_size=1, max_size=5), st.randoms())
def test_the_final_alignment_does_not_depend_on_the_order_of_annotators(drawn, random):
    shuffled = random.sample(drawn, len(drawn))
    assert final_alignment(None, shuffled) == final_alignment(None, drawn)
    final = final_alignment(None, drawn)
    assert final_alignment(None, [final] * len(drawn)) == final


def anchored(kept, drawn, *, pairs=30, seed=4):
    """Return the answers of annotators who keep a suggested link with the probability `kept`, and draw a link
    themselves with the probability `drawn`.
    """
    generator = np.random.default_rng(seed)
    suggested = of((0, 0), (1, 1), (2, 2), (3, 3))
    told, answers = {}, []
    for number in range(pairs):
        empty = number % 2 == 1
        told[f"p{number}"] = ("", None if empty else suggested, suggested if empty else None)
        for who in ("ann", "bea"):
            chance = drawn if empty else kept
            links = [link for link in suggested.sure if generator.random() < chance]
            answers.append((who, f"p{number}", of(*links, (4, 4))))
    return report(study(told, answers), resamples=200)["anchoring"]


@pytest.mark.nightly
def test_leaning_on_suggestions_is_the_difference_between_keeping_and_drawing_them():
    leaning = anchored(1.0, 0.5)
    assert leaning["shown"]["suggested"]["value"] == 1
    assert leaning["empty"]["suggested"]["value"] == pytest.approx(0.5, abs=0.12)
    assert leaning["difference"]["value"] == pytest.approx(1 - leaning["empty"]["suggested"]["value"])
    assert leaning["difference"]["low"] > 0.3
    upright = anchored(0.8, 0.8, pairs=60, seed=5)
    assert upright["difference"]["low"] < 0 < upright["difference"]["high"]


def test_edits_are_counted_from_where_the_annotator_began():
    told = anchored(1.0, 1.0)
    assert (told["shown"]["edits"], told["empty"]["edits"]) == (1.0, 5.0)
    assert (told["shown"]["pairs"], told["shown"]["answers"], told["shown"]["comparisons"]) == (15, 30, 15)


def test_without_pairs_that_start_empty_nothing_is_said_of_leaning():
    assert report(study(TWO, DRAWN))["anchoring"] is None


def test_people_have_what_the_console_reads_and_those_who_change_nothing_are_flagged():
    pairs = {f"p{n}": ("", START, None) for n in range(12)}
    own = of((0, 0), (1, 1), (2, 2), (4, 4))
    answers = [(name, ref, own if name == "ann" else START) for name in ("ann", "bea", "cyd") for ref in pairs]
    people = {row["pseudonym"]: row for row in report(study(pairs, answers, gold=[("ann", "g", 0.8)]))["people"]}
    ann, bea = people["ann"], people["bea"]
    assert (ann["judgements"], ann["gold_given"], ann["gold_right"], ann["gold_f1"]) == (12, 1, 1, 0.8)
    assert (ann["shared"], ann["agreement"]) == (12, pytest.approx(4 / 5))
    assert (ann["edits_a_pair"], bea["edits_a_pair"], bea["links_a_pair"]) == (1, 0, 3)
    assert ann["flag"] is None
    assert bea["flag"]["title"] == "Accepts suggested links"
    assert bea["flag"]["detail"].startswith("This annotator left 12 of 12 pre-alignments unchanged.")
    # If all annotators are alike, the flag would describe the pairs and not a person.
    alike = report(study(pairs, [(who, ref, START) for ref in pairs for who in ("ann", "bea")]))
    assert [row["flag"] for row in alike["people"]] == [None, None]


@pytest.mark.parametrize(("also", "kept"), [(set(), None), ({(0, 4), (1, 3)}, 0.0)])
def test_the_share_of_wrong_initial_links_kept_needs_a_link_expected_to_be_wrong(also, kept):
    links = [(n, n) for n in range(SIZE)]
    pairs = {f"p{n}": ("", of(*links, *also), None) for n in range(20)}
    answers = [(who, ref, of(*links)) for ref in pairs for who in ("ann", "bea")]
    people = report(study(pairs, answers))["people"]
    assert [row["model_wrong_kept"] for row in people] == [kept, kept]


def test_the_report_and_downloads_contain_the_estimates_of_the_model():
    draw = np.random.default_rng(4)
    pairs = {f"p{n}": ("news", None, None) for n in range(30)}
    true = of(*((n, n) for n in range(SIZE)))
    poor = [of(*(link for link in sorted(true.sure) if draw.random() < 0.6)) for _ in pairs]
    answers = [(who, ref, true) for ref in pairs for who in ("ann", "bea")]
    answers += [("cid", ref, drawn) for ref, drawn in zip(pairs, poor, strict=True)]
    data = study(pairs, answers, decisions={"p0": of((0, 1))})
    people = {row["pseudonym"]: row for row in report(data)["people"]}
    links = sum(len(drawn.links) for drawn in poor[1:])
    assert people["cid"]["model_recall"] == pytest.approx(links / (29 * SIZE), abs=0.01)
    assert people["cid"]["model_precision"] == pytest.approx(links / (links + len(poor[0].links)), abs=0.01)
    assert people["cid"]["model_recall_error"] > 0
    assert people["ann"]["model_precision"] == people["bea"]["model_precision"] > 0.95
    assert people["ann"]["model_wrong_kept"] is None, "there are no initial links"
    rows = list(csv.DictReader(b"".join(soft_links(data, None)).decode().splitlines()))
    sums = {row["pair"]: float(row["model_possible"]) + float(row["model_sure"]) for row in rows if row["pair"] != "p0"}
    assert min(sums.values()) > 0.9
    in_decided = [row for row in rows if row["pair"] == "p0"]
    assert {float(row["model_sure"]) for row in in_decided} == {0.0}
    exported = read_jacana(b"".join(model(data, None)), name="alignments.model.json").pairs
    assert [pair.alignment for pair in exported] == [of((0, 1)), *[true] * 29]
    shown = render_to_string(
        "words/estimated_rates.html",
        {
            "modelled": [people["cid"]],
            "study": SimpleNamespace(public_id="0123456789abcdef0123456789abcdef", task_type="words"),
        },
    )
    assert f"{people['cid']['model_recall']:.3f}"[1:] in shown
    assert f"± .{people['cid']['model_recall_error']:.3f}".replace("0.", "") in shown
    few = report(study(TWO, DRAWN))["people"]
    assert [row["model_precision"] for row in few] == [None, None], "fewer than 20 pairs"


def test_a_third_is_asked_where_two_agree_too_little_and_nobody_has_decided():
    data = study(TWO, DRAWN, third_below=0.51)  # F1 is .5 on n2, and 1 on the others
    assert TASK.needs_more(data) == {"n2": 1}
    assert TASK.needs_more(study(TWO, DRAWN, third_below=0.5)) == {}
    assert TASK.needs_more(study(TWO, DRAWN)) == {}
    assert TASK.needs_more(study(TWO, DRAWN, third_below=0.51, decisions={"n2": START})) == {}
    assert TASK.needs_more(StudyData(**{**vars(data), "hits": [["n1", "n2", "s1"], ["n2"]]})) == {}
    third = study(TWO, [*DRAWN, ("cid", "n2", START)], third_below=0.51)
    assert TASK.needs_more(third) == {}


@given(alignments, alignments)
def test_needs_more_the_report_and_agreement_use_the_same_f1_in_both_orders(one, other):
    answers = [("ann", "a", one), ("bea", "a", other)]
    asked, f1s = set(), set()
    for ordered in (answers, answers[::-1]):
        data = study({"a": ("news", None, None)}, ordered, third_below=0.5)
        payload, options = data.questions[0].payload, data.facts["options"]
        f1s.add(TASK.alike(payload, *(row.value for row in data.answers), options))
        asked.add(tuple(TASK.needs_more(data)))
        found = collected(columns(data))
        f1s |= {compared_f1(found, *two) for two in found.compared}
    (f1,) = f1s
    assert asked == {("a",) if f1 < 0.5 else ()}


def test_one_annotator_with_only_identical_words_disagrees_in_both_orders():
    identical, further = of((4, 4)), of((0, 0), (4, 4))
    for answers in ([identical, further], [further, identical]):
        data = study(
            {"a": ("news", None, None)}, [(f"ann-{n}", "a", drawn) for n, drawn in enumerate(answers)], third_below=0.1
        )
        assert TASK.needs_more(data) == {"a": 1}


def test_exported_pairs_have_the_metadata_of_their_items_even_if_a_question_has_another_ref():
    data = study(TWO, [("ann", "n1", START), ("ann", "n2", START)])
    items = [replace(item, key=f"pair {item.key}", metadata={"magazine": f"of {item.key}"}) for item in data.items]
    questions = [replace(each, payload={**each.payload, "item": f"pair {each.ref}"}) for each in data.questions]
    file = b"".join(pairs_tsv(replace(data, items=items, questions=questions), None)).decode()
    rows = list(csv.DictReader(file.splitlines(), delimiter="\t"))
    assert [(row["id"], row["magazine"]) for row in rows] == [("n1", "of n1"), ("n2", "of n2")]


@pytest.mark.parametrize(
    ("low", "said"),
    [
        (None, ""),
        (-0.2, " The interval of C contains 0, so the agreement can come from the initial links."),
        (0.4, " Corrected for the initial links, their agreement C is .71."),
        (1.0, ""),  # one annotator drew all links of the other, and more
    ],
)
def test_the_conclusion_names_c_only_if_it_adds_to_f1(low: float | None, said: str) -> None:
    headline = Headline("F1", [End("f1", "F1", 0.908)])
    conclusion = _conclusion(headline, {"aligned": 20, "asked": 20}, {"value": 0.71, "low": low})
    assert conclusion == f"20 of 20 pairs aligned; F1 between annotators is .908.{said}"
