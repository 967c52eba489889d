"""The charts of plans, with the figures that they show."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from accord_core.exchange.plans import Wording
from accord_core.numerics.predictions import Prediction
from accord_core.numerics.unfinished import Measured
from annotate.planning.models import Plan
from annotate.planning.pages import parts as plan_parts
from annotate.planning.pages import reality as plan_reality
from annotate.planning.selectors.checks import PlanCheck
from annotate.planning.selectors.reality import Amounts, PlanReality

AT = datetime(2026, 11, 22, tzinfo=UTC)
PREDICTED = {"value": 0.8, "low": 0.7, "high": 0.9}
PLANNED = {
    "labels": {"reliability": "Reliability of the scores", "smallest_difference": "Smallest detectable difference"},
    "target_figure": "reliability",
    "designs": [
        {
            "per_question": number,
            "answers": 10 * number,
            "cost": f"{number}.00",
            "figures": {"reliability": PREDICTED, "smallest_difference": PREDICTED},
        }
        for number in (2, 4)
    ],
}
WORDS = Wording("judgements per question", "judgements", "questions", "items", "a reliability")
CHECKS = [PlanCheck(AT, number, Measured(0.7, 0.6, 0.8), Prediction(0.8, 0.7, 0.9)) for number in (20, 40)]
UNKNOWN = Amounts(None, None, None)
REALITY = PlanReality(Plan(number=1), "f1", "F1 of all links", CHECKS, None, UNKNOWN, UNKNOWN, UNKNOWN)
CHARTS: dict[str, Callable[[], list[Any]]] = {
    "plan_chart": lambda: [
        plan_parts.plan_chart(PLANNED, {"price": price, "currency": "EUR", "target": 0.9, "budget": 9.0}, name, WORDS)
        for name in ("reliability", "smallest_difference")
        for price in (0.0, 0.5)
    ],
    "reality_chart": lambda: [plan_reality.reality_chart(REALITY)],
}
