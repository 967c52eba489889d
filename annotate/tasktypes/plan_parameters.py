"""The parameters of a study plan: the fields that the page and the API share, and their limits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from accord_core.exchange.numbers import read_number
from accord_core.numerics.plan_costs import Terms
from annotate.tasktypes.options import InvalidOptions, Option, clean_options

if TYPE_CHECKING:
    from annotate.tasktypes.planning import AssumptionField, PlanInput, Planning

Json = Any
Range = tuple[float, float]

LARGEST_AMOUNT = 10**12
MOST_LEVELS = 12

STUDY = (
    Option("items", "Number of items", 0, "integer", minimum=1, maximum=100_000),
    Option(
        "annotators",
        "Annotators",
        20,
        "integer",
        minimum=2,
        maximum=1000,
        help="Number of annotators in the study. Each annotator answers a question only once.",
    ),
)
PAYMENT = (
    Option("price", "Payment per HIT", 0.0, "number", minimum=0, maximum=LARGEST_AMOUNT),
    Option(
        "per_hit",
        "Questions per HIT",
        1,
        "integer",
        minimum=1,
        maximum=1000,
        help="This number includes the gold questions.",
    ),
    Option(
        "fee",
        "Platform fee",
        0.0,
        "number",
        minimum=0,
        maximum=100,
        help="Share of the payment, such as 0.33 for a fee of 33%.",
    ),
    Option("gold", "Share of gold questions", 0.0, "number", minimum=0, maximum=0.99),
)
WORK = (
    Option("seconds", "Seconds per question", 20.0, "number", minimum=0.1, maximum=1_000_000),
    Option(
        "hours_per_day",
        "Working hours per day",
        2.0,
        "number",
        minimum=0.01,
        maximum=24,
        help="Hours that each annotator works per day.",
    ),
)
CAUGHT = Option(
    "caught",
    "Share of careless annotators who are stopped",
    0.0,
    "number",
    minimum=0,
    maximum=1,
    help="The quality rule stops this share, and other annotators replace the stopped annotators.",
)
SIMULATION = (
    Option(
        "studies",
        "Simulated studies",
        300,
        "integer",
        minimum=20,
        maximum=2000,
        help="More simulated studies make the figures more precise, but take longer.",
    ),
    Option("seed", "Seed", 1, "integer", minimum=0, maximum=2**31 - 1),
)
# A plan does not need these parameters. Missing ones are None.
OPTIONAL = (
    Option("budget", "Budget", 0.0, "number", minimum=0, maximum=LARGEST_AMOUNT, help="Largest total cost with fees."),
    Option("target", "Target", 0.0, "number", minimum=0.01, maximum=0.999),
    Option(
        "days",
        "Days for the study",
        0.0,
        "number",
        minimum=0.1,
        maximum=10_000,
        help="The plan shows how many annotators can finish the study within this number of days.",
    ),
)
REQUIRED = (*STUDY, *PAYMENT, *WORK, CAUGHT, *SIMULATION)


@dataclass(frozen=True)
class PlanParameters:
    """Everything that determines a plan. The same parameters and software versions always give the same plan.

    `answers` contains the numbers of answers per question that the plan compares. `assumptions` maps the names of the
    assumptions to ranges. `pilot` contains the public ID of the study whose answers replace the assumptions, and the
    state of its answers. The other attributes are described in `accord_core.numerics.plan_costs.Terms`.
    """

    items: int
    design: Mapping[str, Json]
    answers: Sequence[int]
    assumptions: Mapping[str, Range]
    annotators: int
    price: float
    currency: str
    per_hit: int
    fee: float
    gold: float
    seconds: float
    hours_per_day: float
    caught: float
    studies: int
    seed: int
    budget: float | None
    target: float | None
    days: float | None
    pilot: Mapping[str, Json] | None = None

    def as_json(self) -> dict[str, Json]:
        """Return the parameters as JSON. If the parameters are equal, the JSON is also equal."""
        plain: dict[str, Json] = json.loads(json.dumps(asdict(self), sort_keys=True))
        return plain

    def terms(self) -> Terms:
        """Return the terms of work."""
        return Terms(
            price=Decimal(str(self.price)),
            per_hit=self.per_hit,
            fee=self.fee,
            gold=self.gold,
            seconds=self.seconds,
            hours_per_day=self.hours_per_day,
            annotators=self.annotators,
            caught=self.caught,
        )

    def plan_input(self, pilot: Any = None) -> PlanInput:
        """Return the input of the task type's model."""
        from annotate.tasktypes.planning import PlanInput

        return PlanInput(
            self.items, self.design, self.annotators, self.caught, self.assumptions, pilot=pilot, seed=self.seed
        )


