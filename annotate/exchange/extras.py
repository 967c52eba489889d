"""Imports of optional packages, which users install as extras of Accord.

`pyproject.toml` declares the extras under `[project.optional-dependencies]`. `EXTRAS` maps each package that Accord
imports to its extra.
"""

from importlib import import_module
from typing import Any

DISTRIBUTION = "accord-annotation"
EXTRAS = {"pysbd": "pysbd", "reportlab": "pdf", "spacy": "spacy"}


class MissingExtraError(ImportError):
    """Error raised if a feature needs an extra that is not installed. The message contains the `pip` command that
    installs the extra.
    """


def import_extra(module: str, feature: str) -> Any:
    """Import an optional module, such as `spacy`, and return it.

    `feature` is the singular subject of the error message, such as “Sentence splitting”. Raises MissingExtraError if
    the package is not installed, and KeyError if no extra contains the package. Errors inside an installed package are
    raised unchanged.
    """
    package = module.partition(".")[0]
    extra = EXTRAS[package]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        message = f"{feature} needs the extra ‘{extra}’: pip install '{DISTRIBUTION}[{extra}]'"
        raise MissingExtraError(message, name=package) from error
