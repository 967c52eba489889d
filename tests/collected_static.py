"""The static files of production installations, collected once for all tests of a run of `script/test`."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

# The run's folder. Without it, each installation collects its own static files, which takes five seconds.
RUN_FOLDER = os.environ.get("TEST_RUN_FOLDER", "")


def static_folder(own: Path) -> Path:
    """Return the folder of the static files: the run's folder, or else the installation's own."""
    return Path(RUN_FOLDER) / "static" if RUN_FOLDER else own


def collect_static(manage: Callable[..., str]) -> None:
    """Collect the static files with `manage.py`, unless another test of this run has collected them."""
    command = ("collectstatic", "--no-input", "--verbosity", "0")
    if not RUN_FOLDER:
        manage(*command)
        return
    with (Path(RUN_FOLDER) / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (Path(RUN_FOLDER) / "static" / "staticfiles.json").exists():  # the last file that the command writes
            manage(*command)
