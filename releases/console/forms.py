"""The forms on the release page: the description of a release, and the train, dev and test splits of its items."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from annotate.toolkit import ConsoleForm, Study
from evaluation.models import SplitSettings
from evaluation.selectors.splits import split_settings
from releases.contents.folder import About
from releases.contents.seal import OPEN, SEALED, new_key

SPLIT_FIELDS = ("train", "dev", "test", "seed", "stratify", "test_only")


class ReleaseForm(ConsoleForm):
    recommended = ("creators", "url")

    version = forms.CharField(max_length=40, initial="1.0", label="Version")
    licence = forms.CharField(
        max_length=200, initial="CC-BY-4.0", label="Licence", help_text="SPDX identifier or URL of the licence."
    )
    creators = forms.CharField(
        max_length=1_000,
        required=False,
        label="Authors",
        help_text="Separate names with semicolons.",
    )
    citation = forms.CharField(max_length=2_000, required=False, label="Citation")
    url = forms.URLField(max_length=500, required=False, label="URL of the release", assume_scheme="https")
    gold = forms.ChoiceField(
        label="Gold questions",
        choices=[(SEALED, "sealed: only people with the key can read them"), (OPEN, "open")],
    )
    key = forms.CharField(
        max_length=44,
        label="Key to the gold questions",
        help_text="Copy the key now. Accord does not store it.",
        widget=forms.TextInput(attrs={"readonly": True, "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, has_gold: bool = True, **kwargs: Any) -> None:
        """Without `has_gold`, there is nothing to seal, so the form does not offer sealing. Each form shows a new
        key."""
        super().__init__(*args, **kwargs)
        if has_gold:
            self.fields["key"].initial = new_key()
        else:
            del self.fields["gold"], self.fields["key"]
        self._dress()

    def about(self) -> About:
        cleaned = self.cleaned_data
        return About(
            version=cleaned["version"],
            licence=cleaned["licence"],
            published=timezone.now().date(),
            creators=cleaned["creators"],
            citation=cleaned["citation"],
            url=cleaned["url"],
            gold=cleaned.get("gold") or SEALED,
        )


class SplitForm(ConsoleForm):
    """The split percentages, the seed, the metadata columns, and the split on which systems are scored."""

    train = forms.IntegerField(min_value=0, max_value=100, label="Train (%)")
    dev = forms.IntegerField(min_value=0, max_value=100, label="Dev (%)")
    test = forms.IntegerField(min_value=0, max_value=100, label="Test (%)")
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, label="Seed", help_text="Another seed assigns different items to the parts."
    )
    stratify = forms.CharField(
        max_length=200,
        required=False,
        label="Metadata columns with equal proportions",
        help_text="Names of metadata columns, separated by commas, such as source.",
    )
    test_only = forms.BooleanField(
        required=False,
        label="Score systems only on the test part",
        help_text="Rescore systems after you change this setting.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dress()


def stored_split_form(study: Study) -> tuple[SplitForm, SplitSettings | None]:
    """Return the form with the stored settings or the default settings, and the stored settings, if any."""
    settings = split_settings(study)
    shown = settings or SplitSettings()
    return SplitForm(initial={name: getattr(shown, name) for name in SPLIT_FIELDS}, prefix="split"), settings
