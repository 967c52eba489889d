"""Tests of annotators' alignments: valid answers, the grading of gold questions, and the agreement of two
annotators.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment_ui.words.tasktype import Words
from annotate.tasktypes import InvalidAnswer

TASK = Words()
OPTIONS = TASK.clean_options({})
PAYLOAD = {
    "item": "p1",
    "source": ["The", "old", "car", "stopped", "."],
    "target": ["the", "ancient", "automobile", "came", "to", "a", "halt", "."],
    "prealignment": {"sure": [[0, 0], [4, 7]], "possible": []},
}
IDENTICAL = [[0, 0], [4, 7]]
BLOCK = [[3, 3], [3, 4], [3, 5], [3, 6]]
GOLD = {"sure": [*IDENTICAL, [1, 1], [2, 2], *BLOCK], "possible": []}
links = st.tuples(st.integers(0, 4), st.integers(0, 7))


def clean(**raw):
    return TASK.clean(PAYLOAD, [], raw, OPTIONS)


def answer(sure=(), possible=()):
    return {"sure": [list(link) for link in sure], "possible": [list(link) for link in possible], "log": []}


def grade(sure=(), possible=(), *, gold=GOLD, **options):
    return TASK.grade(PAYLOAD, gold, answer(sure, possible), OPTIONS | options)


@given(st.lists(links, min_size=1), st.data())
def test_links_are_kept_sorted_and_once_whatever_their_order(drawn, data):
    possible = set(data.draw(st.sets(st.sampled_from(drawn))))
    sure = [link for link in drawn if link not in possible]
    value = clean(sure=[list(link) for link in sure], possible=[list(link) for link in possible])
    assert value["sure"] == [list(link) for link in sorted(set(sure))]
    assert value["possible"] == [list(link) for link in sorted(possible)]
    assert TASK.clean(PAYLOAD, [], TASK.reveal(PAYLOAD, [], value), OPTIONS) == value


@pytest.mark.parametrize(
    ("raw", "path", "says"),
    [
        ([], "value", "must be an object"),
        ({"sure": "0-0"}, "sure", "must be a list of links"),
        ({"sure": [[0, 0], [5, 0]]}, "sure.1", "Token 5 does not exist: the first sentence has tokens 0 to 4"),
        ({"sure": [[0, 8]]}, "sure.0", "Token 8 does not exist: the second sentence has tokens 0 to 7"),
        ({"possible": [[-1, 0]]}, "possible.0", "Token -1 does not exist"),
        ({"sure": [[0, 0.0]]}, "sure.0", "two token numbers"),
        ({"sure": [[True, 0]]}, "sure.0", "two token numbers"),
        ({"sure": [[0, 0, 0]]}, "sure.0", "two token numbers"),
        ({"sure": [[0, 0]], "possible": [[1, 1], [0, 0]]}, "possible.1", "0-0 is both sure and possible"),
        ({"sure": [], "possible": []}, "sure", "confirm that no words correspond"),
        ({"sure": [], "log": [[5, "remove", "key", [[0, 0]]]]}, "sure", "confirm that no words correspond"),
        ({"sure": [[0, 0]], "log": {}}, "log", "a list of entries"),
        ({"sure": [[0, 0]], "log": [[1, "sure", "drag"]]}, "log.0", "Each log entry must contain"),
        ({"sure": [[0, 0]], "log": [[1.5, "sure", "drag", []]]}, "log.0", "whole number of at least 0, not 1.5"),
        (
            {"sure": [[0, 0]], "log": [[1, "sure", "drag", []], [2, "erase", "key", []]]},
            "log.1",
            "operation 'erase' is unknown",
        ),
        ({"sure": [[0, 0]], "log": [[1, "sure", "voice", []]]}, "log.0", "input method 'voice' is unknown"),
        ({"sure": [[0, 0]], "log": [[1, "sure", "tap", [[9, 9]]]]}, "log.0", "Token 9 does not exist"),
        ({"sure": [[0, 0]], "log": [[1, "undo", "key", []]] * 5_001}, "log", "5,001 entries. The limit is 5,000"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_by_its_place(raw, path, says):
    with pytest.raises(InvalidAnswer, match=says) as refused:
        TASK.clean(PAYLOAD, [], raw, OPTIONS)
    assert refused.value.path == path


def test_that_nothing_corresponds_can_be_said_deliberately():
    log = [[900, "remove", "key", IDENTICAL], [1_500, "confirm", "button", []]]
    assert clean(sure=[], possible=[], log=log) == {"sure": [], "possible": [], "log": log}


def test_time_may_start_anew_where_a_pair_is_shown_again():
    log = [[9_000, "sure", "drag", [[0, 0]]], [40, "sure", "tap", [[1, 1]]]]
    assert clean(sure=[[0, 0], [1, 1]], log=log)["log"] == log


def test_the_browser_is_told_words_and_the_start_but_not_what_is_withheld():
    withheld = PAYLOAD | {"prealignment": None, "withheld": GOLD}
    assert TASK.present(withheld, [], {}, OPTIONS) == {
        "source": PAYLOAD["source"],
        "target": PAYLOAD["target"],
        "prealignment": None,
        "f1": OPTIONS["f1"],
        "ignore_identical": OPTIONS["ignore_identical"],
        "offers": OPTIONS["offers"],
    }


def test_a_study_from_before_the_offers_shows_none():
    before = {name: value for name, value in OPTIONS.items() if name != "offers"}
    assert TASK.present(PAYLOAD, [], {}, before)["offers"] is False


def test_probabilities_are_shown_only_in_a_study_that_begins_with_doubtful_words():
    likely = PAYLOAD | {"prealignment": GOLD | {"likely": [[0, 0, 0.7]]}}
    shown = TASK.present(likely, [], {}, OPTIONS | {"doubtful": True})["prealignment"]
    assert shown["likely"] == [[0, 0, 0.7]]
    before = {name: value for name, value in OPTIONS.items() if name != "doubtful"}
    for options in (OPTIONS, before):
        assert TASK.present(likely, [], {}, options)["prealignment"] == GOLD


def test_gold_is_right_from_the_threshold_on_by_f1_of_links_between_different_words():
    # Four of the six relevant links and no wrong link: P = 1, R = 4/6, F1 = .8.
    four = [*IDENTICAL, *BLOCK]
    assert grade(four).tally == {"right": 1, "wrong": 0, "f1": pytest.approx(0.8)}
    assert grade(four, f1=0.8).passed
    assert not grade(four, f1=0.81).passed
    agreement = "Agreement between your links and the expected links: 80%. The pass mark for this question is 70%."
    assert grade(four).message == f"{agreement} Links between identical words are ignored."
    assert "identical" not in grade(four, ignore_identical=False).message


def test_links_between_identical_words_earn_nothing_unless_the_study_counts_them():
    assert grade(IDENTICAL).tally["f1"] == 0
    assert grade(IDENTICAL, ignore_identical=False).tally["f1"] == pytest.approx(2 * 1 * 0.25 / 1.25)


def test_gold_that_expects_nothing_but_identical_words_is_graded_by_all_links():
    gold = {"sure": IDENTICAL, "possible": []}
    assert grade(IDENTICAL, gold=gold).tally["f1"] == 1
    assert grade([*IDENTICAL, [1, 1], [2, 2]], gold=gold).tally["f1"] == pytest.approx(2 * 0.5 / 1.5)


def test_calling_everything_possible_does_not_pass():
    everything = [(i, j) for i in range(5) for j in range(8)]
    assert not grade(possible=everything).passed


def test_accuracy_is_the_share_passed_or_the_mean_f1():
    tallies = {"right": 3, "wrong": 1, "f1": 3.2}
    assert TASK.accuracy(tallies, "accuracy") == 0.75
    assert TASK.accuracy(tallies, "f1") == pytest.approx(0.8)
    assert TASK.accuracy({}, "f1") is None


def test_authors_agree_if_the_links_are_the_same_however_they_were_drawn():
    one = {"sure": [[0, 0]], "possible": [], "log": [[1, "sure", "drag", [[0, 0]]]]}
    other = {"sure": [[0, 0]], "possible": [], "log": []}
    assert TASK.agreed([one, other]) == {"sure": [[0, 0]], "possible": []}
    assert TASK.agreed([one, {"sure": [], "possible": [[0, 0]], "log": []}]) is None
    assert TASK.agreed([]) is None


@given(st.sets(links), st.sets(links), st.sets(links), st.sets(links))
def test_how_alike_two_answers_are_does_not_depend_on_which_comes_first(a, b, c, d):
    one, other = answer(sorted(a), sorted(b - a)), answer(sorted(c), sorted(d - c))
    assert TASK.alike(PAYLOAD, one, other, OPTIONS) == TASK.alike(PAYLOAD, other, one, OPTIONS)
    assert TASK.alike(PAYLOAD, one, one, OPTIONS) == 1
    assert 0 <= TASK.alike(PAYLOAD, one, other, OPTIONS) <= 1


def test_an_answer_in_words_tells_what_is_not_the_same_word():
    said = TASK.in_words(PAYLOAD, [], answer([*IDENTICAL, [1, 1]], [[2, 2]]), OPTIONS)
    assert said == "3 sure, 1 possible: old–ancient, car–automobile (possible); 2 between identical words"
    assert TASK.in_words(PAYLOAD, [], answer(), OPTIONS) == "no links"


def test_of_a_pair_that_is_no_item_the_words_are_told_too():
    own = {name: part for name, part in PAYLOAD.items() if name != "item"}
    said = TASK.in_words(own, [], answer(), OPTIONS)
    assert said == "“The old car stopped. – the ancient automobile came to a halt.”: no links"


@pytest.mark.parametrize("truth", [{"p1": "0-0 1-1 2-2 3-3 3-4 3-5 3-6 4-7"}, {"p1": 0.9}, {}])
@pytest.mark.parametrize("start", [PAYLOAD["prealignment"], None])
@pytest.mark.parametrize("careless", [True, False])
def test_what_is_simulated_is_an_answer_whose_log_leads_from_the_start_to_its_links(truth, start, careless):
    payload = PAYLOAD | {"prealignment": start}
    for seed in range(20):
        raw = TASK.simulate(payload, [], truth, OPTIONS, careless, np.random.default_rng(seed))
        value = TASK.clean(payload, [], raw, OPTIONS)
        board = {tuple(link): "sure" for link in (start or {"sure": []})["sure"]}
        for _, operation, _, changed in value["log"]:
            for link in map(tuple, changed):
                board.pop(link, None)
                if operation != "remove":
                    board[link] = operation
        assert sorted(link for link in board if board[link] == "sure") == [tuple(link) for link in value["sure"]]
        assert sorted(link for link in board if board[link] == "possible") == [
            tuple(link) for link in value["possible"]
        ]
        assert [entry[0] for entry in value["log"]] == sorted(entry[0] for entry in value["log"])


def test_who_looks_at_the_pair_passes_gold_and_who_does_not_fails():
    passed = dict.fromkeys((True, False), 0)
    truth = {"p1": "0-0 1-1 2-2 3-3 3-4 3-5 3-6 4-7"}
    for careless in passed:
        for seed in range(50):
            raw = TASK.simulate(PAYLOAD, [], truth, OPTIONS, careless, np.random.default_rng(seed))
            passed[careless] += TASK.grade(PAYLOAD, GOLD, raw, OPTIONS).passed
    assert passed[False] >= 45
    assert passed[True] == 0


# ── a disagreement in words ───────────────────────────────────────────────────────────────────────────────────────
def in_words(given, gold=GOLD, **options):
    own, right = TASK.differing_parts(PAYLOAD, given, gold, {}, OPTIONS | options)
    return [[(part.label, [without_isolates(text) for text in part.texts]) for part in side] for side in (own, right)]


def without_isolates(text):
    return text.replace("\u2068", "").replace("\u2069", "")


def test_the_words_of_a_disagreement_do_not_reorder_each_other():
    own, _ = TASK.differing_parts(PAYLOAD, answer(sure=[(1, 2), *map(tuple, BLOCK)]), GOLD, {}, OPTIONS)
    assert list(own[0].texts) == ["\u2068old\u2069 – \u2068automobile\u2069"]


def test_a_disagreement_lists_only_what_differs():
    own, right = in_words(answer(sure=[(0, 0), (1, 2), *map(tuple, BLOCK)], possible=[(2, 2)]))
    assert own == [("Links that we did not expect", ["old – automobile"]), ("Possible links", ["car – automobile"])]
    assert right == [("Expected links that you did not draw", ["old – ancient"]), ("Sure links", ["car – automobile"])]


def test_a_disagreement_on_one_side_says_so_on_the_other():
    missing = answer(sure=[(1, 1), *map(tuple, BLOCK)])
    assert in_words(missing) == [
        [("", ["All your links match the expected links."])],
        [("Expected links that you did not draw", ["car – automobile"])],
    ]
    own, right = in_words(answer(sure=[(1, 1), (2, 2), (2, 1), *map(tuple, BLOCK)]))
    assert (own[0][1], right) == (["car – ancient"], [("", ["You drew all expected links."])])
    own, right = in_words(answer())
    assert own == [("", ["No links"])]
    assert right == [
        ("Expected links that you did not draw", ["old – ancient", "car – automobile", "stopped – came to a halt"])
    ]


def test_links_between_identical_words_are_listed_only_if_they_are_graded():
    without_them = answer(sure=[(1, 1), *map(tuple, BLOCK)])
    _, right = in_words(without_them, ignore_identical=False)
    assert right == [("Expected links that you did not draw", ["The – the", "car – automobile", ". – ."])]
