"""A statistical test of a study's quality rule, with operating curves on the study's own gold questions."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from django.core.cache import cache

from accord_core.numerics.gold_advice import obstacle
from accord_core.numerics.gold_figures import as_json
from accord_core.numerics.gold_report import GoldPlan, Targets, rule_report
from accord_core.numerics.gold_rules import GoldRule
from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.selectors.sizes import gold_in_hit
from annotate.data.selectors.design import GoldCover, gold_cover
from annotate.gold.selectors.annotators import estimation_state, gold_models
from annotate.models import Study

CACHED_SECONDS = 24 * 3600
MOST_HITS, MOST_ANSWERS = 10_000, 100_000  # in forms and in the API
FORMAT = 2  # increase this number when the cached figures change their form


@dataclass(frozen=True)
class WhatIf:
    """The quality rule to test, and the assumptions. `minimum` and `window` are numbers of gold answers.

    `hits` is the number of HITs per annotator. If `accuracy` is None, the accuracy of careful annotators is estimated.
    `false_stops` and `survivors` are the target error rates.
    """

    threshold: float
    minimum: int
    hits: int
    window: int = 0
    accuracy: float | None = None
    false_stops: float = Targets.false_stops
    survivors: float = Targets.survivors


def current_rule(study: Study, cover: GoldCover | None = None) -> WhatIf:
    """Return a study's quality rule, applied to an annotator who submits as many HITs as there are gold questions for.

    If the rule counts HITs, the minimum is the number of gold questions in these HITs.
    """
    cover = cover or gold_cover(study)
    by_hits = study.rule_unit == Study.RuleUnit.HITS
    hits = min(cover.hits, cover.hits_wanted) if cover.hits_wanted else cover.hits
    return WhatIf(
        threshold=float(study.rule_threshold),
        minimum=study.rule_minimum * (max(cover.in_hit, 1) if by_hits else 1),
        hits=max(1, hits),
    )


def rule_obstacle(study: Study) -> str:
    """Return the reason why the study's quality rule cannot stop any annotator, or an empty string. A study with a pass
    mark of 0 has turned the rule off.
    """
    if not study.rule_threshold:
        return ""
    cover = gold_cover(study)
    if cover.gold and (reason := _too_few_hits(study, cover)):
        return reason
    what_if = current_rule(study, cover)
    plan = GoldPlan(what_if.hits, study.questions_per_hit, cover.in_hit)
    return obstacle(GoldRule(what_if.threshold, what_if.minimum), plan, cover.gold)


def _too_few_hits(study: Study, cover: GoldCover) -> str:
    """Return the reason if the rule counts more HITs than an annotator can submit, or an empty string. More gold
    questions would not help then.
    """
    most, minimum = cover.hits_wanted, study.rule_minimum
    has_rule = study.rule_unit == Study.RuleUnit.HITS and study.rule_threshold and cover.in_hit
    if not has_rule or most is None or minimum <= most:
        return ""
    return (
        f"The quality rule never applies: it needs {with_noun(minimum, 'submitted HIT')}, but an annotator gets at "
        f"most {with_noun(most, 'HIT')}. Enter a smaller minimum."
    )


def hits_before_rule(study: Study) -> int:
    """Return the number of HITs after which the quality rule can stop an annotator, or 0 if it never stops anyone."""
    in_hit = gold_in_hit(study)
    if not study.rule_threshold or not in_hit:
        return 0
    return study.rule_minimum if study.rule_unit == Study.RuleUnit.HITS else -(-study.rule_minimum // in_hit)


def gold_before_rule(study: Study) -> int:
    """Return the number of gold questions in these HITs."""
    return hits_before_rule(study) * gold_in_hit(study)


def advised_number(study: Study) -> str:
    """Return a sentence about the number of gold questions that the quality rule needs, or about a rule that needs more
    of them than an annotator can answer. Without a rule, it is empty.
    """
    needed, cover = gold_before_rule(study), gold_cover(study)
    if not needed:
        return ""
    if reason := _too_few_hits(study, cover):
        return reason
    most = needed if cover.hits_wanted is None else cover.hits_wanted * cover.in_hit
    if most < needed:
        return (
            f"The quality rule needs {needed:,} gold answers, but an annotator gets at most "
            f"{with_noun(most, 'gold question')}. Enter a smaller minimum, or put more gold questions into each HIT."
        )
    return f"Write {needed:,} or more: the quality rule needs {needed:,} answers from an annotator."


def operating_figures(study: Study, what_if: WhatIf) -> dict[str, Any]:
    """Return the figures from `accord_core.numerics.gold_figures.as_json`, plus `estimated_from`, the number of gold
    answers used to estimate the accuracy of a careful annotator. If the figures cannot be calculated, the only key is
    `reason`.

    The figures are cached, because a large study has many gold answers, and measures with partial scores need a
    simulation of about one second.
    """
    cover = gold_cover(study)
    rule = GoldRule(what_if.threshold, what_if.minimum, what_if.window)
    plan = GoldPlan(what_if.hits, study.questions_per_hit, cover.in_hit)
    by_hits = _too_few_hits(study, cover) if cover.gold and what_if == current_rule(study, cover) else ""
    if reason := by_hits or obstacle(rule, plan, cover.gold):
        return {"reason": reason}
    if study.rule_measure not in tasktypes.get(study.task_type).measure_ratios:
        return {"reason": f"The task type does not define the formula of the measure “{study.rule_measure}”."}
    content = [FORMAT, asdict(what_if), asdict(plan), estimation_state(study)]
    key = f"gold-rule:{study.pk}:{hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()}"
    figures: dict[str, Any] | None = cache.get(key)
    if figures is None:
        try:
            models = gold_models(study, what_if.accuracy)
        except tasktypes.InvalidAnswer as error:
            return {"reason": f"Accord could not simulate careless answers to a gold question. {error}"}
        targets = Targets(what_if.false_stops, what_if.survivors)
        report = rule_report(models.careful, models.guesser, models.others, rule, plan, targets, seed=study.seed)
        figures = {"reason": "", **as_json(report), "estimated_from": models.estimated}
        cache.set(key, figures, CACHED_SECONDS)
    return figures
