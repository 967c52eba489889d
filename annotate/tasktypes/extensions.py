"""Extensions: pages, API operations and jobs that a room of `annotate` or another application adds to studies of every
task type. Rooms register in their module `room`. Applications register when Django starts:

    class EvaluationConfig(AppConfig):
        def ready(self) -> None:
            from annotate.tasktypes.extensions import Extension, Work, register
            from annotate.core.permissions import Action

            jobs = {"score-system": Work(score, Action.REVIEW)}
            register("evaluation", Extension(panels=panels, console_urls="evaluation.console.urls", jobs=jobs))

Task types have their own registry (`annotate.tasktypes`). No module of `annotate` imports these applications.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from annotate import tasktypes
from annotate.tasktypes import Explanation, Export, Panel, Progress, TaskType

if TYPE_CHECKING:
    from pathlib import Path

    from django.http import HttpRequest

    from annotate.core.permissions import Action
    from annotate.models import Job, Report, Study, User

# The events that the core announces.
HIT_SUBMITTED = "hit.submitted"
ANNOTATOR_STOPPED = "annotator.stopped"


@dataclass(frozen=True)
class Work:
    """A kind of job, with the function that runs it and the action that the requester's role must allow.

    `is_long` jobs can run for minutes, such as imports. They have a queue of their own, so that other jobs never wait
    for them. `title` is the name of the job on pages, and `page` the path below `<study>/` of the page with its result.
    """

    run: Callable[[Job, Progress], Report | None]
    action: Action
    is_long: bool = False
    title: str = ""
    page: str = ""


def _none(study: Study) -> int:
    return 0


def _always(study: Study) -> bool:
    return True


def _unused(study: Study) -> str:
    return ""


@dataclass(frozen=True)
class Tab:
    """A tab of a place of a study (`overview`, `data`, `people`, `review`, `results` or `settings`).

    The tab leads to `paths[0]`, and pages below any of the paths belong to it. Paths are below `<study>/`. The user's
    role must allow the action. `work` counts only what researchers still have to do there.
    """

    place: str
    label: str
    paths: tuple[str, ...]
    action: Action
    work: Callable[[Study], int] = _none


@dataclass(frozen=True)
class Way:
    """A way to reach annotators or to ask them, offered on the page Recruit. `path` is below `<study>/`, and the user's
    role must allow the action. `use` says how the study uses it, such as “12 people”, or is empty. `offered` states
    whether the page of this study offers it. `brings` names the data that its page imports, for *Add data*. If its
    annotators are `compared` with people, the page Systems links to it.
    """

    title: str
    text: str
    path: str
    action: Action
    use: Callable[[Study], str] = _unused
    offered: Callable[[Study], bool] = _always
    compared: bool = False
    brings: str = ""


@dataclass(frozen=True)
class Start:
    """Another way to create a study, offered on the page *Create a study*. `url` is the name of its page."""

    title: str
    url: str


@dataclass(frozen=True)
class LiveFile:
    """A file in the format of another program on the page Files, written by a page of the extension from the current
    data of the study. `path` is below `<study>/`. `size` returns the size in bytes, or None if it is not known, and
    whether it is an estimate.
    """

    filename: str
    description: str
    note: str
    path: str
    size: Callable[[Study], tuple[int | None, bool]]


@dataclass(frozen=True)
class Predicted:
    """A predicted figure, as a number and as text, and its prediction interval as text."""

    value: float
    text: str
    interval: str


@dataclass(frozen=True)
class Forecast:
    """The predicted main figure for each number of judgements per question, empty before the prediction. `note` is HTML
    about the assumptions.
    """

    label: str
    figures: Mapping[int, Predicted]
    note: str


@dataclass(frozen=True)
class ErrorCode:
    """An error code of the API, with its meaning and the HTTP statuses of its responses."""

    code: str
    statuses: tuple[int, ...]
    meaning: str


@dataclass(frozen=True)
class Extension:
    """The pages, API operations, jobs and listeners added to studies by a room or an application.

    `panels` returns the panels of a study. Each panel has an entry in the navigation and a page at `<study>/x/<slug>/`.
    `console_urls` names a module with further URLs below `<study>/`, `api_urls` a module with API operations below
    `/api/v1/studies/<study>/`, and `site_urls` a module with URLs outside the console. `jobs` maps each kind of job to
    its function and the required action. The kind is the part before the colon, as in `score-system:3`. `demonstrate`
    adds the work of researchers to an example study, from files in the folder of the example.

    `exports` returns files that are added to the downloads of studies of a task type. `schemas` loads the JSON Schemas
    of other files by name. `live_files` returns further
    files of a study on the page Files. `announce` receives each event of a study, such as a submission, in the
    transaction of the event. Its last argument returns the data of the event. `after_report` receives each job that has
    calculated a report. `refresh` receives each open study every few minutes.

    `overview` returns HTML for the overview of a study, or an empty string. Its arguments are the study with its
    progress, its hours and its expected end. `plan_panel` returns HTML for Set up, such as a prediction, or an empty
    string, and `forecast` the predictions for Add judgements. Their arguments are the request and the study.
    `tabs` returns tabs in the navigation of a study, `further` pages that only links and Ctrl K lead to, `ways` are
    ways to reach its annotators, and `starts` other ways to create a study. `guides` maps the name of each page to its
    guide, and `explanations` the name of each figure on pages to its explanation. `path_parameters` describes the
    parameters in paths of API operations, and `error_codes` their errors.
    `copy_settings` copies the extension's settings from a study to its copy, in the transaction that creates the copy.
    `delete_draft` deletes the extension's rows of a draft, in the transaction that deletes the draft.
    """

    panels: Callable[[Study], Sequence[Panel]] = lambda study: ()
    console_urls: str = ""
    api_urls: str = ""
    site_urls: str = ""
    jobs: Mapping[str, Work] = field(default_factory=dict)
    demonstrate: Callable[[Study, User, Path], None] = lambda study, user, folder: None
    exports: Callable[[TaskType], Sequence[Export]] = lambda task: ()
    schemas: Mapping[str, Callable[[], Mapping[str, Any]]] = field(default_factory=dict)
    live_files: Callable[[Study], Sequence[LiveFile]] = lambda study: ()
    announce: Callable[[Study, str, Callable[[], Mapping[str, Any]]], None] = lambda study, kind, data: None
    after_report: Callable[[Job], None] = lambda job: None
    refresh: Callable[[Study], None] = lambda study: None
    overview: Callable[[Study, Any, Sequence[Any], Any], str] = lambda study, progress, worked, finish: ""
    plan_panel: Callable[[HttpRequest, Study], str] = lambda request, study: ""
    forecast: Callable[[HttpRequest, Study], Forecast | None] = lambda request, study: None
    tabs: Callable[[Study], Sequence[Tab]] = lambda study: ()
    further: Callable[[Study], Sequence[Tab]] = lambda study: ()
    ways: Sequence[Way] = ()
    starts: Sequence[Start] = ()
    guides: Mapping[str, str] = field(default_factory=dict)
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    path_parameters: Mapping[str, str] = field(default_factory=dict)
    error_codes: Sequence[ErrorCode] = ()
    copy_settings: Callable[[Study, Study], None] = lambda source, copy: None
    delete_draft: Callable[[Study], None] = lambda study: None


_registry: dict[str, Extension] = {}


def register(name: str, extension: Extension) -> None:
    """Register an application's extension. If the same application is registered again, the new extension replaces the
    previous one.
    """
    _registry[name] = extension


def registered() -> list[Extension]:
    """Return all extensions in the order of their registration."""
    return list(_registry.values())


def panels(study: Study) -> list[Panel]:
    """Return the panels that applications add to this study."""
    return [panel for extension in registered() for panel in extension.panels(study)]


def overview_parts(study: Study, progress: Any, worked: Sequence[Any], finish: Any) -> list[str]:
    """Return the parts that applications add to the overview of this study, as HTML."""
    parts = (extension.overview(study, progress, worked, finish) for extension in registered())
    return [part for part in parts if part]


def plan_panels(request: HttpRequest, study: Study) -> list[str]:
    """Return the panels for Set up, as HTML."""
    return [html for extension in registered() if (html := extension.plan_panel(request, study))]


def forecast(request: HttpRequest, study: Study) -> Forecast | None:
    """Return the predictions for further judgements, or None if no application predicts this study."""
    return next((each for extension in registered() if (each := extension.forecast(request, study))), None)


def further(study: Study) -> list[Tab]:
    """Return the pages that applications add without a tab."""
    return [page for extension in registered() for page in extension.further(study)]


def tabs(study: Study) -> list[Tab]:
    """Return the tabs that rooms and applications add to the navigation of this study."""
    return [tab for extension in registered() for tab in extension.tabs(study)]


def ways() -> list[Way]:
    """Return all ways to reach annotators."""
    return [way for extension in registered() for way in extension.ways]


def starts() -> list[Start]:
    """Return the other ways to create a study."""
    return [start for extension in registered() for start in extension.starts]


def explanations() -> dict[str, Explanation]:
    """Return the explanations of all figures that applications add to pages."""
    return {name: text for extension in registered() for name, text in extension.explanations.items()}


def guide(page: str) -> str:
    """Return the guide to a page added by an application, or an empty string."""
    return next((extension.guides[page] for extension in registered() if page in extension.guides), "")


def task_panels(study: Study) -> list[Panel]:
    """Return the panels that the study's task type adds in the current state of the study."""
    panels_of_type = tasktypes.get(study.task_type).panels
    return [panel for panel in panels_of_type if study.is_draft or not panel.only_in_draft]


