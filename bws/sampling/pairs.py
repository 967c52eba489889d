"""Items for a relatedness study: sentence pairs sampled as in STR-2021, Appendix A.

`make_pairs` takes sentences and a request, and returns the rows of an item file with a report. The command and the
console both call `make_pairs`. `docs/methods.md` describes the strategies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from accord_core.bws.sampling.formats.sentences import Sentences
from accord_core.bws.sampling.numerics.sampling import distinct_pairs
from bws.sampling.pool import Pool
from bws.sampling.report import Report, histogram
from bws.sampling.request import Request, check
from bws.sampling.strategies import Chosen, choose

AT_RANDOM = 20_000  # number of random pairs that show the result of random pairing


@dataclass(frozen=True)
class Sample:
    """An item file, and a report on how its items were sampled."""

    columns: list[str]
    rows: list[list[str]]
    report: Report


def make_pairs(table: Sentences, request: Request, synonyms: Mapping[str, str] | None = None) -> Sample:
    """Sample pairs from sentences, or choose from existing pairs.

    Raises RequestError if the request does not match the table, and TableError if cells are invalid.
    """
    check(table, request)
    pool = Pool(table, request, synonyms)
    chosen = choose(pool)
    return Sample(*_items(pool, chosen), _report(pool, chosen))


def _items(pool: Pool, chosen: Sequence[Chosen]) -> tuple[list[str], list[list[str]]]:
    table, strategy = pool.table, pool.request.strategy
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(each.pairs for each in chosen)])
    kinds = [kind for each in chosen for kind in each.kinds]
    rows = [[pool.texts[first], pool.texts[second]] for first, second in pairs.tolist()]
    scores = {
        measure.replace("-", "_"): pool.scores(pairs, measure) for measure in dict.fromkeys(["dice", pool.measure])
    }
    if table.are_pairs:
        ids = [table.ids[first] for first, _ in pairs.tolist()]
        columns = {name: [cells[first] for first, _ in pairs.tolist()] for name, cells in table.columns.items()}
    else:
        width = max(4, len(str(len(pairs))))
        names = (pool.group_of[first].replace("/", "_") for first, _ in pairs.tolist())
        ids = [f"{f'{name}-' if name else ''}{strategy}-{n:0{width}}" for n, name in enumerate(names, start=1)]
        carried = [*pool.group_columns, *filter(None, [pool.request.match])]
        columns = {name: [table.column(name)[first] for first, _ in pairs.tolist()] for name in dict.fromkeys(carried)}
        if pool.request.kinds:
            columns[pool.request.kinds] = kinds
        columns |= {f"id{n}": [table.ids[s] for s in pairs[:, n - 1].tolist()] for n in (1, 2)}
    ours = {"strategy": [strategy] * len(pairs)} | {
        name: [f"{value:.4f}" for value in values] for name, values in scores.items()
    }
    columns = {name: cells for name, cells in columns.items() if name.casefold() not in ours} | ours
    return (
        ["id", "sentence1", "sentence2", *columns],
        [list(row) for row in zip(ids, *zip(*rows, strict=True), *columns.values(), strict=True)] if rows else [],
    )


def _report(pool: Pool, chosen: Sequence[Chosen]) -> Report:
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(each.pairs for each in chosen)])
    scores = pool.scores(pairs)
    expected = [each.expected for each in chosen if each.expected is not None]
    pairs_by_group = Counter(pool.group_of[first % len(pool.table)] for first in pairs[:, 0].tolist())
    random_scores, random_weights = [np.zeros(0)], [np.zeros(0)]
    for group, pairs_of_group in pairs_by_group.items():
        rows = pool.rows[group]
        if pool.table.are_pairs:
            others = pool.of_rows(rows)
        else:
            others = rows[distinct_pairs(len(rows), AT_RANDOM, pool.draws(group, "at random"))]
        random_scores.append(pool.scores(others))
        random_weights.append(np.full(len(others), pairs_of_group / len(others)))
    return Report(
        strategy=pool.request.strategy,
        seed=pool.request.seed,
        measure=pool.measure,
        of_pairs=pool.table.are_pairs,
        read=len(pool.table),
        usable=len(pool.usable),
        left_out=dict(+pool.left_out),
        groups=[each.group for each in chosen],
        median=float(np.median(scores)) if len(scores) else None,
        histogram=histogram(
            scores,
            (np.concatenate([e[0] for e in expected]), np.concatenate([e[1] for e in expected])) if expected else None,
            (np.concatenate(random_scores), np.concatenate(random_weights)),
        ),
    )
