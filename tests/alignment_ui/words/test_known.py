"""Tests of pairs with known alignments, which are read as gold and practice questions or drawn for authors."""

import json

import pytest

from alignment_ui.words.tasktype import Words
from annotate.tasktypes import CannotBuild, ItemDraft

TASK = Words()
GOLD = {"sure": [[0, 1], [1, 0]], "possible": [[2, 2]]}


def item(key, *, held_out=True, **content):
    words = {"source": ["a", "b", "c"], "target": ["b", "a", "d"]}
    return ItemDraft(key, words | content, {}, held_out)


def read(text, *, items=(), name="gold.csv", **options):
    data = text if isinstance(text, bytes) else text.encode()
    return TASK.read_gold(data, name, TASK.clean_options(options), {item.key: item for item in items})


def csv(*rows, header="id,source,target,gold,explanation"):
    return "\n".join([header, *rows]) + "\n"


def test_a_pair_that_is_no_item_brings_its_own_words():
    (question,) = read(csv("k1,a b c,b a d,0-1 1-0 2?2,Because.")).questions
    assert (question.ref, question.gold, question.explanation) == ("known-k1", GOLD, "Because.")
    assert TASK.item_keys(question.payload) == []
    assert TASK.present(question.payload, [], {}, TASK.clean_options({}))["source"] == ["a", "b", "c"]


def test_a_pair_that_is_held_out_is_that_item():
    (question,) = read(csv("k1,a b c,b a d,0-1 1-0 2?2,"), items=[item("k1")]).questions
    assert TASK.item_keys(question.payload) == ["k1"]
    assert question.gold == GOLD


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gold.csv", csv("k1,a b c,b a d,0-1 1-0 2p2", header="id,source,target,alignment")),
        ("gold.tsv", csv("k1\ta b c\tb a d\t0-1 1-0 2?2", header="id\tsource\ttarget\tgold")),
        ("gold.jsonl", json.dumps({"id": "k1", "source": "a b c", "target": "b a d", "gold": GOLD})),
        ("gold.jsonl", json.dumps({"id": "k1", "source": "a b c", "target": "b a d", "gold": "0-1 1-0 2?2"})),
        (
            "gold.json",
            json.dumps(
                [{"id": "k1", "source": "a b c", "target": "b a d", "sureAlign": "0-1 1-0", "possibleAlign": "2-2"}]
            ),
        ),
    ],
)
def test_gold_is_read_from_tables_and_from_jacana(name, text):
    found = read(text, name=name)
    assert (found.faults, [question.gold for question in found.questions]) == ([], [GOLD])


@pytest.mark.parametrize("start", ["built-in", "given", "none"])
def test_gold_begins_as_the_studys_own_pairs_do_and_never_from_its_own_answer(start):
    jacana = [{"id": "k1", "source": "a b c", "target": "b a d", "sureAlign": "0-1 1-0 2-2", "possibleAlign": ""}]
    (question,) = read(json.dumps(jacana), name="gold.json", prealign=start).questions
    assert [2, 2] in question.gold["sure"]
    begun = question.payload["prealignment"]
    if start == "none":
        assert begun is None
    else:
        assert [2, 2] not in begun["sure"]  # no aligner could suggest these links
    table = csv("k1,a b c,b a d,0-1 1-0 2-2,0-1", header="id,source,target,gold,prealignment")
    (own,) = read(table, prealign=start).questions
    assert (own.payload["prealignment"] == {"sure": [[0, 1]], "possible": []}) == (start == "given")


@pytest.mark.nightly
def test_gold_has_the_aligners_probabilities_only_where_the_studys_pairs_have_them():
    row = csv("k1,we saw red cars,we saw red cars,0-0,")
    (built_in,) = read(row, items=[item(f"i{n}", held_out=False) for n in range(3)], prealign="built-in").questions
    linked = [(i, j) for i, j, chance in built_in.payload["prealignment"]["likely"] if chance > 0.9]
    assert linked == [(n, n) for n in range(4)]
    items = [item(f"i{n}", held_out=False, prealignment={"sure": [[0, 0]], "possible": []}) for n in range(3)]
    (given,) = read(row, items=items, prealign="given").questions
    assert given.payload["prealignment"].keys() == {"sure", "possible"}


