"""The database table with the answers that only the authors of a study can give."""

from __future__ import annotations

from django.db import models

from annotate.models import Study


class AuthorAnswers(models.Model):
    """The authors' answers to the questions in `reporting/questions.py`. A study without answers has no row."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="author_answers")
    answers = models.JSONField(default=dict, blank=True, help_text="The answers by the names of their questions.")

    def __str__(self) -> str:
        return f"{len(self.answers)} answers about {self.study}"
