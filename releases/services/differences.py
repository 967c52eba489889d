"""The differences between a released study and its repeat, as sentences for researchers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accord_core.numerics.printed import with_noun
from annotate.models import Study
from annotate.studies.services.settings import setting_field
from annotate.studies.services.settings_import import AMOUNTS
from releases.contents.contacts import PLACEHOLDER
from releases.contents.source import Source
from releases.selectors.recipe import RECIPE_SETTINGS
from releases.services.repeated_design import REBUILDS, deals_again

TEXTS = ("instructions", "examples", "privacy_notice", "payment_terms", "eligibility")
Row = dict[str, Any]


@dataclass(frozen=True)
class Changes:
    """The names of the settings that differ from the recipe, and of those that the researcher wanted to change."""

    changed: frozenset[str]
    wanted: frozenset[str]


def differences_of(source: Source, study: Study, changes: Changes) -> list[Row]:
    """Return one row per difference, with `part`, `text` and, for a changed setting, `original` and `repeat`. Rows that
    need a decision or an entry before the study opens come first.
    """
    return [*_lost(source), *_changed(source, study, changes), *_of_installation(source, study)]


def _row(part: str, text: str, original: Any = None, repeat: Any = None) -> Row:
    values = {"original": original, "repeat": repeat}
    return {"part": part, "text": text, **{name: None if each is None else str(each) for name, each in values.items()}}


def _lost(source: Source) -> Iterator[Row]:
    recipe = source.recipe
    if recipe["sealed"]:
        yield _row(
            "gold",
            "Gold and practice questions are sealed, and no key was entered. The study has no gold questions in its "
            "HITs until you import gold questions and set “Questions per gold question” again.",
        )
    for part in source.missing:
        yield _row(part, "An earlier version of Accord did not release this part, so it has its default.")
    if unknown := sorted({*RECIPE_SETTINGS} - recipe["settings"].keys()):
        names = ", ".join(str(setting_field(name).verbose_name) for name in unknown)
        yield _row("settings", f"The release does not contain these settings, so they have their defaults: {names}.")
    if not recipe["design"]:
        yield _row("design report", "The release contains no design report, so only its numbers are shown.")
    if found := list(_with_placeholder(source)):
        yield _row("contact data in texts", f"Replace “{PLACEHOLDER}” in these texts: {', '.join(found)}.")


def _with_placeholder(source: Source) -> Iterator[str]:
    recipe = source.recipe
    for name in TEXTS:
        if PLACEHOLDER in str(recipe["settings"].get(name, "")):
            yield str(setting_field(name).verbose_name)
    for name in ("consent", "questionnaires", "options"):
        if PLACEHOLDER in str(recipe[name]):
            yield name


def _changed(source: Source, study: Study, changes: Changes) -> Iterator[Row]:
    recipe = source.recipe
    for name in sorted(changes.changed | changes.wanted):
        yield _row(name, _reason(name, changes), recipe["settings"].get(name), getattr(study, name))
    if changes.changed & REBUILDS:
        yield _row("HITs", "The same questions were divided into HITs again, because the HITs have a different size.")
    if deals_again(recipe, changes.changed):
        yield _row("gold sets", "The same gold questions were assigned to the HITs again.")
    if "judgements" in changes.changed:
        usual = int(recipe["settings"]["judgements"])
        if other := sum(hit["slots"] != usual for hit in recipe["hits"]):
            yield _row("judgements", f"{with_noun(other, 'HIT')} kept a different number of judgements.")
    if source.later_hits:
        yield _row(
            "later HITs",
            f"{with_noun(source.later_hits, 'HIT')} with skipped or replaced questions followed from people’s answers.",
        )


def _reason(name: str, changes: Changes) -> str:
    if name in changes.wanted:
        return "Changed as requested."
    if name == "gold_block":
        return "The gold questions are sealed."
    return "The currency was changed, so amounts start at 0." if name in AMOUNTS else "Follows from other settings."


def _of_installation(source: Source, study: Study) -> Iterator[Row]:
    """Yield what releases never contain."""
    yield _row("annotators", "Annotators, members and their answers are never repeated.")
    yield _row("links", "The repeat has its own links.")
    yield _row("contact", "Enter your own contact." if not study.contact else "Check the contact for annotators.")
    if source.has_protocol:
        yield _row("ethics protocol", "The approval is for the original. Enter your own protocol number.")
    yield _row(
        "dates and linked studies",
        "Deadlines, their time zone, excluded studies and admitted studies are not repeated.",
    )
    yield _row("budget", "The budget and the hourly wages are not in a release.")
    if study.recruitment == Study.Recruitment.PROLIFIC:
        yield _row("Prolific", "Create the study on Prolific again, and enter its ID.")
    if study.recruitment == Study.Recruitment.PANEL:
        yield _row("panel", "Enter the return address and the completion code of your own panel.")
    if study.admission == Study.Admission.NAMED:
        yield _row("named annotators", "Only named annotators can join. Add their names.")
