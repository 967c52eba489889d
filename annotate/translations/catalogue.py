"""Functions that read and write gettext catalogues: `.po` files for translators and `.mo` files for Django.

Accord does not use the gettext programs, so neither users nor developers need to install them. The `.po` files contain
no references to lines in the code, because every moved line would change these references.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

HEADER = """\
# Translations of Accord's pages for annotators.
# Update this file with: manage.py translations
msgid ""
msgstr ""
"""
CONTEXT_END = "\x04"  # separates the context from the text in a compiled catalogue
_KEYWORD = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) "')


@dataclass(frozen=True, order=True)
class Key:
    """A text that is marked for translation in the source code. `plural` is empty for a text without plural forms."""

    text: str
    plural: str = ""
    context: str = ""


@dataclass
class Entry:
    """The translations of one key, with one text per plural form. `fuzzy` marks an uncertain translation that a
    translator must check.
    """

    forms: list[str] = field(default_factory=list)
    fuzzy: bool = False


@dataclass
class Catalogue:
    """The translations into one language, with the header fields of the catalogue file."""

    header: dict[str, str]
    entries: dict[Key, Entry]

    @property
    def plurals(self) -> int:
        """The number of plural forms in the language."""
        return int(re.search(r"nplurals=(\d+)", self.header["Plural-Forms"])[1])  # type: ignore[index]

    def missing(self) -> list[Key]:
        """Return the keys without a complete and checked translation."""
        return [key for key, entry in self.entries.items() if entry.fuzzy or not all(entry.forms) or not entry.forms]

    def updated(self, keys: Iterable[Key]) -> Catalogue:
        """Return a catalogue with exactly these keys, which keeps the existing translations. A changed text keeps its
        old translation, which is marked as fuzzy.
        """
        wanted = sorted(set(keys))
        old = {key.text: key for key in self.entries.keys() - set(wanted)}
        entries = {}
        for key in wanted:
            if key in self.entries:
                entries[key] = self.entries[key]
                continue
            count = self.plurals if key.plural else 1
            similar = get_close_matches(
                key.text, [text for text in old if bool(old[text].plural) == bool(key.plural)], 1
            )
            forms = self.entries[old[similar[0]]].forms if similar else [""] * count
            entries[key] = Entry(list(forms), fuzzy=bool(similar))
        return Catalogue(self.header, entries)


def read(text: str) -> Catalogue:
    """Read a `.po` file that was created by `write` or edited by a translator."""
    header: dict[str, str] = {}
    entries: dict[Key, Entry] = {}
    for block in re.split(r"\n\s*\n", text.strip()):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            if keyword := _KEYWORD.match(line):
                name = keyword[1]
                line = line[len(name) + 1 :]
            fields[name] = fields.get(name, "") + _unquoted(line)
        forms = [value for name, value in fields.items() if name.startswith("msgstr")]
        if not fields.get("msgid"):
            header = dict(line.split(": ", 1) for line in forms[0].splitlines())
            continue
        fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in block.splitlines())
        key = Key(fields["msgid"], fields.get("msgid_plural", ""), fields.get("msgctxt", ""))
        entries[key] = Entry(forms, fuzzy)
    return Catalogue(header, entries)


def write(catalogue: Catalogue) -> str:
    """Return a catalogue's `.po` file, with the keys in alphabetical order."""
    blocks = [HEADER + "\n".join(_quoted(f"{name}: {value}\n") for name, value in catalogue.header.items())]
    for key in sorted(catalogue.entries):
        entry = catalogue.entries[key]
        lines = ["#, fuzzy"] if entry.fuzzy else []
        if "%(" in key.text or "%d" in key.text:
            lines.append("#, python-format")
        if key.context:
            lines.append(f"msgctxt {_quoted(key.context)}")
        lines.append(f"msgid {_quoted(key.text)}")
        if key.plural:
            lines.append(f"msgid_plural {_quoted(key.plural)}")
            lines += [f"msgstr[{number}] {_quoted(form)}" for number, form in enumerate(entry.forms)]
        else:
            lines.append(f"msgstr {_quoted(entry.forms[0])}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def compiled(catalogue: Catalogue) -> bytes:
    """Return a catalogue's `.mo` file, without fuzzy entries. The format of `.mo` files is described in the GNU gettext
    manual, §10.3.
    """
    texts = {"": "".join(f"{name}: {value}\n" for name, value in catalogue.header.items())}
    for key, entry in catalogue.entries.items():
        if entry.fuzzy or not all(entry.forms):
            continue
        name = (key.context + CONTEXT_END if key.context else "") + key.text
        texts[name + ("\0" + key.plural if key.plural else "")] = "\0".join(entry.forms)
    names = sorted(text.encode() for text in texts)
    values = [texts[name.decode()].encode() for name in names]
    start = 28 + 16 * len(names)  # after the header and the two tables of lengths and offsets
    tables, data = [], b""
    for parts in (names, values):
        for part in parts:
            tables.append(struct.pack("<II", len(part), start + len(data)))
            data += part + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(names), 28, 28 + 8 * len(names), 0, start)
    return head + b"".join(tables) + data


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _unquoted(line: str) -> str:
    return re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]), line.strip()[1:-1])
