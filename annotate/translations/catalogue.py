"""Functions that read and write gettext catalogues with Babel: `.po` files for translators and `.mo` files for Django.

Babel is a development requirement. Unlike Django's `makemessages`, it does not need the gettext programs. The `.po`
files contain no references to lines in the code, because every moved line would change these references.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

HEADER = """\
# Translations of Accord's pages for annotators.
# Update this file with: manage.py translations"""


def updated(data: bytes, template: Catalog, language: str) -> Catalog:
    """Return the catalogue of a `.po` file with exactly the texts of the template. Without data, the catalogue is new.
    A changed text keeps its old translation, which is marked as fuzzy.
    """
    catalogue = read_po(BytesIO(data)) if data else new(language)
    catalogue.update(template, update_creation_date=False)
    return catalogue


def new(language: str) -> Catalog:
    """Return an empty catalogue."""
    catalogue = Catalog(language, project="Accord", version="0.1.0", header_comment=HEADER, fuzzy=False)
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue's `.po` file, with the texts in alphabetical order."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, ignore_obsolete=True)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue's `.mo` file, without fuzzy entries."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def missing(catalogue: Catalog) -> list[str]:
    """Return the texts without a complete and checked translation."""
    return [
        forms(message.id)[0]
        for message in catalogue
        if message.id and (message.fuzzy or not all(forms(message.string)))
    ]


def forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """Return the plural forms of a text, or the only form of a text without plural forms."""
    return [text or ""] if text is None or isinstance(text, str) else text
