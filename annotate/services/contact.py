"""The check that a study names a contact person for annotators."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+\.[^\s<>()\[\],;:.]+")


def lacks_contact(contact: str) -> bool:
    """Return whether the text lacks the name of a person or an e-mail address. Annotators need a person's name and an
    e-mail address to write to.
    """
    name = _ADDRESS.sub("", contact)
    return name == contact or not any(letter.isalpha() for letter in name)