def clean_parameters(planning: Planning, raw: Mapping[str, Json]) -> PlanParameters:
    """Return the validated parameters. Raise InvalidOptions with one message per invalid parameter.

    `raw` has the form of `PlanParameters.as_json`. Names of design fields and assumptions begin with `design.` and
    `assumptions.` in the errors.
    """
    errors: dict[str, str] = {}
    known = {each.name for each in fields(PlanParameters)}
    for name in sorted(raw.keys() - known):
        errors[name] = f"A plan has no parameter with this name. Parameters: {', '.join(sorted(known))}."
    given = [each for each in OPTIONAL if raw.get(each.name) is not None]
    cleaned: dict[str, Json] = {each.name: None for each in OPTIONAL}
    cleaned |= _checked((*REQUIRED, *given), raw, errors)
    cleaned["design"] = _checked(planning.design, raw.get("design") or {}, errors, "design.")
    cleaned["currency"] = str(raw.get("currency") or "EUR")[:3]
    cleaned["pilot"] = _clean_pilot(raw.get("pilot"), errors)
    stated = _clean_ranges(planning.assumptions, raw.get("assumptions") or {}, errors)
    cleaned["assumptions"] = stated if cleaned["pilot"] else _with_usual(planning.assumptions, stated)
    cleaned["answers"] = _clean_levels(raw.get("answers") or planning.levels, planning.fewest, errors)
    if errors:
        raise InvalidOptions(errors)
    parameters = PlanParameters(**cleaned)
    _refuse_large(planning, parameters)
    return parameters


def _refuse_large(planning: Planning, parameters: PlanParameters) -> None:
    words = planning.wording
    size = planning.questions(parameters.plan_input()) * max(parameters.answers)
    if size > planning.largest_study:
        text = (
            f"This plan would simulate studies with {size:,} {words.answers}, but the limit is "
            f"{planning.largest_study:,}. Reduce the number of {words.items} or of {words.per_question}."
        )
        raise InvalidOptions({"items": text})
    if size * parameters.studies > planning.largest_plan:
        text = (
            f"This plan would simulate {parameters.studies:,} studies with {size * parameters.studies:,} "
            f"{words.answers} in all, but the limit is {planning.largest_plan:,}. Reduce the number of studies or of "
            f"{words.items}."
        )
        raise InvalidOptions({"studies": text})


def range_of(text: str, smallest: float, largest: float) -> Range:
    """Return the range of a text such as “0.1” or “0.05-0.2”. Raise ValueError with a message for other texts."""
    first, *others = re.split("(?<=[^eE])-", text.replace("–", "-"), maxsplit=1)  # 1e-05 is one number
    try:
        low, high = read_number(first), read_number(others[0] if others else first)
    except ValueError:
        raise ValueError(f"{text} is not a number or a range such as 0.05-0.2.") from None
    if not smallest <= low <= high <= largest:
        raise ValueError(
            f"{text} must be a number or range from {smallest:g} to {largest:g}, with the lower bound first."
        )
    return low, high


def _checked(
    options: Sequence[Option], raw: Mapping[str, Json], errors: dict[str, str], prefix: str = ""
) -> dict[str, Json]:
    names = {option.name for option in options}
    try:
        return clean_options(options, raw if prefix else {name: raw[name] for name in names & raw.keys()})
    except InvalidOptions as invalid:
        errors |= {f"{prefix}{name}": message for name, message in invalid.errors.items()}
        return {}


def _clean_ranges(
    known: Sequence[AssumptionField], raw: Mapping[str, Json], errors: dict[str, str]
) -> dict[str, Range]:
    ranges = {}
    by_name = {each.name: each for each in known}
    for name, stated in raw.items():
        if name not in by_name:
            errors[f"assumptions.{name}"] = f"The plan has no such assumption. Assumptions: {', '.join(by_name)}."
            continue
        low, high = stated if isinstance(stated, list | tuple) and len(stated) == 2 else (stated, stated)
        limits = by_name[name]
        if not all(type(end) in (int, float) for end in (low, high)):
            errors[f"assumptions.{name}"] = (
                "The value must be a number, or a list containing the lower and upper bounds."
            )
        elif not limits.smallest <= low <= high <= limits.largest:
            errors[f"assumptions.{name}"] = (
                f"The value must be a number or range from {limits.smallest:g} to {limits.largest:g}, with the lower "
                "bound first."
            )
        else:
            ranges[name] = (float(low), float(high))
    return dict(sorted(ranges.items()))


def _with_usual(known: Sequence[AssumptionField], stated: Mapping[str, Range]) -> dict[str, Range]:
    """Return the stated ranges and the usual values of all other assumptions, so that stating a usual value gives the
    same plan as leaving it out.
    """
    usual = {each.name: (float(each.usual), float(each.usual)) for each in known if each.usual is not None}
    return dict(sorted({**usual, **stated}.items()))


def _clean_pilot(raw: Json, errors: dict[str, str]) -> dict[str, Json] | None:
    """Return the public ID of the pilot. The state of its answers is added later."""
    study = raw.get("study") if isinstance(raw, Mapping) else raw
    if study in (None, ""):
        return None
    if not isinstance(study, str):
        errors["pilot"] = "The value must be the ID of a study."
        return None
    return {"study": study}


def _clean_levels(raw: Json, fewest: int, errors: dict[str, str]) -> list[int]:
    if not isinstance(raw, Sequence) or not all(type(each) is int and fewest <= each <= 50 for each in raw):
        errors["answers"] = f"The value must be a list of numbers from {fewest} to 50."
        return []
    if len(set(raw)) > MOST_LEVELS:
        errors["answers"] = f"A plan compares at most {MOST_LEVELS} numbers."
    return sorted(set(raw))
