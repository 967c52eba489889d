"""The systems in an example study."""

from __future__ import annotations

from pathlib import Path

from annotate.console import Study, User
from evaluation.services.systems import submit_system


def score_systems(study: Study, user: User, folder: Path) -> None:
    """Submit the systems in the example's folder `systems`. Jobs score the systems once the server is running."""
    files = sorted((folder / "systems").glob("*"))
    for file in files:
        name = file.stem.replace("-", " ").capitalize()
        submit_system(study, system=name, filename=file.name, data=file.read_bytes(), user=user)
