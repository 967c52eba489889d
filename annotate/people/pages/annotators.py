"""The pages about annotators (/console/<study>/annotators/), and the actions that stop or restore an annotator."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import get_text_list
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.networks import stopped_on_same_network
from annotate.core.services import standing
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.core.services.jobs import request_job
from annotate.core.services.remarks import LONGEST
from annotate.integrity.selectors import FEWEST, integrity_signs
from annotate.messages import services as messages_services
from annotate.messages.pages import rows_of
from annotate.messages.selectors import received
from annotate.models import Annotator, NamedAnnotator, Participation, Study
from annotate.people import services as people_services
from annotate.people.pages.answers import answers_context
from annotate.people.selectors import annotators as selected
from annotate.people.selectors.annotators import AnnotatorRow, figures_of_type
from annotate.people.selectors.annotators import shown as figures_of
from annotate.people.selectors.annotators_file import annotators_csv
from annotate.people.services import remove_personal_data
from annotate.results.selectors.reports import people
from annotate.tasktypes import PersonFigure
from annotate.templatetags.figures import count, percent, with_noun
from annotate.web.attachments import attachment
from annotate.web.pages.access import ConsoleRequest, study_page

WINDOW = 10  # gold answers in the moving average of a line


@dataclass(frozen=True)
class Spark:
    """A small chart. `kind` is the type of chart. The text is for screen readers and for browsers without
    JavaScript.
    """

    kind: str
    text: str
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def json(self) -> str:
        return json.dumps(self.figures)


def interval(row: AnnotatorRow, threshold: float) -> Spark | None:
    """Return the gold accuracy with its 95% interval, on a scale from 0 to 1 that shows the pass mark."""
    if row.share is None or row.low is None or row.high is None:
        return None
    figures = {"share": row.share, "low": row.low, "high": row.high, "threshold": threshold}
    return Spark("interval", f"95% interval {percent(row.low)} to {percent(row.high)}", figures)


def gold_over_time(row: AnnotatorRow, threshold: float) -> Spark | None:
    """Return the accuracy over the last ten gold answers at each gold answer. If there are fewer than two gold answers,
    or if the quality rule also counts parts of answers, return None.
    """
    if len(row.gold) < 2 or row.in_parts:
        return None
    shares = [sum(row.gold[max(0, end - WINDOW) : end]) / min(end, WINDOW) for end in range(1, len(row.gold) + 1)]
    text = f"gold accuracy over time, now {percent(shares[-1])}"
    return Spark("line", text, {"shares": [round(share, 3) for share in shares], "threshold": threshold})


def places(row: AnnotatorRow) -> Spark | None:
    """Return bars for the annotator's `places`, with a line that marks equal use of all positions.

    The highest bar is marked if the annotator has a flag.
    """
    chosen = row.figures.get("places") or []
    if not sum(chosen):
        return None
    text = f"choices by place: {', '.join(count(number) for number in chosen)}"
    return Spark("bars", text, {"counts": chosen, "flagged": bool(row.flag)})


PAGE = 30
NAMED = 3  # annotators in the sentence that says who needs a look
HITS = 10  # of one annotator, unless the researcher asks for all HITs


@study_page()
@require_safe
def annotators(request: ConsoleRequest, study: Study) -> HttpResponse:
    figures = people(study)
    rows = selected.annotator_rows(study, figures)
    show, search, group = (request.GET.get(name, "") for name in ("show", "search", "group"))
    sort = request.GET.get("sort") or "look"
    matching = selected.chosen(rows, show=show, search=search, sort=sort, group=group, names=request.console.names)
    page = Paginator(matching, PAGE).get_page(request.GET.get("page"))
    shown = list(page)
    selected.add_evidence(study, shown)
    networks = stopped_on_same_network(study, [row.participation for row in shown])
    integrity = integrity_signs(study)
    for row in shown:
        row.same_network = networks.get(row.participation.pk, [])
        row.integrity = integrity.get(row.participation.pk)
    standings = Counter(row.participation.standing for row in rows)
    to_look_at = selected.chosen(rows, show=selected.LOOK, sort="look")
    objecting = [row for row in to_look_at if row.objection]
    pseudonyms = [row.participation.pseudonym for row in to_look_at[len(objecting) :]]
    look = [request.console.names.get(each, each) for each in pseudonyms]
    more_to_look = [f"{count(len(look) - NAMED)} more"] if len(look) > NAMED else []
    known = {name: word for name, word in selected.figures_known(rows).items() if name != "places"}
    with_gold = any(row.gold_given for row in rows)
    threshold = float(study.rule_threshold)
    invited = [] if page.has_next() else _invited(request, study, show=show, search=search, group=group)
    filters = urlencode({"show": show, "search": search, "group": group})
    context = {
        "study": study,
        "page": page,
        "rows": [(row, interval(row, threshold)) for row in shown],
        "invited": invited[:PAGE],
        "more_invited": len(invited[PAGE:]),
        "with_gold": with_gold,
        "columns_of_link": 1 + with_gold + sum(name in known for name in ("agreement", "median_seconds")),
        "objecting": objecting[0] if objecting else None,
        "more_objecting": len(objecting[1:]),
        "look": get_text_list([*look[:NAMED], *more_to_look], "and"),
        "look_number": len(look),
        "all": len(rows),
        "simulated": sum(row.participation.annotator.platform == Annotator.Platform.SIMULATED for row in rows),
        "filters": [
            ("", "All", len(rows) + len(_invited(request, study, show="", search="", group=""))),
            (selected.LOOK, "Needs a look", len(to_look_at)),
            *[
                (value, value.capitalize(), standings[value])
                for value in Participation.Standing.values
                if standings[value]
            ],
        ],
        "programs": study.participations.filter(annotator__is_program=True).count(),
        "figures": figures,
        "known": known,
        "figure_names": list(known.values()),
        "threshold": threshold,
        "measure": tasktypes.get(study.task_type).measures[study.rule_measure],
        "graded": any(row.share is not None for row in rows),
        "show": show,
        "search": search,
        "search_in": "Name or pseudonym" if request.console.names or invited else "Pseudonym or platform",
        "groups": list(study.groups.order_by("pk")),
        "group": group,
        "in_group": f"&{urlencode({'group': group})}" if group else "",
        "sort": sort,
        "kept": filters,
        "query": f"{filters}&{urlencode({'sort': sort})}&",
    }
    return render(request, "people/annotators.html", context)


def _invited(
    request: ConsoleRequest, study: Study, *, show: str, search: str, group: str
) -> list[tuple[NamedAnnotator, str]]:
    """Return the named annotators who have not joined yet, with their personal links, for roles that may name them."""
    if show or not request.console.may[Action.NAME_ANNOTATORS]:
        return []
    named = study.named_annotators.filter(participation=None, name__icontains=search).exclude(name="").order_by("pk")
    named = named.filter(group__public_id=group) if group else named
    return [(one, request.build_absolute_uri(PERSONAL_LINKS.path(one.public_id))) for one in named]


def _names(known: Mapping[str, str], of_type: Sequence[PersonFigure]) -> list[str]:
    """Return the names of the figures that come from the report."""
    return [*known.values(), *(figure.title.lower() for figure in of_type)]


@study_page()
@require_safe
def annotators_file(request: ConsoleRequest, study: Study) -> StreamingHttpResponse:
    return attachment(annotators_csv(study), "annotators.csv")


@study_page(Action.CALCULATE_REPORTS)
@require_POST
def calculate_indicators(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the calculation of the integrity indicators now, without waiting for the next report."""
    if study.activity_summaries:
        request_job(study, "integrity", user=request.user)
        return redirect("console:jobs", study.public_id)
    messages.error(request, "This study does not collect activity summaries, so there are no integrity indicators.")
    return redirect("console:annotators", study.public_id)


