"""A word-alignment study for tests, with the pairs of the example study, which are imported through the services."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from accord_core.pairs.numerics.link_network import shipped
from accord_core.pairs.numerics.prealign import Aligned
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import receive
from annotate.models import Study
from annotate.studies.services.study import create_study, open_study
from tests.factories import UserFactory

EXAMPLE = Path(__file__).parents[1] / "examples" / "alignment"


def rows(name: str) -> list[dict[str, str]]:
    with (EXAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def truth() -> dict[str, Any]:
    return {row["id"]: row["alignment"] for row in rows("truth.csv")}


def word_study(
    *, opened: bool = True, gold: bool = True, options: dict[str, Any] | None = None, **settings: Any
) -> Study:
    """Create a study with the pairs of the example, two judgements per pair by default, and three pairs per HIT."""
    user = UserFactory()
    if not gold:
        settings = {"gold_block": 0, "rule_threshold": 0} | settings
    study = create_study(
        user=user,
        title="Alignment",
        task_type="words",
        options=options,
        **{"questions_per_hit": 3, "gold_block": 3, "seed": 1, "practice": False, "rule_threshold": 0} | settings,
    )
    for purpose in ("items", "gold") if gold else ("items",):
        bring(study, purpose, (EXAMPLE / f"{purpose}.csv").read_bytes(), f"{purpose}.csv")
    build_design(study.pk, user=user)
    return open_study(study.pk, user=user) if opened else Study.objects.get(pk=study.pk)


def bring(study: Study, purpose: str, data: bytes, name: str) -> int:
    upload = receive(study, purpose=purpose, filename=name, data=data, user=SYSTEM)
    return import_upload(upload.pk, user=SYSTEM)


def collected(*, annotators: int = 3, careless: float = 0.0, hits: int | None = None, **settings: Any) -> Study:
    """Create the same study with simulated answers."""
    study = word_study(**settings)
    simulate(study, user=SYSTEM, annotators=annotators, careless=careless, seed=3, hits=hits, truth=truth())
    return study


def replace_aligner(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Replace the built-in aligner, which takes seconds, by an aligner that links only the first words of each pair.
    Return a list that receives the finished alignments of each call.
    """
    calls: list[Any] = []

    def align(pairs: Any, *, finished: Any, network: Any, progress: Any) -> Aligned:
        calls.append([(pairs[place], alignment) for place, alignment in finished.items()])
        return Aligned([frozenset({(0, 0)})] * len(pairs), [{(0, 0): 0.9}] * len(pairs), network or shipped())

    monkeypatch.setattr("alignment_ui.words.suggesting.align", align)
    return calls
