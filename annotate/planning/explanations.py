"""Explanations of the figures of plans."""

from annotate.tasktypes import Explanation

EXPLANATIONS = {
    "plan": Explanation(
        "predicted figures of a plan",
        "Median and 95% prediction interval of the figure in simulated studies with the stated assumptions. The cost "
        "includes gold questions and platform fees.",
        "Accord’s simulations.",
        "methods#plans",
    ),
    "plan_reality": Explanation(
        "planned and actual figures",
        "Under the plan's assumptions, the predicted interval contains the main figure in 95% of studies with exactly "
        "the same annotators and questions. The measured figure comes from the answers that count. It is calculated as "
        "in the plan, and can differ from a report's figure of a similar name.",
        "simulated studies, as in the plan.",
        "planning#planned-and-actual",
    ),
}
