"""The check that a study names a contact person for annotators."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+\.[^\s<>()\[\],;:.]+")


def lacks_contact(contact: str) -> bool:
    """Return whether the text lacks the name of a person or an e-mail address. Annotators need the name of a person,
    and an address to which they can write.
    """
    name = _ADDRESS.sub("", contact)
    return name == contact or not any(letter.isalpha() for letter in name)
