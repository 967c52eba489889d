"""The versions of the software that calculates results."""

import platform
from importlib.metadata import version


def versions() -> dict[str, str]:
    """Return the versions of all software that can affect the digits in the results."""
    names = {"accord": "accord-annotation", "numpy": "numpy", "scipy": "scipy"}
    return {"python": platform.python_version()} | {name: version(package) for name, package in names.items()}
