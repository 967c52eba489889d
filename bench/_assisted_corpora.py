"""Real judgements as populations of questions, for the program-assisted figures of `assisted`.

Each corpus is the population from which pools of questions are drawn, with replacement, so the true figures are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord_core.bws.numerics.scoring import counting_scores
from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.score_sums import f1_of_sums, sums_by_pair
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.evaluation.measures import precision_recall_f1
from accord_core.numerics.assisted import MOST_SKEWNESS, AssistedFigure, Drawn, assisted_figures, assisted_spearman
from accord_core.numerics.assisted_labels import plain_means
from accord_core.numerics.influence import influence_of_spearman
from accord_core.pairs.numerics.links import Alignment, identical_links
from accord_core.pairs.numerics.prealign import prealign
from accord_core.words.numerics.system_scores import GoldPair, counts_by_pair, estimate
from bench.prealign import read_corpus
from bench.ruddit import read_judgements
from bench.swords import read_votes
from evaluation.assisted_result import MOST_SKEWNESS as LINKS

AER, ALL_F1, TYPE_AND_SCORE = 8, 5, 3  # places of the figures in `estimate` and in `f1_of_sums`
QUALITIES = (0.0, 0.3, 0.6, 0.8, 1.0)  # correlations of systems with the scores, from useless to perfect
SYSTEM = 3  # the system whose Spearman correlation is estimated
DAMAGED = ("links", "types", "scores", "everything")


class Population(NamedTuple):
    """A figure of a corpus with its true value, and a function that estimates it from a drawn pool."""

    corpus: str
    figure: str
    program: str
    pool: int
    judged: int
    questions: int
    truth: float
    estimate: Callable[[np.ndarray, Drawn], AssistedFigure]


def populations(folder: Path) -> Iterator[Population]:
    yield from ruddit(folder / "ruddit")
    yield from edinburgh(folder / "edinburgh")
    yield from ists(folder / "ists")
    yield from swords(folder / "swords")


def ruddit(folder: Path) -> Iterator[Population]:
    """Scores of 6,000 comments. The last program is another group of people: half of the judgements."""
    _, judgements = read_judgements(folder / "annotations.csv")
    half = np.random.default_rng(1).random(len(judgements)) < 0.5
    ones, others = (counting_scores(judgements.take(rows)).score for rows in (half, ~half))
    known = ~(np.isnan(ones) | np.isnan(others))
    people, crowd = ones[known], others[known]
    draw = np.random.default_rng(2)
    standard = (people - people.mean()) / people.std()
    # The systems predict the mean of both groups, which is nearer to the truth than each group.
    true = standard + (crowd - crowd.mean()) / crowd.std()
    true /= true.std()
    systems = [each * true + (1 - each**2) ** 0.5 * draw.normal(size=len(true)) for each in QUALITIES]
    programs = {
        f"system .{round(10 * each)}" if each < 1 else "perfect system": systems[number]
        for number, each in enumerate(QUALITIES)
    }
    system = QUALITIES[SYSTEM] * true + (1 - QUALITIES[SYSTEM] ** 2) ** 0.5 * draw.normal(size=len(true))
    rho = float(influence_of_spearman(system, people, np.ones(len(people))).value[0])
    for name, program in (programs | {"other people": crowd}).items():
        program = (program - program.mean()) / program.std() * people.std()

        def mean(pool: np.ndarray, drawn: Drawn, program: np.ndarray = program) -> AssistedFigure:
            return assisted_figures(people[pool][drawn.judged, None], program[pool, None], drawn, plain_means)[0]

        def spearman(pool: np.ndarray, drawn: Drawn, program: np.ndarray = program) -> AssistedFigure:
            return assisted_spearman(people[pool][drawn.judged], program[pool], system[pool][None], drawn)[0]

        yield Population("Ruddit", "mean score", name, 1000, 200, len(people), float(people.mean()), mean)
        yield Population("Ruddit", "Spearman of another system", name, 1000, 200, len(people), rho, spearman)


def edinburgh(folder: Path) -> Iterator[Population]:
    """Sentence pairs with gold links. The program and the scored system are the aligner and identical words."""
    pairs, gold = read_corpus(folder)
    texts, links = list(pairs.values()), [gold[key] for key in pairs]
    systems = {
        "the aligner": [Alignment(each) for each in prealign(texts)],
        "identical words": [Alignment(identical_links(*each)) for each in texts],
    }

    def counts(against: list[Alignment], system: list[Alignment]) -> np.ndarray:
        sides = [GoldPair(*text, each) for text, each in zip(texts, against, strict=True)]
        return counts_by_pair(sides, system, phrases=False, ignore_identical=False)

    for system, program in (tuple(systems), tuple(systems)[::-1]):
        people, assumed = counts(links, systems[system]), counts(systems[program], systems[system])
        for title, place in ((f"AER of {system}", AER), (f"F1 of {system}", ALL_F1)):
            yield of_sums(
                "Edinburgh",
                title,
                program,
                (2000, 400),
                people,
                assumed,
                lambda means, place=place: estimate(means)[[place]],
            )


def ists(folder: Path) -> Iterator[Population]:
    """Pairs of image captions. Three damaged copies are scored systems, and the one with other links is the program."""
    files = {name: read_wa((folder / f"images.{name}.wa").read_bytes(), name=name) for name in ("gold", *DAMAGED)}
    ids = [pair.id for pair in files["gold"]]

    def sums(against: list[IstsPair], system: list[IstsPair]) -> np.ndarray:
        return sums_by_pair(ists_scores(against, system), ids)

    program, *systems = DAMAGED
    for system in systems:
        yield of_sums(
            "iSTS",
            f"F1 of type and score, {system}",
            f"copy with damaged {program}",
            (400, 100),
            sums(files["gold"], files[system]),
            sums(files[program], files[system]),
            lambda means: f1_of_sums(means)[[TYPE_AND_SCORE]],
        )


def swords(folder: Path) -> Iterator[Population]:
    """Sentences whose candidates have ten votes: people are the majority of seven, the program and the system are the
    other votes. A sentence with all of its candidates is one question.
    """
    votes = {key: each for key, each in read_votes(folder / "votes.csv").items() if len(each) == 10}
    sentences = sorted({sentence for sentence, _ in votes})
    number = np.array([sentences.index(sentence) for sentence, _ in votes])
    yes = np.array([[vote == "TRUE" for vote in each] for each in votes.values()])
    people, program, system = yes[:, :7].sum(axis=1) > 3, yes[:, 8], yes[:, 9]

    def by_sentence(*columns: np.ndarray) -> np.ndarray:
        return np.stack([np.bincount(number, each, len(sentences)) for each in columns], axis=1)

    def share(means: np.ndarray) -> np.ndarray:
        return (means[:, 0] / means[:, 1])[None]

    def f1(means: np.ndarray) -> np.ndarray:
        both, chosen, good = means.T
        return precision_recall_f1(both, chosen, both, good)[2][None]

    everything = np.ones(len(number))
    yield of_sums(
        "SWORDS",
        "share of good candidates",
        "another vote",
        (400, 80),
        by_sentence(people, everything),
        by_sentence(program, everything),
        share,
        MOST_SKEWNESS,
    )
    yield of_sums(
        "SWORDS",
        "F1 of a system",
        "another vote",
        (400, 80),
        by_sentence(system & people, system, people),
        by_sentence(system & program, system, program),
        f1,
        MOST_SKEWNESS,
    )


def of_sums(  # type: ignore[no-untyped-def]
    corpus: str,
    figure: str,
    program: str,
    size: tuple[int, int],
    people: np.ndarray,
    assumed: np.ndarray,
    function,
    most=LINKS,
) -> Population:
    def estimated(pool: np.ndarray, drawn: Drawn) -> AssistedFigure:
        return assisted_figures(people[pool][drawn.judged], assumed[pool], drawn, function, scale="fisher")[0]

    truth = float(function(people.mean(axis=0)[None])[0, 0])
    return Population(corpus, figure, program, *size, len(people), truth, estimated)