def work_of(kind: str) -> Work | None:
    """Return the function and the required action for jobs of this kind, or None if the kind is not registered."""
    return next((extension.jobs[kind] for extension in registered() if kind in extension.jobs), None)


def exports(task: TaskType) -> list[Export]:
    """Return the files that are added to the downloads of studies of this task type."""
    return [export for extension in registered() for export in extension.exports(task)]


def schemas() -> dict[str, Callable[[], Mapping[str, Any]]]:
    """Return the functions that load the JSON Schemas of other files, by name."""
    return {name: load for extension in registered() for name, load in extension.schemas.items()}


def live_files(study: Study) -> list[LiveFile]:
    """Return the files that applications add to the page Files of this study."""
    return [file for extension in registered() for file in extension.live_files(study)]


def announce(study: Study, kind: str, data: Callable[[], Mapping[str, Any]]) -> None:
    """Pass an event of a study to everything that listens. The caller must be in the transaction of the event. `data`
    is called only by listeners that need the data, because it can need queries.
    """
    for extension in registered():
        extension.announce(study, kind, data)


def copy_settings(source: Study, copy: Study) -> None:
    """Copy what applications store with a study's settings. The caller must be in the transaction that creates the
    copy.
    """
    for extension in registered():
        extension.copy_settings(source, copy)


def delete_draft(study: Study) -> None:
    """Delete what applications store for this draft. The caller must be in the transaction that deletes the draft."""
    for extension in registered():
        extension.delete_draft(study)


def after_report(job: Job) -> None:
    """Start the work of extensions that follows the calculation of this job's report."""
    for extension in registered():
        extension.after_report(job)


def refresh(study: Study) -> None:
    """Update everything that depends on the answers in this open study."""
    for extension in registered():
        extension.refresh(study)
