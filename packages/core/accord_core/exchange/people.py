"""Files that list people with their names, e-mail addresses and groups, one person per row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .cells import listed
from .csvtext import iter_records
from .faults import Fault, TableError
from .layout import letters

LONGEST = 80  # characters of a name and of a group
MOST_FAULTS = 100
COLUMNS = {"name": "name", "email": "email", "mail": "email", "emailaddress": "email", "group": "group"}

_EMAIL = re.compile(r"[^@\s,;:<>()\"]{1,64}@[^@\s,;:<>()\"]+\.[^@\s,;:<>()\".]{2,}")
LONGEST_EMAIL = 254  # characters


def is_email(text: str) -> bool:
    """Return whether the text looks like a single e-mail address that can receive mail."""
    if len(text) > LONGEST_EMAIL or not text.isprintable() or not _EMAIL.fullmatch(text):
        return False
    try:
        text.rpartition("@")[2].encode("idna")
    except UnicodeError:  # a part of the domain is empty or too long
        return False
    return True


@dataclass(frozen=True)
class Person:
    """A person listed in a file. The e-mail address and the group can be empty. `line` is the row's line number."""

    name: str
    email: str = ""
    group: str = ""
    line: int | None = None


def read_people(data: bytes, *, name: str, most: int) -> list[Person]:
    """Return the people in a CSV file with the columns `name`, `email` and `group`, of which `name` or `email` is
    required. If a name is missing, the e-mail address is used instead.

    Raises `TableError` for a file that is not text, has more than `most` rows, has no such column, or has rows with
    invalid or repeated values.
    """
    records = iter_records(data, name=name)
    _line, header = next(records, (1, []))
    places = _places(header)
    if not {"name", "email"} & places.keys():
        message = f"the first row must contain the column name or the column email, but it contains {listed(header)}"
        raise TableError(name, [Fault(1, None, message)])
    people: list[Person] = []
    for line, cells in records:
        if len(people) == most:
            raise TableError(name, [Fault(line, None, f"the file has more than {most:,} people")])
        values = {column: cells[at].strip() for column, at in places.items() if at < len(cells)}
        email = values.get("email", "")
        people.append(Person(values.get("name", "") or email, email, values.get("group", ""), line))
    if not people:
        raise TableError.of_file(name, "the file contains no people")
    if faults := faults_of(people):
        raise TableError(name, faults[:MOST_FAULTS])
    return people


def faults_of(people: Iterable[Person], names: Iterable[str] = (), emails: Iterable[str] = ()) -> list[Fault]:
    """Return the errors in people's names, addresses and groups. `names` and `emails` are those already in use."""
    faults: list[Fault] = []
    known_names, known_emails = set(names), {email.casefold() for email in emails if email}
    for person in people:
        if not person.name:
            faults.append(Fault(person.line, "name", "the row has neither a name nor an e-mail address"))
        for column, value in (("name", person.name), ("group", person.group)):
            if len(value) > LONGEST:
                faults.append(
                    Fault(person.line, column, f"the {column} “{value[:20]}…” has more than {LONGEST} characters")
                )
        if person.email and not is_email(person.email):
            faults.append(Fault(person.line, "email", f"“{person.email}” is not an e-mail address"))
        if person.name in known_names:
            faults.append(Fault(person.line, "name", f"the name “{person.name}” appears more than once"))
        elif person.email and person.email.casefold() in known_emails:
            faults.append(Fault(person.line, "email", f"the address “{person.email}” appears more than once"))
        known_names.add(person.name)
        known_emails |= {person.email.casefold()} if person.email else set()
    return faults


def _places(header: Iterable[str]) -> Mapping[str, int]:
    """Return the positions of the known columns. If a column appears twice, the first position counts."""
    places: dict[str, int] = {}
    for at, column in enumerate(header):
        known = COLUMNS.get(letters(column))
        if known:
            places.setdefault(known, at)
    return places
