"""The entry of releases in a study's navigation."""

from __future__ import annotations

from annotate.toolkit import Panel, Study

from .release import release


def panels(study: Study) -> list[Panel]:
    return [Panel("release", "Release", release, place="results", guide="cli#accord-release")]
