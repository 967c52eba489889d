"""Tests of the best–worst task type: the data that a browser receives and sends, compared with the stored data."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.tasktypes import CannotBuild, InvalidAnswer, InvalidOptions, ItemDraft
from bws.tasktype import BestWorstScaling

TASK = BestWorstScaling()
OPTIONS = TASK.clean_options({})
LIMITS = {"rows": 1_000, "bytes": 1_000_000, "cell": 2_000}
PAYLOAD = {"items": ["a", "b", "c", "d"]}
ITEMS = {key: {"sentence1": f"{key} one", "sentence2": f"{key} two"} for key in "abcd"}
orders = st.permutations(range(4))


def drafts(count, **fields):
    return [ItemDraft(f"i{number}", {"text": f"Text {number}"}, **fields) for number in range(count)]


def silent(share, message):
    """Ignore the progress."""


@given(orders, st.integers(1, 4), st.integers(1, 4))
def test_places_on_the_screen_become_keys_and_places_again(shown, best, worst):
    raw = {"best": best, "worst": worst}
    if best == worst:
        with pytest.raises(InvalidAnswer) as refused:
            TASK.clean(PAYLOAD, shown, raw, OPTIONS)
        assert refused.value.path == "worst"
        return
    value = TASK.clean(PAYLOAD, shown, raw, OPTIONS)
    assert value == {"best": PAYLOAD["items"][shown[best - 1]], "worst": PAYLOAD["items"][shown[worst - 1]]}
    assert TASK.reveal(PAYLOAD, shown, value) == raw


@given(orders)
def test_the_page_shows_texts_in_screen_order_without_keys(shown):
    page = TASK.present(PAYLOAD, shown, ITEMS, OPTIONS)
    keys = [PAYLOAD["items"][place] for place in shown]
    assert page["items"] == [{"sentences": [f"{key} one", f"{key} two"]} for key in keys]
    assert page["ask"] == {"most": "most related", "least": "least related", "noun": "pair"}


def test_without_shuffling_the_order_is_the_payloads():
    assert TASK.clean(PAYLOAD, None, {"best": 1, "worst": 4}, OPTIONS) == {"best": "a", "worst": "d"}


def test_single_texts_are_shown_as_one_sentence():
    assert TASK.present({"items": ["x"]}, [0], {"x": {"text": "Alone."}}, OPTIONS)["items"] == [
        {"sentences": ["Alone."]}
    ]


def test_every_order_is_as_likely():
    places = np.zeros((4, 4))
    for seed in range(2_000):
        for place, item in enumerate(TASK.shuffle(PAYLOAD, np.random.default_rng(seed))):
            places[place, item] += 1
    assert abs(places - 500).max() < 100


@pytest.mark.parametrize(("value", "passed"), [("ad", True), ("ac", False), ("bd", False), ("da", False)])
def test_gold_is_right_when_both_choices_are(value, passed):
    grade = TASK.grade(PAYLOAD, {"best": "a", "worst": "d"}, {"best": value[0], "worst": value[1]}, OPTIONS)
    assert (grade.passed, grade.tally) == (passed, {"right": int(passed), "wrong": int(not passed)})


def test_accuracy_is_the_share_that_was_right():
    assert TASK.accuracy({"right": 7, "wrong": 3}, "accuracy") == 0.7
    assert TASK.accuracy({}, "accuracy") is None


def test_options_are_filled_in_converted_and_checked():
    assert OPTIONS["size"] == 4
    assert TASK.clean_options({"size": "5", "factor": "1.5"})["factor"] == 1.5
    with pytest.raises(
        InvalidOptions, match=r"size: The value must be at most 6\.; factor: The value must be a number, not 'many'"
    ):
        TASK.clean_options({"size": 7, "factor": "many"})
    with pytest.raises(InvalidOptions, match=r"colour: The task type has no option with this name"):
        TASK.clean_options({"colour": "red"})


def test_a_design_has_named_questions_over_the_items_and_is_the_same_again():
    one, two = (TASK.build_questions(drafts(40), OPTIONS, 7, silent) for _ in range(2))
    assert one == two
    assert [question.ref for question in one.questions[:2]] == ["tuple-01", "tuple-02"]
    assert len(one.questions) == 80
    assert all(len(set(TASK.item_keys(question.payload))) == 4 for question in one.questions)
    assert TASK.build_questions(drafts(40), OPTIONS, 8, silent) != one


def test_a_design_that_cannot_be_says_what_would_help():
    with pytest.raises(CannotBuild, match=r"The largest possible factor is 0\.25"):
        TASK.build_questions(drafts(4), OPTIONS, 1, silent)


def test_texts_and_pairs_are_never_compared():
    pairs = [ItemDraft(f"p{number}", {"sentence1": f"A {number}", "sentence2": f"B {number}"}) for number in range(4)]
    message = "20 items are single texts, and 4 are pairs of sentences"
    with pytest.raises(CannotBuild, match=message):
        TASK.build_questions([*drafts(20), *pairs], OPTIONS, 1, silent)
    data = SimpleNamespace(questions=TASK.build_questions(drafts(20), OPTIONS, 1, silent).questions)
    with pytest.raises(CannotBuild, match=message):
        TASK.extend_questions(pairs, drafts(20), data, OPTIONS, 1, silent)


def test_candidates_come_from_held_out_items_when_there_are_enough():
    held_out = [ItemDraft(f"h{number}", {"text": "x"}, held_out=True) for number in range(6)]
    drawn = TASK.draw_candidates(drafts(20) + held_out, [], 10, OPTIONS, 3)
    assert {key for question in drawn for key in question.payload["items"]} <= {item.key for item in held_out}
    few = TASK.draw_candidates(drafts(20) + held_out[:3], [], 10, OPTIONS, 3)
    assert {key for question in few for key in question.payload["items"]} & {f"i{number}" for number in range(20)}


def test_candidates_use_all_items_about_equally_often():
    earlier = [{"items": ["i0", "i1", "i2", "i3"]}]
    for count, most in ((3, 0), (30, 2)):
        drawn = [question.payload for question in TASK.draw_candidates(drafts(16), earlier, count, OPTIONS, 3)]
        uses = Counter(key for payload in (*earlier, *drawn) for key in payload["items"])
        assert len(uses) == 16
        assert max(uses.values()) - min(uses.values()) <= most


def test_candidates_repeat_nothing_that_is_taken_in_any_order():
    first = TASK.draw_candidates(drafts(6), [], 10, OPTIONS, 3)
    taken = [{"items": question.payload["items"][::-1]} for question in first]
    rest = TASK.draw_candidates(drafts(6), taken, 5, OPTIONS, 3)
    sets = [frozenset(question.payload["items"]) for question in first + rest]
    assert len(set(sets)) == 15
    with pytest.raises(CannotBuild, match="Tuples of size 4 require at least 4 items, but the number of items is 3"):
        TASK.draw_candidates(drafts(3), [], 1, OPTIONS, 3)


def test_items_are_read_with_faults_by_line_and_column():
    read = TASK.read_items(b"id,text\na,One.\na,Two.\nb,\n", "items.csv", OPTIONS, LIMITS)
    assert [(fault.line, fault.column) for fault in read.faults] == [(3, "id"), (4, "text")]
    broken = TASK.read_items(b"\xff\xfe\x00", "items.csv", OPTIONS, LIMITS)
    assert broken.faults
    assert broken.items == []


def test_one_short_row_hides_no_other_fault():
    items = TASK.read_items(b"id,text\na,One.\nb\na,Two.\n,Three.\nc,\n", "items.csv", OPTIONS, LIMITS)
    assert [(fault.line, fault.column) for fault in items.faults] == [(3, "text"), (4, "id"), (5, "id"), (6, "text")]
    header = b"Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"
    known = {draft.key: draft for draft in drafts(4)}
    gold = TASK.read_gold(header + b"i0,i1\ni0,i1,i2,i9,i0,i1,\n", "gold.csv", OPTIONS, known)
    assert [(fault.line, fault.column) for fault in gold.faults] == [(2, "Item3"), (3, "Item4")]


def test_gold_questions_can_name_items_by_unique_texts():
    known = {draft.key: draft for draft in [*drafts(4), ItemDraft("twin", {"text": "Text 3"})]}
    header = b"Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"
    read = TASK.read_gold(header + b"Text 0,i1,Text 2,i3,Text 0,i3,\n", "gold.csv", OPTIONS, known)
    assert read.faults == []
    assert read.questions[0].payload == {"items": ["i0", "i1", "i2", "i3"]}
    assert read.questions[0].gold == {"best": "i0", "worst": "i3"}
    shared = TASK.read_gold(header + b"i0,i1,i2,Text 3,i0,i1,\n", "gold.csv", OPTIONS, known)
    assert [str(fault) for fault in shared.faults] == [
        "line 2, column Item4: the study has no item with the ID or text Text 3"
    ]


def test_a_sentence_over_the_limit_is_a_fault_of_its_cell():
    data = b"id,text\n" + b"".join(b"i%d,Text.\n" % number for number in range(4)) + b"long," + b"x" * 5_000 + b"\n"
    (fault,) = TASK.read_items(data, "items.csv", OPTIONS, LIMITS).faults
    assert (fault.line, fault.column) == (6, "text")


@pytest.mark.parametrize("careless", [False, True])
def test_simulated_annotators_follow_the_truth_unless_they_are_careless(careless):
    truth = {"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1}
    hits = 0
    for seed in range(300):
        raw = TASK.simulate(PAYLOAD, [3, 2, 1, 0], truth, OPTIONS, careless, np.random.default_rng(seed))
        value = TASK.clean(PAYLOAD, [3, 2, 1, 0], raw, OPTIONS)
        hits += value == {"best": "a", "worst": "d"}
    assert (hits > 180) if not careless else (5 < hits < 60)
