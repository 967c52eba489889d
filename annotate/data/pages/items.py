"""The items page, which shows a study's items and the form for importing more."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.core.selectors.sizes import items_imported
from annotate.data.selectors.additions import items_to_add, removable_files
from annotate.data.selectors.design import columns_of, item_rows, items_of
from annotate.models import Study
from annotate.tasktypes import extensions
from annotate.web.forms import UploadForm
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate

from .uploads import limits

PAGE = 50


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
    contents, metadata = columns_of(shown)
    context = {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "page": page,
        "rows": shown,
        "q": query,
        "query": f"{urlencode({'q': query})}&" if query else "",
        "contents": contents,
        "metadata": metadata,
        "form": UploadForm(),
        "purpose": "items",
        "any": bool(query) or page.paginator.count > 0,
        "job": study.jobs.filter(kind__in=["import-items", "copy"]).order_by("-pk").first(),
        "items_to_add": items_to_add(study),
        "adding": [panel for panel in extensions.task_panels(study) if panel.adds_items],
        "removable": removable_files(study),
        "files": study.uploads.imported().filter(purpose="items").defer("content").order_by("-pk"),
    }
    rows_only = request.headers.get("HX-Target") == "rows"
    return render(request, "data/items_rows.html" if rows_only else "data/items.html", context | limits(study))
