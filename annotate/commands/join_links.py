"""The annotators' links that commands print, and a note that is added if the site's address is unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from annotate.cli.options import note

if TYPE_CHECKING:
    from annotate.models import Study


def join_lines(study: Study) -> Iterator[str]:
    """Yield one line for each link that lets annotators join the study. If annotators have personal links, the line
    names the page that lists them.
    """
    from django.conf import settings
    from django.urls import reverse

    from annotate.core.services.credentials import group_code
    from annotate.prolific.selectors.settings import study_url
    from annotate.recruiting.panels import panel_url

    join = settings.SITE_URL + reverse("annotator:join", args=[study.join_token])
    if study.recruitment == study.Recruitment.PROLIFIC:
        yield f"URL of the study for Prolific: {study_url(join)}"
        return
    if study.recruitment == study.Recruitment.PANEL:
        yield f"URL of the study for the panel: {panel_url(join, study)}"
        return
    groups = study.groups.filter(revoked_at=None).order_by("pk")
    if study.admission != study.Admission.NAMED:
        yield f"Join link: {join}"
    elif study.named_annotators.exclude(name="").exists() or not groups:
        yield "Send each annotator the personal link on the page Named annotators."
    for group in groups:
        link = reverse("annotator:group", args=[study.join_token, group_code(group.public_id)])
        yield f"Join link of the group {group.name}: {settings.SITE_URL}{link}"


def note_unknown_address() -> None:
    """Print a note if the links begin with the default address, because Accord may run at another address."""
    from django.conf import settings

    if not settings.SITE_URL_KNOWN:
        note(
            f"the address of Accord is not known, so the links begin with {settings.SITE_URL}. If Accord runs at "
            "another address, start `accord serve` first, or set ACCORD_SITE_URL"
        )
