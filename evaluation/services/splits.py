"""Services that change the settings of a study's train, dev and test splits."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.core.permissions import Action, Actor, locked_study
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Study
from annotate.server.refusals import invalid
from evaluation.models import SplitSettings


@dataclass(frozen=True)
class SplitChoice:
    """A researcher's choice of splits: percentages, a seed, metadata columns separated by commas, and whether systems
    are scored only on the test split.
    """

    seed: int = 1
    train: int = 80
    dev: int = 10
    test: int = 10
    stratify: str = ""
    test_only: bool = False


def choose_split(study_id: int, choice: SplitChoice, *, user: Actor) -> SplitSettings:
    """Divide a study's items into train, dev and test splits, or change the split settings.

    If only `test_only` changes, items in earlier releases keep their parts. All other changes assign every item again.
    Raises `Refused` with the reason `invalid` if the percentages do not sum to 100, if the test part is empty although
    systems are scored on this part, or if no item has a value in a metadata column.
    """
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        _check(study, choice)
        settings = SplitSettings.objects.filter(study=study).first() or SplitSettings(study=study)
        before = (settings.seed, settings.train, settings.dev, settings.test, settings.columns)
        for name, value in vars(choice).items():
            setattr(settings, name, value)
        if before != (settings.seed, settings.train, settings.dev, settings.test, settings.columns):
            settings.earlier = {}
        settings.save()
        record(study, "chose a split", user=user, **vars(choice))
        return settings


def remove_split(study_id: int, *, user: Actor) -> None:
    """Remove a study's splits. Later releases contain no splits, and systems are scored on all items."""
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        deleted, _ = SplitSettings.objects.filter(study=study).delete()
        if deleted:
            record(study, "removed the split", user=user)


def _check(study: Study, choice: SplitChoice) -> None:
    shares = (choice.train, choice.dev, choice.test)
    if min(shares) < 0 or sum(shares) != 100:
        raise invalid(
            "train", f"The percentages of train, dev and test must add up to 100, but their sum is {sum(shares)}."
        )
    if choice.test_only and not choice.test:
        raise invalid("test", "The test part is empty, so systems cannot be scored on it.")
    for column in SplitSettings(stratify=choice.stratify).columns:
        if not any(column in metadata for metadata in study.items.values_list("metadata", flat=True).iterator()):
            raise invalid("stratify", f"No item has a value in the metadata column {column}.")
