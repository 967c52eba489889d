"""Tests of the design: the selected pairs, the number of annotators, the order and the pre-alignments."""

from collections import Counter

import pytest

from alignment_ui.pairs.columns import guessed_corpus
from alignment_ui.words.tasktype import Words
from annotate.tasktypes import CannotBuild, ItemDraft

TASK = Words()
FILLER = ["as", "it", "were", "and", "so", "on"]


def pair(key, *, source=8, target=8, prealignment=None, **metadata):
    """Return a pair with these numbers of tokens and with unique words, so that no two pairs are similar."""
    content = {
        "source": [f"{key}.{n}" for n in range(source)],
        "target": [f"{key}.{n}" for n in range(target)],
    }
    if prealignment is not None:
        content["prealignment"] = prealignment
    return ItemDraft(key, content, {"subcorpus": "news"} | metadata)


def pairs(count, subcorpus="news"):
    return [pair(f"{subcorpus}{n}", subcorpus=subcorpus) for n in range(count)]


def build(items, *, seed=1, **options):
    return TASK.build_questions(
        items, TASK.clean_options({"prealign": "none"} | options), seed, lambda share, text: None
    )


def refs(design):
    return [question.ref for question in design.questions]


def check(design, name):
    (found,) = [check for check in design.report.checks if check.name == name]
    return found.as_json()


def test_a_subcorpus_column_is_guessed_only_if_no_other_column_could_be_it():
    assert guessed_corpus(["Note", "Text type"], "subcorpus") == {"subcorpus": "Text type"}
    assert not guessed_corpus(["genre", "register"], "subcorpus")


def test_what_is_too_long_too_unequal_or_not_equivalent_is_left_out_and_counted():
    items = [
        pair("fits", source=49, target=6, same="yes"),
        pair("fits too", source=9, target=1, same="1"),
        pair("long", source=50, target=50, same="yes"),
        pair("unequal", source=2, target=19, same="yes"),
        pair("other meaning", same="no"),
        pair("unsaid"),
        pair("novel", subcorpus="novels", same="True"),
    ]
    design = build(items, equivalent="same")
    assert sorted(refs(design)) == ["fits", "fits too", "novel"]
    news, novels = design.report.own["subcorpora"]
    assert news == {
        "subcorpus": "news",
        "pairs": 6,
        "over 49 tokens": 1,
        "more than 9 times as long": 1,
        "not equivalent (`same`)": 2,
        "not drawn": 0,
        "asked": 2,
        "twice": 0,
        "starting empty": 0,
    }
    assert (novels["pairs"], novels["asked"]) == (1, 1)
    told = check(design, "Pairs of news")
    assert told["value"] == "2 of 6"
    assert told["detail"] == "excluded: 1 more than 9 times as long, 2 not equivalent (`same`), 1 over 49 tokens"


def test_with_nothing_left_the_message_says_why():
    with pytest.raises(CannotBuild, match=r"All pairs are excluded: 2 over 7 tokens\. Change the settings"):
        build(pairs(2), longest=7)
    with pytest.raises(CannotBuild, match="Import sentence pairs before you build the design"):
        build([])


def test_the_same_number_is_drawn_from_each_subcorpus_by_the_seed():
    items = pairs(30) + pairs(12, "novels") + pairs(5, "mtc")
    design = build(items, sample=10)
    assert Counter(ref.rstrip("0123456789") for ref in refs(design)) == {"news": 10, "novels": 10, "mtc": 5}
    assert refs(build(items, sample=10)) == refs(design)
    assert set(refs(build(items, sample=10, seed=2))) != set(refs(design))
    # The drawn pairs do not depend on the order of the import or on other subcorpora.
    assert set(refs(build(items[::-1], sample=10))) == set(refs(design))
    assert {ref for ref in refs(design) if ref.startswith("novels")} == set(refs(build(pairs(12, "novels"), sample=10)))
    short = check(design, "Pairs of mtc")
    assert (short["state"], short["detail"]) == ("advice", "no pair excluded; the setting asks for 10")


