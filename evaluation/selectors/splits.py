"""A study's train, dev and test splits."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Study
from annotate.tasktypes import StudyData
from evaluation.models import SplitSettings
from evaluation.study_splits import SplitPlan, StudySplit, split_of

TEST = "test"


def plan_of(settings: SplitSettings) -> SplitPlan:
    """Return the settings in the form used by releases."""
    percentages = (settings.train, settings.dev, settings.test)
    return SplitPlan(settings.seed, percentages, settings.columns, settings.earlier)


def split_settings(study: Study) -> SplitSettings | None:
    return SplitSettings.objects.filter(study=study).first()


def study_split(study: Study, data: StudyData) -> StudySplit | None:
    """Return the current split of each of a study's items, or None if the study has no splits."""
    settings = split_settings(study)
    return None if settings is None else split_of(tasktypes.get(study.task_type), data, plan_of(settings))


def scored_items(study: Study, data: StudyData) -> frozenset[str] | None:
    """Return the items for scoring systems: those in the test split, or None if all items are scored."""
    settings = split_settings(study)
    if settings is None or not settings.test_only:
        return None
    split = study_split(study, data)
    return None if split is None else frozenset(key for key, part in split.parts.items() if part == TEST)
