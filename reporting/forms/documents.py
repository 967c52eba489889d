"""All documents about a study."""

from __future__ import annotations

from collections.abc import Callable

from reporting.forms.acl import acl_checklist
from reporting.forms.basis import Basis
from reporting.forms.datasheet import datasheet
from reporting.forms.entries import Form
from reporting.forms.heds import heds

FORMS: tuple[Callable[[Basis], Form], ...] = (heds, acl_checklist, datasheet)
FOLDER = "reporting"


def forms(basis: Basis) -> list[Form]:
    """Return all checklists and datasheets about a study, with their answers."""
    return [form(basis) for form in FORMS]


def document_files(basis: Basis) -> dict[str, tuple[str, str]]:
    """Return the text and a note of each document by its path in a release."""
    return {f"{FOLDER}/{form.slug}.md": (form.markdown(), form.title) for form in forms(basis)}
