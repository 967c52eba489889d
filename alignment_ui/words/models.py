"""Database models for the phrase review: random phrase pairs and reviewers' verdicts (Cohn et al., 2008, §4)."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SampledPhrase(models.Model):
    """An atomic phrase pair from a question's final alignment, stored when the sample was drawn. All phrase pairs in a
    sample have the same `links` and `subcorpus`.
    """

    class Links(models.TextChoices):
        ALL = "all", "all links"
        SURE = "sure", "sure links"

    study = models.ForeignKey("annotate.Study", on_delete=models.PROTECT, related_name="sampled_phrases")
    sample = models.PositiveSmallIntegerField(help_text="The number of the sample in the study, starting at 1.")
    place = models.PositiveIntegerField(help_text="The position of the phrase pair in the sample, starting at 1.")
    links = models.CharField(
        max_length=4, choices=Links, default=Links.ALL, help_text="The phrase pairs are derived from these links."
    )
    subcorpus = models.CharField(
        max_length=200,
        blank=True,
        help_text="The subcorpus from which the sample was drawn. This field is empty if the sample was drawn from "
        "all subcorpora.",
    )
    question = models.ForeignKey("annotate.Question", on_delete=models.PROTECT, related_name="+")
    source_start = models.PositiveSmallIntegerField()
    source_end = models.PositiveSmallIntegerField()
    target_start = models.PositiveSmallIntegerField()
    target_end = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "sample", "place"], name="sampled_phrase_place")]

    def __str__(self) -> str:
        return f"{self.question} {self.source_start}–{self.source_end} {self.target_start}–{self.target_end}"


class PhraseVerdict(models.Model):
    """A reviewer's verdict on a sampled phrase pair. Reviewers can change their verdicts, and only the latest verdict
    is stored.
    """

    class Verdict(models.TextChoices):
        CORRECT = "correct"
        INCORRECT = "incorrect"
        UNCERTAIN = "uncertain"

    phrase = models.ForeignKey(SampledPhrase, on_delete=models.CASCADE, related_name="verdicts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=9, choices=Verdict)
    given_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["phrase", "user"], name="phrase_verdict_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.verdict}"
