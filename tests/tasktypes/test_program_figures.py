"""Tests of the comparison of programs with people for each kind of study, against direct calculations."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from annotate import tasktypes
from annotate.tasktypes import ProgramFigures

QUESTION = {"items": ["a", "b", "c", "d"]}
PARAMETERS = {"epsilon": 0.1, "fewest_questions": 30, "seed": 1}


def choice(best: str, worst: str) -> dict[str, str]:
    return {"best": best, "worst": worst}


def value_of(result: dict, one: str, other: str, figure: str) -> float | None:
    rows = [each for each in result["agreement"] if (each["one"], each["other"]) == (one, other)]
    assert len(rows) == 1
    return rows[0]["figures"][figure]["value"]


def test_each_question_has_the_same_weight() -> None:
    figures = ProgramFigures(tasktypes.get("bws"), {}, ["x", "y"])
    figures.add(
        QUESTION, {"p": choice("a", "d"), "q": choice("a", "c"), "r": choice("b", "d")}, {"x": choice("a", "d")}
    )
    figures.add(
        QUESTION, {"p": choice("a", "d"), "q": choice("a", "d")}, {"x": choice("b", "d"), "y": choice("b", "c")}
    )
    figures.add(QUESTION, {"p": choice("a", "d"), "q": choice("a", "d")}, {})  # no program has answered this question
    result = figures.result(**PARAMETERS)
    assert value_of(result, "people", "people", "best") == pytest.approx((1 / 3 + 1) / 2)
    assert value_of(result, "people", "people", "worst") == pytest.approx((1 / 3 + 1) / 2)
    assert value_of(result, "people", "x", "best") == pytest.approx((2 / 3 + 0) / 2)
    assert value_of(result, "people", "y", "worst") == 0
    assert value_of(result, "x", "y", "best") == 1
    assert (result["people"], result["answered"], result["answered_by_people"]) == (3, {"x": 2, "y": 1}, 3)
    assert [each["reason"] for each in result["scores"]] == ["the program has not answered all questions"] * 2


def test_the_correlation_of_scores_is_spearmans() -> None:
    generator = np.random.default_rng(1)
    items = [f"i{number}" for number in range(12)]
    figures, totals = ProgramFigures(tasktypes.get("bws"), {}, ["x"]), np.zeros((3, 12))
    for _ in range(40):
        chosen = generator.permutation(12)[:4]
        payload = {"items": [items[at] for at in chosen]}
        answers = [generator.permutation(chosen)[:2] for _ in range(3)]
        *people, program = [choice(items[best], items[worst]) for best, worst in answers]
        figures.add(payload, dict(zip("pq", people, strict=True)), {"x": program})
        for row, (best, worst), weight in zip((0, 0, 1), answers, (0.5, 0.5, 1.0), strict=True):
            totals[row, best] += weight
            totals[row, worst] -= weight
        totals[2, chosen] += 1
    (scores,) = figures.result(**PARAMETERS)["scores"]
    assert scores["items"] == 12
    assert scores["value"] == pytest.approx(stats.spearmanr(totals[0] / totals[2], totals[1] / totals[2]).statistic)
    assert scores["low"] < scores["value"] < scores["high"]


def test_paraphrase_studies_show_kappa() -> None:
    figures = ProgramFigures(tasktypes.get("paraphrase"), {}, ["x"])
    votes = np.random.default_rng(2).random((30, 3, 4)) < 0.5
    for one, other, program in votes.tolist():
        figures.add({}, {"p": {"votes": one}, "q": {"votes": other}}, {"x": {"votes": program}})
    result = figures.result(**PARAMETERS)
    pairs = [(a, b) for at in range(2) for a, b in zip(votes[:, at].ravel(), votes[:, 2].ravel(), strict=True)]
    first, second = np.array(pairs).T
    expected = first.mean() * second.mean() + (1 - first.mean()) * (1 - second.mean())
    assert value_of(result, "people", "x", "raw") == pytest.approx(np.mean(first == second))
    assert value_of(result, "people", "x", "kappa") == pytest.approx(
        (np.mean(first == second) - expected) / (1 - expected)
    )


def words(*links: tuple[int, int]) -> dict:
    return {"sure": [list(link) for link in links], "possible": []}


def test_word_alignment_studies_show_the_f1_of_links() -> None:
    task = tasktypes.get("words")
    payload, options = {"source": ["a", "b", "c"], "target": ["x", "y", "z"]}, {"ignore_identical": False}
    figures = ProgramFigures(task, options, ["x"])
    figures.add(payload, {"p": words((0, 0), (1, 1)), "q": words((0, 0))}, {"x": words((0, 0), (2, 2))})
    result = figures.result(**PARAMETERS)
    assert value_of(result, "people", "people", "f1") == pytest.approx(2 / 3)
    matched, own, program = (1 + 1) / 2, (2 + 1) / 2, 2
    precision, recall = matched / own, matched / program
    assert value_of(result, "people", "x", "f1") == pytest.approx(2 * precision * recall / (precision + recall))


def test_without_figures_of_its_own_a_task_type_shows_the_mean_similarity() -> None:
    task = tasktypes.get("layout")
    figures = ProgramFigures(task, task.clean_options({}), ["x"])
    answers = [{"fields": {"f": one, "g": other}} for one, other in (("1", "1"), ("1", "2"), ("2", "2"))]
    figures.add({}, {"p": answers[0], "q": answers[1]}, {"x": answers[2]})
    result = figures.result(**PARAMETERS)
    assert value_of(result, "people", "people", "similarity") == 0.5
    assert value_of(result, "people", "x", "similarity") == pytest.approx((0 + 0.5) / 2)


def test_the_alternative_annotator_test_uses_the_similarity_of_the_task_type() -> None:
    task, generator = tasktypes.get("bws"), np.random.default_rng(3)
    figures, wins = ProgramFigures(task, {}, ["x"]), []
    choices = [choice(best, worst) for best, worst in product("abcd", repeat=2) if best != worst]
    for _ in range(40):
        *people, program = [choices[at] for at in generator.integers(12, size=4)]
        figures.add(QUESTION, dict(zip("pqr", people, strict=True)), {"x": program})
        scores = [sum(task.alike(QUESTION, answer, each, {}) for each in people[1:]) for answer in (people[0], program)]
        wins.append(scores[1] >= scores[0])
    (test,) = figures.result(**PARAMETERS)["alt_test"]
    assert test["annotators"][0]["annotator"] == "p"
    assert test["annotators"][0]["system_advantage"] == pytest.approx(np.mean(wins))


def test_groups_without_a_common_question_have_a_reason() -> None:
    figures = ProgramFigures(tasktypes.get("bws"), {}, ["x", "y"])
    figures.add(QUESTION, {"p": choice("a", "d")}, {"x": choice("a", "d")})
    figures.add(QUESTION, {}, {"y": choice("a", "d")})
    result = figures.result(**PARAMETERS)
    pairs = [("people", "people"), ("people", "x"), ("people", "y"), *combinations("xy", 2)]
    assert [(each["one"], each["other"], each["questions"]) for each in result["agreement"]] == [
        (*pair, int(pair == ("people", "x"))) for pair in pairs
    ]
    assert result["agreement"][0]["figures"]["best"]["reason"] == "no question in common"
    assert "None of the questions answered by the system" in result["alt_test"][0]["reason"]
