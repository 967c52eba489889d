"""The registry of installed task types."""

from __future__ import annotations

from .tasktype import TaskType

_registry: dict[str, TaskType] = {}


def register(task_type: TaskType) -> None:
    """Register a task type under its slug. Raise `ValueError` if another class has the same slug."""
    registered = _registry.get(task_type.slug)
    if registered is not None and type(registered) is not type(task_type):
        raise ValueError(f"Two task types have the slug {task_type.slug!r}: {type(registered)} and {type(task_type)}.")
    _registry[task_type.slug] = task_type


def get(slug: str) -> TaskType:
    """Return the task type with this slug. Raise `LookupError` if the task type is not installed."""
    try:
        return _registry[slug]
    except KeyError:
        installed_slugs = ", ".join(sorted(_registry)) or "none"
        raise LookupError(f"There is no task type {slug!r}. Installed task types: {installed_slugs}.") from None


def styles_of(slug: str) -> str:
    """Return a task type's style sheet: the static file with the same folder and name as the task type's module."""
    return get(slug).module.removesuffix(".js") + ".css"


def installed() -> list[TaskType]:
    """Return all installed task types, sorted by slug."""
    return [_registry[slug] for slug in sorted(_registry)]
