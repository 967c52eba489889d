"""The authors' answers about a study."""

from __future__ import annotations

from annotate.models import Study
from reporting.models import AuthorAnswers


def author_answers(study: Study) -> dict[str, str]:
    """Return the answers by the names of their questions."""
    stored = AuthorAnswers.objects.filter(study=study).first()
    return {} if stored is None else dict(stored.answers)
