"""The section of the guides that describes each console page."""

from __future__ import annotations

from django.urls import ResolverMatch, reverse

from annotate import tasktypes
from annotate.models import Study
from annotate.tasktypes import extensions

# The names of the console pages, and their guides. An empty string means the guide to the study's task type.
TOPICS = {
    "studies": "overview#the-list-of-studies",
    "find": "overview#keys",
    "find-in-study": "overview#keys",
    "new": "best-worst#4-write-the-texts-and-choose-the-settings",
    "tokens": "accounts#api-tokens",
    "items": "",
    "add-data": "",
    "upload": "formats#tables-csv-and-json-lines",
    "upload-preview": "formats#tables-csv-and-json-lines",
    "upload-layout": "formats#tables-csv-and-json-lines",
    "import": "formats#tables-csv-and-json-lines",
    "design": "",
    "try": "",
    "gold": "gold",
    "candidate": "",
    "expected-answer": "adjudication#changing-the-expected-answer-to-a-gold-question",
    "settings": "",
    "members": "accounts#roles",
    "recruit": "inviting",
    "named": "inviting#named-annotators",
    "groups": "inviting#groups",
    "other-panel": "panels",
    "people-lists": "inviting#excluding-or-admitting-people-from-other-studies",
    "waiting": "inviting#limits-on-joining",
    "questionnaire": "screening",
    "new-person-question": "screening",
    "person-question": "screening",
    "history": "fairness#versions-of-the-guidelines",
    "guidelines": "fairness#versions-of-the-guidelines",
    "overview": "overview#the-overview",
    "open-hits": "overview#open-hits",
    "judgements": "overview#more-judgements",
    "rounds": "adaptive",
    "annotators": "methods#annotators",
    "annotator": "methods#annotators",
    "messages": "fairness#messages",
    "message-all": "fairness#messages",
    "reply": "fairness#messages",
    "pay": "pay",
    "all-pay": "pay#pay-in-all-studies",
    "pay-annotator": "pay#how-the-amount-owed-is-calculated",
    "payments": "pay#recording-payments",
    "payment": "pay#corrections",
    "submissions": "prolific#submissions",
    "submissions-upload": "prolific#submissions",
    "submissions-preview": "prolific#submissions",
    "questions": "adjudication#the-queue",
    "question": "adjudication#deciding-a-question",
    "adjudicate": "adjudication#the-queue",
    "decide": "adjudication#deciding-a-question",
    "jobs": "deployment",
    "job": "deployment",
    "results": "results",
    "report": "",
    "report-page": "",
    "compare-reports": "results",
    "report-shares": "accounts#shared-reports",
    "downloads": "formats#files-of-every-study",
    "system": "systems#how-scores-are-calculated",
    "compare-systems": "systems#how-scores-are-calculated",
}


def topic_url(match: ResolverMatch | None, study: Study | None = None) -> str:
    """Return the URL of the guide to a console page, or of the guide list if the page has no guide."""
    name = match.url_name or "" if match else ""
    topic = TOPICS.get(name) or extensions.guide(name)
    if name == "panel" and match and study:
        topic = _of_panel(study, match.kwargs["panel"])
    if not topic and study:
        topic = tasktypes.get(study.task_type).guide
    if not topic:
        return reverse("help:guides")
    return guide_url(topic)


def guide_url(topic: str) -> str:
    """Return the URL of a guide or of one of its headings, such as `pay#budget-cap`."""
    slug, _, anchor = topic.partition("#")
    return reverse("help:guide", args=[slug]) + (f"#{anchor}" if anchor else "")


def _of_panel(study: Study, slug: str) -> str:
    panels = [*extensions.task_panels(study), *extensions.panels(study)]
    return next((panel.guide for panel in panels if panel.slug == slug), "")
