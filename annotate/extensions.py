"""What an application that is no task type adds to every study, whatever its type.

    class EvaluationConfig(AppConfig):
        def ready(self) -> None:
            from annotate.extensions import Extension, register

            register("evaluation", Extension(panels=panels, console_urls="evaluation.console.urls", jobs={…}))

Task types register themselves apart (`annotate.tasktypes`). Nothing in `annotate` names an application.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotate.tasktypes import Panel, Progress

if TYPE_CHECKING:
    from annotate.models import Job, Report, Study

    Work = Callable[[Job, Progress], Report | None]


@dataclass(frozen=True)
class Extension:
    """Pages and work of an application.

    `panels` gives those of a study: each has an entry in its navigation and a page, at `<study>/x/<slug>/`.
    `console_urls` names a module of URLs below `<study>/`, for further pages; `site_urls` one of pages outside of the
    console. `jobs` maps a kind to what does the work: of `score-system:3` the part before the colon is the kind.
    """

    panels: Callable[[Study], Sequence[Panel]] = lambda study: ()
    console_urls: str = ""
    site_urls: str = ""
    jobs: Mapping[str, Work] = field(default_factory=dict)


_registry: dict[str, Extension] = {}


def register(name: str, extension: Extension) -> None:
    """Make an application's extension known; registering it again replaces it."""
    _registry[name] = extension


def registered() -> list[Extension]:
    return [_registry[name] for name in sorted(_registry)]


def panels(study: Study) -> list[Panel]:
    """The panels that applications add to this study."""
    return [panel for extension in registered() for panel in extension.panels(study)]


def work_of(kind: str) -> Work | None:
    """What does jobs of this kind, if an application brought it."""
    return next((extension.jobs[kind] for extension in registered() if kind in extension.jobs), None)
