"""The participant ID that Prolific adds to the URL of a study.

Anyone can know or invent such an ID. The ID identifies a new participation, but gives no access to existing ones.
"""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotate.models import Study
from annotate.refusals import Refused

PARAMETER = "PROLIFIC_PID"
_ID = re.compile(r"[A-Za-z0-9]{1,64}")


def prolific_id(request: HttpRequest, study: Study) -> str:
    """Return the Prolific participant ID in the link or form.

    The result is empty if there is no ID or if the study does not use Prolific.

    Raises `Refused` (`prolific-id`) for more than one ID, and for an invalid ID.
    """
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return ""
    values = {value for value in [*request.GET.getlist(PARAMETER), *request.POST.getlist(PARAMETER)] if value}
    if not values:
        return ""
    if len(values) > 1 or not _ID.fullmatch(value := values.pop()):
        raise Refused(
            "prolific-id",
            _("This link does not contain a valid Prolific ID. Open the study again from its Prolific page."),
            status=400,
        )
    return value
