"""The systems in an example study."""

from __future__ import annotations

import tomllib
from pathlib import Path

from annotate.toolkit import Study, User
from evaluation.services.systems import submit_system


def score_systems(study: Study, user: User, folder: Path) -> None:
    """Submit the systems in the example's folder `systems`, with the descriptions in `systems.toml`. Jobs score the
    systems once the server is running.
    """
    files = sorted((folder / "systems").glob("*"))
    descriptions = tomllib.loads((folder / "systems.toml").read_text(encoding="utf-8")) if files else {}
    for file in files:
        submit_system(
            study,
            system=file.stem.replace("-", " ").capitalize(),
            description=descriptions[file.name],
            filename=file.name,
            data=file.read_bytes(),
            user=user,
        )
