"""The check that a study gives annotators a contact person."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+\.[^\s<>()\[\],;:.]+")


def lacks_contact(contact: str) -> bool:
    """Return whether the text lacks a person's name or an e-mail address. Annotators need the name and e-mail address
    of a person to write to.
    """
    name = _ADDRESS.sub("", contact)
    return name == contact or not any(letter.isalpha() for letter in name)