@study_page()
@require_safe
def annotator(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    participation = _participation(study, pseudonym)
    figures = people(study)
    rows = selected.annotator_rows(study, figures, participation)
    row = rows[0]
    selected.add_evidence(study, [row])
    row.integrity = integrity_signs(study).get(participation.pk)
    threshold = float(study.rule_threshold)
    of_type = figures_of_type(study, [row.figures])
    entries, all_entries = rows_of(study, participation)
    assignments = selected.assignments_of(participation)
    context = {
        "study": study,
        "row": row,
        "participation": participation,
        "figures": figures,
        "known": selected.figures_known(rows),
        "of_type": of_type,
        "figure_names": _names(selected.figures_known(rows), of_type),
        "own_figures": figures_of(of_type, row.figures),
        "sparks": (interval(row, threshold), gold_over_time(row, threshold), places(row)),
        "threshold": threshold,
        "measure": tasktypes.get(study.task_type).measures[study.rule_measure],
        "events": selected.timeline(participation),
        "assignments": assignments if request.GET.get("hits") == "all" else assignments[:HITS],
        "all_assignments": assignments.count(),
        "fewest": FEWEST,
        "same_network": stopped_on_same_network(study, [participation]).get(participation.pk, []),
        "rows": entries,
        "all_entries": all_entries,
        "unanswered": any(entry.state == "unanswered" for entry, *_ in entries),
        "longest": LONGEST,
        "disputes": participation.answers.filter(disputed=True).count(),
        "received": list(received(participation)),
        **answers_context(request, study, participation),
    }
    return render(request, "people/annotator.html", context)


@study_page(Action.STOP_ANNOTATORS, back="annotators/{pseudonym}/")
@require_POST
def stop(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    participation = _participation(study, pseudonym)
    standing.stop(participation.pk, reason=request.POST.get("reason", ""), user=request.user)
    messages.success(request, f"{_name(request, pseudonym)} is stopped. The answers of this annotator no longer count.")
    return _back(request, pseudonym)


@study_page(Action.RESTORE_ANNOTATORS, back="annotators/{pseudonym}/")
@require_POST
def restore(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    participation = _participation(study, pseudonym)
    restored = standing.restore(participation.pk, reason=request.POST.get("reason", ""), user=request.user)
    messages.success(
        request,
        f"{_name(request, pseudonym)} is active again. {with_noun(restored.counted, 'HIT counts,HITs count')} again. "
        f"{restored.surplus} remain surplus, because other annotators have claimed the slots. "
        f"{restored.resumable} can be continued.",
    )
    return _back(request, pseudonym)


@study_page(Action.REPLY, back="annotators/{pseudonym}/")
@require_POST
def message(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    """Send a message to the annotator."""
    success = f"The message was sent. {_name(request, pseudonym)} can see it on the study's overview page."
    return _noted(request, study, pseudonym, messages_services.send_to_annotator, success)


@study_page(Action.REVIEW, back="annotators/{pseudonym}/")
@require_POST
def note(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    """Add a note about the annotator to the history of the study."""
    success = f"The note about {_name(request, pseudonym)} has been saved."
    return _noted(request, study, pseudonym, people_services.add_note, success)


@study_page(Action.REVIEW, back="annotators/{pseudonym}/")
@require_POST
def review(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    """Record that the user has reviewed the annotator's answers."""
    message = (
        f"{_name(request, pseudonym)} will not be listed under “Needs a look” until a later report shows signs of "
        "careless answers."
    )
    return _noted(request, study, pseudonym, people_services.mark_reviewed, message)


def _noted(
    request: ConsoleRequest, study: Study, pseudonym: str, save: Callable[..., object], message: str
) -> HttpResponse:
    participation = _participation(study, pseudonym)
    save(participation.pk, text=request.POST.get("text", ""), user=request.user)
    messages.success(request, message)
    return _back(request, pseudonym)


@study_page(Action.REMOVE_PERSONAL_DATA, back="annotators/{pseudonym}/")
@require_POST
def erase(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    """Remove the annotator's personal data from all studies that the user owns. The annotator's answers are kept."""
    participation = _participation(study, pseudonym)
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, "Enter a reason. Accord records the reason in the study's history.")
        return _back(request, pseudonym)
    studies = remove_personal_data(participation.annotator_id, user=request.user, reason=reason)
    where = "1 study" if studies == 1 else f"{studies} studies"
    messages.success(request, f"Personal data about {pseudonym} was removed from {where}.")
    return _back(request, pseudonym)


def _participation(study: Study, pseudonym: str) -> Participation:
    participations = study.participations.select_related("annotator", "consent", "study")
    return get_object_or_404(participations.exclude(annotator__platform="try"), pseudonym=pseudonym)


def _name(request: ConsoleRequest, pseudonym: str) -> str:
    """Return the name of a named annotator for roles that may see it, and otherwise the pseudonym."""
    return request.console.names.get(pseudonym, pseudonym)


def _back(request: ConsoleRequest, pseudonym: str) -> HttpResponse:
    return redirect(f"{request.console.home}annotators/{pseudonym}/")
