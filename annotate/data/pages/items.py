"""The items page, which shows the items of a study, and the page with all ways to add data."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.sizes import items_imported
from annotate.data.readings import readings
from annotate.data.selectors.additions import items_to_add, removable_files
from annotate.data.selectors.design import columns_of, item_rows, items_of, items_summary
from annotate.data.services.imports import renamed_columns
from annotate.data.services.removal import can_undo_removal
from annotate.data.services.uploads import is_large, preview
from annotate.models import Study
from annotate.tasktypes import extensions
from annotate.web.forms import UploadForm
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate

from .uploads import limits

PAGE = 25


@study_page()
@require_safe
def items(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the items that match the search text in the parameter `q`. The response to an htmx search contains only the
    rows.
    """
    query = request.GET.get("q", "").strip()
    rows = items_of(study, query)
    size = rows.count() if query else items_imported(study)
    page = paginate(rows, PAGE, size).get_page(request.GET.get("page"))
    shown = item_rows(study, page.object_list)
    contents, metadata = columns_of(shown, tasktypes.get(study.task_type).filled_in)
    context = {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "page": page,
        "rows": shown,
        "q": query,
        "query": f"{urlencode({'q': query})}&" if query else "",
        "contents": contents,
        "metadata": metadata,
        "headings": _headings(study),
        "any": bool(query) or page.paginator.count > 0,
        "summary": items_summary(study),
        "job": study.jobs.filter(kind__in=["import-items", "copy"]).order_by("-pk").first(),
        "items_to_add": items_to_add(study),
        "removable": removable_files(study),
        "removal_can_be_undone": can_undo_removal(study),
        "files": study.uploads.imported().filter(purpose="items").defer("content").order_by("-pk"),
    }
    rows_only = request.headers.get("HX-Target") == "rows"
    if rows_only:
        return render(request, "data/items_rows.html", context)
    context["readings"] = _readings(study) if context["removal_can_be_undone"] else {}
    return render(request, "data/items.html", context | adding_context(request, study))


def _headings(study: Study) -> dict[str, str]:
    """Return the names that columns have in the study's only file, by the names under which Accord reads them."""
    files = list(study.uploads.imported().filter(purpose="items")[:2])
    return renamed_columns(files[0]) if len(files) == 1 else {}


def _readings(study: Study) -> dict[str, str]:
    """Return the choice between single texts and pairs for the only file of a draft, if there is a choice."""
    files = list(study.uploads.imported().filter(purpose="items")[:2])
    if len(files) != 1 or is_large(files[0]):
        return {}
    return readings(preview(files[0]), tasktypes.get(study.task_type))


@study_page(Action.IMPORT_FILES)
@require_safe
def add_data(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the form for a file of items, and all other ways to add data to the study."""
    return render(request, "data/add_data.html", adding_context(request, study))


def adding_context(request: ConsoleRequest, study: Study) -> dict[str, Any]:
    """Return the template context for adding a file of items, with one row for each other way to add data."""
    panels = [panel for panel in extensions.task_panels(study) if panel.adds_data]
    ways = [way for way in extensions.ways() if way.brings and request.console.may[way.action] and way.offered(study)]
    others = [(panel.title, panel.text, f"x/{panel.slug}/") for panel in panels]
    results = [(way.brings, "The answers of its workers.", way.path) for way in ways if not study.is_draft]
    return {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "form": UploadForm(),
        "purpose": "items",
        "ways": [*others, *results],
        **limits(),
    }