def test_a_share_of_the_gold_starts_empty_too():
    rows = [f"k{n},a b c,b a d,0-1," for n in range(200)]
    starts = [question.payload["prealignment"] for question in read(csv(*rows), blank=0.25).questions]
    assert 30 <= starts.count(None) <= 70


@pytest.mark.parametrize(
    ("text", "items", "fault"),
    [
        (csv("k1,a b c,b a d,0-3,"), [], "line 2, column gold: link 0-3: the target sentence has no token 3"),
        (csv("k1,a b c,b a d,0-0 0?0,"), [], "line 2, column gold: the link 0?0 is sure"),
        (csv("k1,a b c,b a d,0:0,"), [], "line 2, column gold: '0:0' is not a link"),
        (csv("k1,a b c,,0-0,"), [], "line 2, column target: the sentence is empty"),
        (csv("k1,a b c,b a d", header="id,source,target"), [], "column gold: the column is missing"),
        (csv("k1,a b c,b a d,0-0,"), [item("k1", held_out=False)], "line 2, column id: annotators align pair k1"),
        (csv("k1,a b c,b a x,0-0,"), [item("k1")], "line 2, column id: the words of pair k1 differ"),
        (csv("k1,a b c,b a d,0-0,"), [item("known-k1")], "line 2, column id: a pair of the study has the ID known-k1"),
        (
            json.dumps({"id": "k1", "source": "a b", "target": "b a", "gold": {"sure": [[0, 2]]}}),
            [],
            "line 1, column gold: Token 2 does not exist: the second sentence",
        ),
        (csv(), [], "the file has a header but no rows"),
    ],
)
def test_what_is_wrong_with_gold_is_named_by_line_and_nothing_is_taken(text, items, fault):
    found = read(text, items=items)
    assert found.questions == []
    assert str(found.faults[0]).startswith(fault)


def test_every_fault_is_told_from_the_top():
    found = read(csv("k1,a b c,b a d,9-9,", "k2,a b c,b a d,x,", "k3,a b c,b a d,0-0,"))
    assert [fault.line for fault in found.faults] == [2, 3]


def test_candidates_are_held_out_pairs_that_have_not_been_drawn():
    items = [item(f"h{n}") for n in range(6)] + [item("asked", held_out=False)]
    options = TASK.clean_options({"prealign": "none"})
    taken = [{"item": "h0"}, {"source": ["x"], "target": ["y"], "prealignment": None}]
    drawn = TASK.draw_candidates(items, taken, 4, options, 7)
    assert len({question.payload["item"] for question in drawn} - {"h0", "asked"}) == 4
    assert [q.payload for q in drawn] == [q.payload for q in TASK.draw_candidates(items, taken, 4, options, 7)]
    with pytest.raises(CannotBuild, match="Only 5 more items can be used"):
        TASK.draw_candidates(items, taken, 6, options, 7)


def test_without_held_out_pairs_candidates_come_from_all():
    items = [item(f"p{n}", held_out=False) for n in range(3)]
    drawn = TASK.draw_candidates(items, [], 3, TASK.clean_options({}), 7)
    assert {question.payload["item"] for question in drawn} == {"p0", "p1", "p2"}
    assert all(question.payload["prealignment"] is not None for question in drawn)


@pytest.mark.parametrize("links", [None, {"sure": [[0, 0]], "possible": []}])
def test_gold_begins_without_links_where_the_studys_pairs_came_without(links):
    given = {} if links is None else {"prealignment": links}
    asked = [item(f"q{number}", held_out=False, **given) for number in range(3)]
    (question,) = read(csv("k1,a b c,b a d,0-1 1-0 2?2,"), items=asked, prealign="given").questions
    assert (question.payload["prealignment"] is None) == (links is None)
