"""Best–worst designs that all processes of a test run share."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def drawn_once(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that draws the design for some arguments once per run of `script/test`, and otherwise reads the
    file of another process.
    """
    run = os.environ.get("TEST_RUN_FOLDER")
    if not run:
        return draw
    folder = Path(run).parent / "designs"
    folder.mkdir(exist_ok=True)

    def drawn(*arguments: Any, **options: Any) -> Any:
        name = hashlib.sha256(f"{arguments} {sorted(options.items())}".encode()).hexdigest()
        file = folder / f"{name}.npy"
        if not file.exists():
            part = folder / f"{name}.{os.getpid()}.npy"
            np.save(part, draw(*arguments, **options))
            part.rename(file)
        return np.load(file)

    return drawn
