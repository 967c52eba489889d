"""An annotator's own messages to the researchers, with the replies."""

from __future__ import annotations

from annotate.models import Participation, Remark


def own_messages(participation: Participation) -> list[Remark]:
    """Return the annotator's messages and objections, newest first, each with the question that it concerns."""
    return list(participation.remarks.select_related("answer__assignment").order_by("-sent_at", "-pk"))
