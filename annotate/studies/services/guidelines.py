"""Versions of a study's guidelines, which are the instructions and worked examples for annotators."""

from __future__ import annotations

from annotate.core.services.locks import locked_participation
from annotate.core.services.writing import write
from annotate.models import Guidelines, ParticipationKey, Study


def store_version(study: Study, before: tuple[str, str]) -> None:
    """Store a new version if the texts of an opened study have changed. The caller saves the locked study.

    `before` contains the earlier instructions and examples. At the first change, these earlier texts become version 1.
    """
    if study.is_draft or before == (study.instructions, study.examples):
        return
    if not study.guidelines.exists():
        Guidelines.objects.create(
            study=study, version=study.guidelines_version, instructions=before[0], examples=before[1]
        )
    study.guidelines_version += 1
    Guidelines.objects.create(
        study=study,
        version=study.guidelines_version,
        instructions=study.instructions,
        examples=study.examples,
    )


def mark_read(participation_id: ParticipationKey, version: int) -> int:
    """Record that the annotator has read this version of the guidelines. Return the latest version of the guidelines
    that the annotator has read.
    """
    with write():
        participation = locked_participation(participation_id)
        read = min(version, participation.study.guidelines_version)
        if read > participation.guidelines_read:
            participation.guidelines_read = read
            participation.save(update_fields=["guidelines_read"])
        return participation.guidelines_read
