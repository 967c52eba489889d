"""The applications of task types from other packages."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import NoReturn

from .environment import EXIT_STATUS, SettingError, env

ENTRY_POINTS = "accord.tasktypes"


def task_type_applications() -> list[str]:
    """Return the dotted paths of the applications of installed packages, and of the packages in `ACCORD_TASK_TYPES`.

    A package names its application in the entry-point group `accord.tasktypes`, for example as
    `fluency = "accord_fluency.apps:FluencyConfig"`.
    """
    applications = []
    for entry_point in sorted(entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
        package = entry_point.dist.name if entry_point.dist else entry_point.name
        if not entry_point.attr or not _exists(entry_point.module):
            _refuse(package, entry_point.value)
        applications.append(f"{entry_point.module}.{entry_point.attr}")
    return list(dict.fromkeys([*applications, *env.apps("ACCORD_TASK_TYPES")]))


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _refuse(package: str, value: str) -> NoReturn:
    sys.stderr.write(
        f"accord: the installed package {package} has no application {value}, although its entry point in "
        f"{ENTRY_POINTS} names it. Install another version of the package, or uninstall it.\n"
    )
    raise SettingError(EXIT_STATUS)
