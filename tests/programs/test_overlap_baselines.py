"""The word-overlap baselines of the four kinds of studies."""

import pytest

from accord_core.bws.numerics.overlap_baseline import answer as best_worst
from accord_core.chunks.numerics.overlap_baseline import answer as chunks
from accord_core.numerics.shared_words import jaccard, share_stem
from accord_core.paraphrase.numerics.overlap_baseline import answer as paraphrase
from accord_core.words.numerics.overlap_baseline import answer as words
from alignment_ui.chunks.answer import clean_answer as clean_chunks
from alignment_ui.words.answer import clean_answer as clean_words
from annotate.programs.baselines import baseline_answer
from annotate.programs.lines import AnswerError, Question


def items(*pairs: list[str]) -> dict[str, list[dict[str, list[str]]]]:
    return {"items": [{"sentences": pair} for pair in pairs]}


def test_shared_words() -> None:
    assert jaccard(["a", "b", "a"], ["b", "c"]) == pytest.approx(1 / 3)
    assert jaccard([], []) == 0
    assert share_stem("walks", "Walked")
    assert share_stem("ÉTÉ", "été")
    assert not share_stem("international", "internal")
    assert not share_stem("cat", "cats")  # the common letters are too few to exclude chance
    assert not share_stem("", "word")


def test_best_and_worst_share_the_most_and_the_fewest_words() -> None:
    low, half, equal = ["A dog.", "The cat"], ["A dog sleeps.", "A dog eats"], ["A dog", "a DOG!"]
    assert best_worst(items(low, half, equal)) == {"best": 3, "worst": 1}
    assert best_worst(items(equal, low, half, low)) == {"best": 1, "worst": 4}
    assert best_worst(items(half, half, half)) == {"best": 1, "worst": 3}
    with pytest.raises(ValueError, match="needs items with two sentences"):
        best_worst(items(["one text"], ["another text"]))


def test_candidates_that_share_half_of_the_words_are_paraphrases() -> None:
    question = {"before": "She ", "phrase": "walked home", "after": ".", "candidates": []}
    candidates = ["walks home", "went home", "ran", "went to her home", "", "Walked"]
    assert paraphrase({**question, "candidates": candidates}) == {"votes": [True, True, False, False, False, True]}


def test_equal_words_are_linked_without_crossing() -> None:
    question = {"source": "the dog sees the old cat".split(), "target": "The dogs saw the cat".split()}
    linked = words(question)
    assert linked == {"sure": [[0, 0], [3, 3], [5, 4]], "possible": []}
    walking = words({"source": ["He", "walks", "walked"], "target": ["walked", "he"]})
    assert walking == {"sure": [[0, 1], [2, 0]], "possible": []}
    assert words({"source": ["walks"], "target": ["walked"]}) == {"sure": [], "possible": [[0, 0]]}


def test_words_without_a_match_are_a_confirmed_answer() -> None:
    question = {"source": ["yes"], "target": ["no"]}
    assert clean_words(question, words(question))["log"][-1][1] == "confirm"


def test_chunks_are_linked_by_their_content_words() -> None:
    question = {
        "source": "A young man rides to a red house in town .".split(),
        "target": "A man is riding to one red small house near him in town .".split(),
        "chunks": {
            "source": [[0, 1, 2], [3], [4, 5, 6, 7], [8, 9], [10]],
            "target": [[0, 1], [2, 3], [4, 5, 6, 7, 8], [9, 10], [11, 12], [13]],
        },
    }
    value = clean_chunks(question, chunks(question), many_to_many=False)
    assert [(link["source"], link["target"], link["type"], link["score"]) for link in value["links"]] == [
        (0, 0, "SPE1", 4),
        (2, 2, "SPE2", 4),
        (3, 4, "EQUI", 5),
    ]
    assert {(one["side"], one["chunk"], one["type"]) for one in value["left"]} == {
        ("source", 1, "NOALI"),
        ("target", 1, "NOALI"),
        ("target", 3, "NOALI"),
        ("source", 4, "NOALI"),
        ("target", 5, "NOALI"),
    }
    clean_chunks(question, chunks(question), many_to_many=True)


@pytest.mark.parametrize(
    ("source", "target", "relation", "score"),
    [
        ("old red house", "new red house", "SIMI", 3),
        ("an old grey stone house", "a tall red brick house", "SIMI", 2),
        ("of the", "of the", "EQUI", 5),  # function words count if there are no other words
    ],
)
def test_the_score_of_a_link_depends_on_the_share_of_common_words(
    source: str, target: str, relation: str, score: int
) -> None:
    sides = {"source": source.split(), "target": target.split()}
    value = chunks({**sides, "chunks": {side: [list(range(len(tokens)))] for side, tokens in sides.items()}})
    assert [(link["type"], link["score"]) for link in value["links"]] == [(relation, score)]


def test_without_chunks_each_word_is_a_chunk() -> None:
    question = {"source": ["Dogs", "sleep", "."], "target": ["dogs", "eat"], "chunks": None, "links": None}
    value = clean_chunks(question, chunks(question), many_to_many=False)
    assert value["chunks"] == {"source": [[0], [1], [2]], "target": [[0], [1]]}
    assert [(link["source"], link["target"]) for link in value["links"]] == [(0, 0)]


@pytest.mark.parametrize("task_type", ["bws", "paraphrase", "words", "chunks"])
@pytest.mark.parametrize("content", [{}, {"items": 3, "source": 1, "phrase": None}, {"items": [1], "source": [1]}])
def test_a_question_in_another_format_is_an_error(task_type: str, content: dict[str, object]) -> None:
    with pytest.raises(AnswerError, match=f"format of the API for the task type {task_type}"):
        baseline_answer("overlap", Question("a/1", task_type, "en", content))


def test_a_task_type_without_a_baseline_is_an_error() -> None:
    with pytest.raises(AnswerError, match="Studies of the type layout have no such baseline"):
        baseline_answer("overlap", Question("a/1", "layout", "en", {}))
    with pytest.raises(AnswerError, match="needs items with two sentences"):
        baseline_answer("overlap", Question("a/1", "bws", "en", items(["one"], ["two"])))
    given = baseline_answer("overlap", Question("a/1", "words", "en", {"source": ["a"], "target": ["a"]}))
    assert given.value == {"sure": [[0, 0]], "possible": []}
