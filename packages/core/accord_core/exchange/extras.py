"""Imports of optional packages, which users install as extras.

The extras are declared in the `pyproject.toml` files of accord-core and accord-annotation. `EXTRAS` maps each package
to its extra.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

EXTRAS = {
    "charset_normalizer": "files",
    "openpyxl": "files",
    "pysbd": "pysbd",
    "reportlab": "pdf",
    "spacy": "spacy",
}


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
        distribution = "accord-annotation" if find_spec("annotate") else "accord-core"
        message = f"{feature} needs the extra ‘{extra}’: pip install '{distribution}[{extra}]'"
        raise MissingExtraError(message, name=package) from error
