"""Requests for samples of pairs, and functions that validate them against the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from sys import maxsize

from accord_core.bws.sampling.formats.sentences import Sentences
from accord_core.bws.sampling.numerics.partners import Window
from accord_core.bws.sampling.numerics.sampling import Kind
from accord_core.exchange.numbers import is_whole_number, read_number
from accord_core.exchange.tables import find_column

OF_SENTENCES, OF_PAIRS = ("overlap", "buckets", "match", "random"), ("buckets", "paraphrase", "bins")
STRATEGIES = ("overlap", "buckets", "paraphrase", "match", "bins", "random")
MEASURES = ("overlap", "dice", "idf-dice")
GROUPED_BY = ("source", "subset")
WORDS = (5, 25)
TOKENS = "tokens"


class RequestError(ValueError):
    """An invalid request. `field` is the attribute of `Request` that causes the error."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)  # both arguments, so that the error can be pickled
        self.field, self.message = field, message

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Request:
    """A request for a sample of pairs.

    `pairs` is the number of pairs per group, and `quotas` contains the numbers for individual groups or, with `kinds`,
    for individual kinds such as `for+against`. Groups are defined by the values of the columns in `within`. If `within`
    is None, the columns `source` and `subset` are used, if they exist. `words` is the minimum and the maximum length of
    a sentence, or None for the limits of `word_limits`. `window` restricts the candidates for a pair. If `window` is
    None, the strategy `overlap` uses the window of STR-2021, and other strategies use no window.
    """

    strategy: str
    pairs: int | None = None
    quotas: Mapping[str, int] = field(default_factory=dict)
    within: tuple[str, ...] | None = None
    words: tuple[int, int] | None = None
    window: Window | None = None
    measure: str | None = None
    buckets: int | None = None
    base: float = 1.1
    examine: int = 200_000
    match: str = ""
    kinds: str = ""
    score: str = ""
    edges: tuple[float, ...] = ()
    reuse: bool = False
    seed: int = 1


def read_quotas(texts: Iterable[str]) -> dict[str, int]:
    """Return the quotas from texts of the form `name=number`. Raises RequestError."""
    quotas: dict[str, int] = {}
    for each in texts:
        name, _, number = (part.strip() for part in each.rpartition("="))
        if not name or not is_whole_number(number) or int(number) < 0:
            raise RequestError("quotas", f"a quota must have the form wiki=500, not {each}")
        if name in quotas:
            raise RequestError("quotas", f"{name} has two quotas")
        quotas[name] = int(number)
    return quotas


def read_edges(text: str) -> tuple[float, ...]:
    """Return the numbers from a comma-separated list such as `0,1,2,3`. Raises RequestError."""
    try:
        edges = tuple(read_number(each) for each in text.split(",")) if text.strip() else ()
    except ValueError:
        raise RequestError("edges", f"enter numbers separated by commas, such as 0,1,2,3, not {text}") from None
    if len(edges) == 1 or not all(low < high for low, high in pairwise(edges)):
        raise RequestError("edges", "the bounds of the bins must be at least two numbers in ascending order")
    return edges


def window_of(
    strategy: str, low: float | None = None, high: float | None = None, length_difference: float | None = None
) -> Window | None:
    """Return the requested overlap window, or None if none was requested. Raises RequestError.

    Limits that the request omits have the values of STR-2021 for the strategy `overlap`, and are not restricted for
    strategies without a window of their own.
    """
    if low is None and high is None and length_difference is None:
        return None
    rest = Window() if strategy == "overlap" else Window(0, float("inf"), 1)
    window = Window(
        rest.low if low is None else low,
        rest.high if high is None else high,
        rest.length_difference if length_difference is None else length_difference,
    )
    if not window.low < window.high:
        raise RequestError(
            "window",
            f"the minimum overlap ({window.low:g}) must be lower than the maximum overlap ({window.high:g})",
        )
    return window


def check(table: Sentences, request: Request) -> None:
    """Raise RequestError if the strategy does not match its options or the table."""
    strategy = request.strategy
    if strategy not in (OF_PAIRS if table.are_pairs else OF_SENTENCES):
        holds, needs = ("pairs", "sentences") if table.are_pairs else ("sentences", "pairs")
        raise RequestError("strategy", f"the strategy {strategy} needs {needs}, but {table.name} contains {holds}")
    if request.pairs is None and not request.quotas:
        raise RequestError("pairs", "specify the number of pairs, either per group or as quotas")
    if strategy == "match" and not request.match:
        raise RequestError(
            "match", "the strategy match needs the column in which both sentences must have the same value"
        )
    if strategy == "bins" and not request.score:
        raise RequestError("score", "the strategy bins needs the column with the score")
    if request.kinds and strategy != "match":
        raise RequestError("kinds", "kinds can be used only with the strategy match")
    if request.window is not None and strategy in ("match", "random"):
        raise RequestError("window", f"the strategy {strategy} does not use the overlap. Remove the overlap limits")
    if request.words is not None and request.words[0] > request.words[1]:
        raise RequestError("words", f"no sentence has at least {request.words[0]} and at most {request.words[1]} words")


def word_limits(table: Sentences, request: Request) -> tuple[int, int]:
    """Return the minimum and maximum length of a sentence in words.

    By default, the limits are those of STR-2021. A file with the column `tokens` has no limits, because `accord sample
    sentences` has already selected its sentences by their length.
    """
    if request.words is not None:
        return request.words
    return (1, maxsize) if find_column(list(table.columns), TOKENS) else WORDS


def group_columns(table: Sentences, request: Request) -> list[str]:
    """Return the columns that separate the sentences into groups. Raises TableError if a column is missing."""
    if request.within is not None:
        for column in request.within:
            table.column(column)
        return list(request.within)
    available = {column.casefold() for column in table.columns}
    return [column for column in GROUPED_BY if column in available]


def quota_by_group(request: Request, groups: Sequence[str]) -> dict[str, int]:
    """Return the number of pairs to sample from each group. Raises RequestError if a quota refers to an unknown
    group.
    """
    unknown = [group for group in request.quotas if group not in groups]
    if unknown:
        known_groups = ", ".join(sorted(groups)[:10]) + (", …" if len(groups) > 10 else "")
        raise RequestError("quotas", f"the file has no group {unknown[0]}. The groups are: {known_groups or 'none'}")
    return {group: request.quotas.get(group, request.pairs or 0) for group in groups}


def quota_by_kind(request: Request, kinds_in_table: set[str]) -> dict[Kind, int]:
    """Return the number of pairs of each kind. If no kinds are requested, all pairs are of the same kind. Raises
    RequestError.
    """
    if not request.kinds:
        if request.quotas or request.pairs is None:
            raise RequestError(
                "quotas", "the strategy match has quotas for kinds of pairs. Specify the column with the kinds"
            )
        return {("", ""): request.pairs}
    if request.pairs is not None:
        raise RequestError(
            "pairs", "if you use kinds, specify the number of pairs of each kind as quotas, such as for+against=250"
        )
    quotas: dict[Kind, int] = {}
    for name, count in request.quotas.items():
        matches = [(one, other) for one in kinds_in_table for other in kinds_in_table if f"{one}+{other}" == name]
        if len(matches) != 1:
            raise RequestError(
                "quotas", f"the kind {name} does not exist. Join two of {', '.join(sorted(kinds_in_table)[:10])} with +"
            )
        if matches[0][::-1] in quotas and matches[0] not in quotas:
            raise RequestError("quotas", f"the kinds {name} and {'+'.join(matches[0][::-1])} are the same")
        quotas[matches[0]] = count
    return quotas
