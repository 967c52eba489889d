"""Layouts of Mechanical Turk projects: HTML with `${column}` placeholders and form fields.

A layout is read once. `Layout.fill` then inserts the cells of a row, escaped for the place of each placeholder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from accord_core.exchange.faults import Fault, in_order
from accord_core.layouts.formats.escaping import ATTRIBUTE, CSS, SCRIPT, TEXT, URL, escape
from accord_core.layouts.formats.fields import HIDDEN, PLACEHOLDER, Field
from accord_core.layouts.formats.form import FormReader
from accord_core.layouts.formats.loaded import blocked_files
from accord_core.layouts.formats.markup import Lines, Region, regions_of

LARGEST = 1_000_000  # bytes of a layout
MOST_FIELDS = 200
MOST_HOLES = 1_000  # placeholders
# A layout without a form is a part of the page of Mechanical Turk, which contains this form.
FORM = (
    '<form name="mturk_form" id="mturk_form" method="post"><input type="hidden" name="assignmentId" id="assignmentId">'
)


@dataclass(frozen=True)
class Hole:
    """A placeholder, with its column, its position in the HTML, and whether quotation marks must be added. `opened` is
    the part of the script that precedes the placeholder.
    """

    column: str
    context: str
    start: int
    end: int
    line: int
    unquoted: bool = False
    opened: int = 0


@dataclass(frozen=True)
class Layout:
    """A layout that has been parsed. A layout with `faults` cannot be used. `kept` contains the parts of the HTML that
    Accord shows, as pairs of start and end positions.
    """

    html: str
    kept: Sequence[tuple[int, int]]
    holes: Sequence[Hole]
    fields: Sequence[Field]
    faults: Sequence[Fault]
    warnings: Sequence[Fault]
    has_form: bool
    flattened: bool  # whether the results have a column for each answer instead of the column `taskAnswers`

    @property
    def columns(self) -> list[str]:
        """Return the columns required in a batch, in order of first appearance. Scripts can contain other occurrences
        of `${…}`.
        """
        return list(dict.fromkeys(hole.column for hole in self.holes if hole.context != SCRIPT))

    @property
    def script_columns(self) -> list[str]:
        """Return the names in the scripts' `${…}` expressions, which can be columns or JavaScript expressions."""
        return list(dict.fromkeys(hole.column for hole in self.holes if hole.context == SCRIPT))

    @property
    def choice_columns(self) -> list[str]:
        """Return the columns that the fields' choices depend on."""
        return list(dict.fromkeys(name.strip() for field in self.fields for name in field.placeholders))

    def fields_for(self, row: Mapping[str, str]) -> list[Field]:
        """Return the fields with the choices that they offer for one row."""
        return [field.for_row(row) for field in self.fields]

    def fill(self, row: Mapping[str, str]) -> str:
        """Return a question's HTML: the layout with a row's cells and without scripts that are not allowed."""
        parts: list[str] = []
        holes = iter([*self.holes, Hole("", TEXT, len(self.html), len(self.html), 0)])
        hole = next(holes)
        for start, end in self.kept:
            at = start
            while hole.end <= end and hole.column:
                if hole.start >= at and (hole.context != SCRIPT or hole.column in row):
                    script = self.html[hole.opened : hole.start] if SCRIPT in hole.context else ""
                    cell = escape(row.get(hole.column, ""), hole.context, script)
                    parts += [self.html[at : hole.start], f'"{cell}"' if hole.unquoted else cell]
                    at = hole.end
                hole = next(holes)
            parts.append(self.html[at:end])
        html = "".join(parts)
        return html if self.has_form else f"{FORM}{html}</form>"


@lru_cache(maxsize=16)
def read_layout(html: str, *, scripts: bool = False, hosts: tuple[str, ...] = ()) -> Layout:
    """Read a layout. `scripts` is whether the layout's scripts are allowed to run, and `hosts` are the other servers
    from which the layout can load files.
    """
    size = len(html.encode())
    if size > LARGEST:
        fault = Fault(None, None, f"the layout has {size:,} bytes, more than the limit of {LARGEST:,}")
        return Layout("", (), (), (), (fault,), (), True, True)
    lines = Lines(html)
    regions = regions_of(html, lines)
    reader = FormReader(html)
    faults, warnings = list(reader.faults), list(reader.warnings)
    kept = _kept(html, regions, scripts, warnings)
    warnings += blocked_files(html, regions, hosts, scripts=scripts)
    holes = _holes(html, regions, lines, scripts, faults)
    if len(holes) > MOST_HOLES:
        faults.append(Fault(None, None, f"the layout has {len(holes):,} placeholders; the limit is {MOST_HOLES:,}"))
    if not reader.fields and not scripts:
        faults.append(Fault(None, None, "the layout has no form field with a name, so no answer can be stored"))
    elif not scripts and all(field.kind == HIDDEN for field in reader.fields):
        faults.append(Fault(None, None, "all form fields are hidden, so only scripts can fill them in. Allow scripts"))
    if len(reader.fields) > MOST_FIELDS:
        faults.append(Fault(None, None, f"the layout has {len(reader.fields)} fields, but the limit is {MOST_FIELDS}"))
    return Layout(
        html,
        tuple(kept),
        tuple(holes),
        tuple(reader.fields),
        tuple(in_order(faults)),
        tuple(in_order(warnings)),
        reader.has_form,
        reader.flattened,
    )


def _kept(html: str, regions: Sequence[Region], scripts: bool, warnings: list[Fault]) -> list[tuple[int, int]]:
    """Return the parts of the HTML without the scripts that do not run."""
    kept, at = [], 0
    for region in regions:
        if region.kind == "script" and (not scripts or region.is_crowd):
            kept.append((at, region.start))
            at = region.end
            if not region.is_crowd:
                warnings.append(Fault(region.line, None, "the script does not run unless you allow scripts"))
        elif region.kind == "handler" and not scripts:
            warnings.append(
                Fault(region.line, None, f"the attribute `{region.name}` does not run unless you allow scripts")
            )
    return [*kept, (at, len(html))]


def _holes(html: str, regions: Sequence[Region], lines: Lines, scripts: bool, faults: list[Fault]) -> list[Hole]:
    """Return the placeholders with their contexts, and report those that cannot be filled."""
    holes = []
    place = 0
    for match in PLACEHOLDER.finditer(html):
        start, end = match.span()
        while place < len(regions) and regions[place].end <= start:
            place += 1
        within = [region for region in regions[place : place + 40] if region.start <= start < region.end]
        region = within[-1] if within else None
        line = lines.at(start)
        kind = region.kind if region else "text"
        column = match[1].strip()
        if kind == "comment":
            continue
        if kind in ("script", "handler") and not scripts:
            message = f"a script contains ${{{column}}}. Allow scripts, or remove the placeholder"
            faults.append(Fault(line, None, message))
        elif kind in ("raw", "tag", "name") or (kind == "unquoted" and region and region.span != (start, end)):
            message = f"${{{column}}} is in a place where no text can be inserted. Put it in quotation marks or in text"
            faults.append(Fault(line, None, message))
        elif not column:
            faults.append(Fault(line, None, "the placeholder ${} has no column name"))
        else:
            context = URL if region and region.is_url else _CONTEXTS.get(kind, ATTRIBUTE)
            opened = region.span[0] if region else 0
            holes.append(Hole(column, context, start, end, line, kind == "unquoted", opened))
    return holes


_CONTEXTS = {"text": TEXT, "script": SCRIPT, "handler": f"{SCRIPT} {ATTRIBUTE}", "style": CSS}
