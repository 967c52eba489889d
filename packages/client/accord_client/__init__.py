"""Python client for the API of Accord.

`Accord` and its asynchronous variant `AsyncAccord` create studies, import files, annotate as a program, and download
results. `operations` has a function for each operation of the API, and `models` the types of their JSON.
"""

from .client import Accord, AsyncAccord
from .errors import AccordError
from .generated import models, operations
from .operation import Listing, Operation
from .programs import Annotated, Skip
from .study import AsyncStudy, Study

__all__ = [
    "Accord",
    "AccordError",
    "Annotated",
    "AsyncAccord",
    "AsyncStudy",
    "Listing",
    "Operation",
    "Skip",
    "Study",
    "models",
    "operations",
]
