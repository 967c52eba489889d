"""How a task type describes its methods, for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord_core.numerics.printed import coefficient

Json = Any


@dataclass(frozen=True)
class Publication:
    """A publication as a BibTeX entry. `cited` contains the authors and the year, as in “Fleiss, 1971”."""

    key: str
    cited: str
    kind: str  # the type of the BibTeX entry
    fields: Mapping[str, str]


@dataclass(frozen=True)
class MethodText:
    """One or more sentences about a method. In the template, `{name}` stands for a figure, `{name:item}` for a figure
    with a noun in the right number, and `{@key}` or `{@key,other}` for publications.

    `figures` maps the names, which consist of lower-case letters and underscores, to the paths of values in `result`
    (the report's result), `facts` (the study's facts) and `counts` (counts of the study's rows). The value is printed
    as it is, a whole number with thousands separators, or by the function beside the path.
    """

    template: str
    figures: Mapping[str, str | tuple[str, Callable[[Any], str]]] = field(default_factory=dict)
    publications: Sequence[Publication] = ()


@dataclass(frozen=True)
class Methods:
    """The sentences of a task type, by the part of the methods section that contains them.

    `asked` states how many judgements the questions were planned to get, if their numbers differ. `adjudication` states
    what researchers' decisions replace. It is only used if there are decisions.
    """

    task: Sequence[MethodText] = ()
    design: Sequence[MethodText] = ()
    aggregation: Sequence[MethodText] = ()
    agreement: Sequence[MethodText] = ()
    adjudication: Sequence[MethodText] = ()
    asked: MethodText | None = None


def headline_texts(result: Mapping[str, Json]) -> list[MethodText]:
    """Return a sentence with the first figure of a report's headline, if it is defined."""
    ends = result.get("headline", {}).get("ends", ())
    if not ends or ends[0]["value"] is None:
        return []
    return [
        MethodText(
            "{headline_name} is {headline_value}.",
            {"headline_name": "result.headline.name", "headline_value": ("result.headline.ends[0].value", coefficient)},
        )
    ]


def with_interval(name: str, path: str, printed: Callable[[Any], str] = coefficient) -> dict[str, Any]:
    """Return the figures `{name}`, `{name}_low` and `{name}_high` for a value with its interval at a path."""
    return {
        name: (f"{path}.value", printed),
        f"{name}_low": (f"{path}.low", printed),
        f"{name}_high": (f"{path}.high", printed),
    }


DAWID_SKENE = Publication(
    "dawid-skene-1979",
    "Dawid and Skene, 1979",
    "article",
    {
        "author": "Dawid, A. P. and Skene, A. M.",
        "title": "Maximum Likelihood Estimation of Observer Error-Rates Using the {EM} Algorithm",
        "journal": "Journal of the Royal Statistical Society: Series C (Applied Statistics)",
        "volume": "28",
        "number": "1",
        "pages": "20--28",
        "year": "1979",
    },
)
FLEISS = Publication(
    "fleiss-1971",
    "Fleiss, 1971",
    "article",
    {
        "author": "Fleiss, Joseph L.",
        "title": "Measuring Nominal Scale Agreement Among Many Raters",
        "journal": "Psychological Bulletin",
        "volume": "76",
        "number": "5",
        "pages": "378--382",
        "year": "1971",
    },
)
KRIPPENDORFF = Publication(
    "krippendorff-2019",
    "Krippendorff, 2019",
    "book",
    {
        "author": "Krippendorff, Klaus",
        "title": "Content Analysis: An Introduction to Its Methodology",
        "edition": "4th",
        "publisher": "SAGE",
        "year": "2019",
    },
)
