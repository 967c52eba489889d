"""Rooms that can be removed, as the tests of the whole site see them.

Some tests need an entry for every page, operation or service of the site. `tests/ROOM/tables.py` adds the entries of a
room that can be removed, so that these tests also hold without the room.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from annotate.models import Study, User

TABLES = [
    import_module(f"tests.{file.parent.name}.tables") for file in sorted(Path(__file__).parent.glob("*/tables.py"))
]


def rows(name: str) -> list[Any]:
    """Return the entries of all rooms in the list with this name."""
    return [row for table in TABLES for row in getattr(table, name, ())]


def entries(name: str) -> dict[Any, Any]:
    """Return the entries of all rooms in the dictionary with this name."""
    return {key: value for table in TABLES for key, value in getattr(table, name, {}).items()}


def objects(study: Study, user: User) -> dict[str, Any]:
    """Create one object of each kind that the pages of these rooms show, and return the objects by their names in
    URLs.
    """
    return {name: created for table in TABLES for name, created in table.objects(study, user).items()}


def ids(created: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of URLs that name these objects."""
    return {name: each.number if name in rows("NUMBERED") else each.public_id for name, each in created.items()}


def paths(created: dict[str, Any]) -> dict[str, str]:
    """Return the parts of paths in the lists of operations that stand for an object, with the paths of the objects."""
    names = ids(created)
    return {place: f"{place.rsplit('/', 1)[0]}/{names[name]}" for place, name in entries("PLACES").items()}