def test_the_part_annotated_twice_goes_out_first_and_the_rest_once():
    """The paper samples 300 of 900 pairs, and this test samples 4 of every 12 pairs."""
    design = build(pairs(12) + pairs(12, "novels") + pairs(12, "mtc"), double=4)
    wanted = [question.judgements for question in design.questions]
    assert wanted == [2] * 12 + [1] * 24
    twice = Counter(ref.rstrip("0123456789") for ref in refs(design)[:12])
    assert twice == {"news": 4, "novels": 4, "mtc": 4}
    assert check(design, "Pairs annotated twice")["value"] == "12"
    # Each of the two annotators answers the twelve pairs and half of the others.
    assert check(design, "Workload of each of two annotators")["value"] == "24 pairs"


def test_without_that_option_every_pair_is_wanted_as_often_as_the_study_says():
    assert {question.judgements for question in build(pairs(5)).questions} == {None}
    once = build(pairs(5), double=0)
    assert {question.judgements for question in once.questions} == {1}
    assert check(once, "Pairs annotated twice")["state"] == "advice"


@pytest.mark.parametrize("double", [-1, 30])
def test_every_prefix_mixes_the_subcorpora_in_their_shares(double):
    order = refs(build(pairs(60) + pairs(60, "novels") + pairs(60, "mtc"), double=double))
    for length in range(9, len(order) + 1):
        part = Counter(ref.rstrip("0123456789") for ref in order[:length])
        assert max(part.values()) - min(part[name] for name in ("news", "novels", "mtc")) <= 6
    assert order != sorted(order)


def test_a_share_of_pairs_starts_empty_and_keeps_what_it_would_have_been_shown_from_everybody():
    items = pairs(20) + pairs(20, "novels")
    design = build(items, prealign="built-in", blank=0.25, double=8)
    empty = [question for question in design.questions if question.payload["prealignment"] is None]
    assert Counter(ref.ref.rstrip("0123456789") for ref in empty) == {"news": 5, "novels": 5}
    assert sum(question.judgements == 2 for question in empty) == 4  # the same share of pairs annotated twice
    diagonal = [[n, n] for n in range(8)]
    for question in design.questions:
        shown, withheld = question.payload["prealignment"], question.payload.get("withheld")
        assert (shown or withheld)["sure"] == diagonal
        assert (shown is None) != (withheld is None)
        assert "withheld" not in TASK.present(question.payload, [], {}, TASK.clean_options({}))
    assert "10 pairs start without links" in check(design, "Initial links")["detail"]


def test_pairs_can_start_from_links_of_their_own_or_from_none():
    given = {"sure": [[0, 1]], "possible": [[2, 2]]}
    items = [pair("with", prealignment=given), pair("without")]
    starts = {question.ref: question.payload["prealignment"] for question in build(items, prealign="given").questions}
    assert starts == {"with": given, "without": None}
    told = check(build(items, prealign="given"), "Initial links")
    assert (told["value"], told["state"]) == ("1 of 2", "advice")
    assert "pairs without links in the file: 1" in told["detail"]
    assert {question.payload["prealignment"] for question in build(items, prealign="none").questions} == {None}


def test_the_aligner_learns_from_pairs_that_were_not_drawn():
    """A single pair contains no evidence about matching words, but many other pairs do."""
    others = [
        ItemDraft(f"o{n}", {"source": ["kwa", FILLER[n % 6]], "target": [FILLER[n % 6], "tse"]}) for n in range(60)
    ]
    tested = ItemDraft("p", {"source": ["kwa", "x"], "target": ["y", "tse"]}, {"subcorpus": "asked"})
    items = [*others, tested]
    options = TASK.clean_options({"prealign": "built-in", "sample": 1})
    design = TASK.build_questions(items, options, 1, lambda share, text: None)
    (question,) = [question for question in design.questions if question.ref == "p"]
    assert question.payload["prealignment"]["sure"] == [[0, 1]]
    alone = build([tested], prealign="built-in").questions[0].payload["prealignment"]["sure"]
    assert alone != [[0, 1]]


def test_a_pair_of_sentences_that_comes_twice_is_pointed_out():
    again = ItemDraft("again", pair("p").content, {"subcorpus": "news"})
    told = check(build([pair("p"), again]), "Repeated sentence pairs")
    assert (told["value"], told["state"]) == ("1", "advice")


def test_progress_rises_to_the_end():
    told = []
    options = TASK.clean_options({})
    TASK.build_questions(pairs(30), options, 1, lambda share, text: told.append(share))
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)
    assert len(told) > 3
