"""Forms for reading a table, and for the size of an adaptive round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.forms import BoundField

from accord_core.exchange.encoding import ENCODINGS
from accord_core.exchange.layout import DELIMITERS, LEAVE_OUT, NO_HEADER, NO_TABLE, WHOLE_LINES, FileColumn, Layout
from annotate.data.selectors.additions import MOST_QUESTIONS
from annotate.web.forms import ConsoleForm

KEEP, OUT = "keep", "leave out"
LINES_SHOWN = 5
LONGEST_ROW = 50  # characters


class LayoutForm(ConsoleForm):
    """The form for a table's layout, with one field for each column in the file.

    `faulty` contains the lines of rows with errors, which the form offers to skip.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        layout: Layout,
        header: Sequence[str],
        sheets: Sequence[str],
        expected: Sequence[FileColumn],
        faulty: Sequence[int] = (),
        first_rows: Sequence[Sequence[Any]] = (),
    ) -> None:
        super().__init__(data)
        self.layout, self.header, self.faulty, self.first_rows = layout, header, faulty, first_rows
        if sheets:
            self._add("sheet", "Sheet", [(sheet, sheet) for sheet in sheets], layout.sheet)
        else:
            self._add("encoding", "Encoding", list(ENCODINGS.items()), layout.encoding or "")
        if not sheets and layout.delimiter in DELIMITERS:
            labels = {WHOLE_LINES: "None (each line is one text)"}
            names = [(name, labels.get(delimiter, name.capitalize())) for delimiter, name in DELIMITERS.items()]
            self._add("delimiter", "Delimiter", names, DELIMITERS[layout.delimiter])
        if layout.delimiter != NO_TABLE:
            self._add("header", "Header row", self._header_choices(), _text(layout.header))
            self.fields["header"].required = False  # an empty value is a choice
            self.fields["two_rows"] = forms.BooleanField(
                required=False, label="The header has two rows", initial=layout.header_rows == 2
            )
        for number, column in enumerate(header):
            chosen = layout.columns.get(column, column) or OUT
            chosen = KEEP if chosen == column else chosen
            self._add(f"column_{number}", column, self._choices(column, expected, chosen), chosen)
        if faulty or layout.skipped:
            skip = forms.BooleanField(required=False, label=self._skip_label(), initial=bool(layout.skipped))
            self.fields["skip"] = skip
        self._dress()

    def chosen(self) -> Layout:
        """Return the layout that the researcher chose.

        If the sheet, the encoding, the delimiter or the header row has changed, the columns are detected again.
        """
        values = self.cleaned_data
        delimiters = {name: delimiter for delimiter, name in DELIMITERS.items()}
        read_as = Layout(
            sheet=values.get("sheet", ""),
            encoding=values.get("encoding", self.layout.encoding),
            delimiter=delimiters[values["delimiter"]] if "delimiter" in values else self.layout.delimiter,
            header=int(values["header"]) if values.get("header") else None,
            header_rows=2 if values.get("two_rows") else 1,
        )
        if read_as.encoding != self.layout.encoding:
            return replace(read_as, delimiter=None)
        if replace(self.layout, columns={}, skipped=frozenset()) != read_as:
            return read_as
        names = {column: values[f"column_{number}"] for number, column in enumerate(self.header)}
        return replace(
            read_as,
            columns={column: {KEEP: column, OUT: LEAVE_OUT}.get(name, name) for column, name in names.items()},
            skipped=frozenset([*self.layout.skipped, *self.faulty]) if values.get("skip") else frozenset(),
        )

    @property
    def encoding_name(self) -> str:
        """The name of the encoding."""
        return ENCODINGS.get(self.layout.encoding or "", "")

    def column_fields(self) -> Iterator[BoundField]:
        """Yield the field for each column, for the template."""
        for number in range(len(self.header)):
            yield self[f"column_{number}"]

    def fields_to_switch_header(self) -> Iterator[BoundField]:
        """Yield, for the template, the fields to send with a changed header row."""
        for name in self.fields:
            if name not in ("header", "skip"):
                yield self[name]

    def other_fields(self) -> Iterator[BoundField]:
        """Yield the fields that do not belong to any column, for the template."""
        for name in self.fields:
            if not name.startswith("column_"):
                yield self[name]

    def _add(self, name: str, label: str, choices: list[tuple[str, str]], initial: str) -> None:
        self.fields[name] = forms.ChoiceField(choices=choices, label=label, initial=initial)

    def _header_choices(self) -> list[tuple[str, str]]:
        chosen = self.layout.header
        rows = [(line, " | ".join(filter(None, cells))[:LONGEST_ROW]) for line, cells in self.first_rows]
        if chosen and chosen not in dict(rows):
            rows.append((chosen, ""))
        return [
            ("", "The first row with values"),
            *((_text(line), f"Line {line:,}: {text}" if text else f"Line {line:,}") for line, text in rows),
            (_text(NO_HEADER), "None (the first row contains data)"),
        ]

    def _choices(self, column: str, expected: Sequence[FileColumn], chosen: str) -> list[tuple[str, str]]:
        names = [(each.name, f"{each.label or each.name}{' (required)' if each.required else ''}") for each in expected]
        others = [(name, label) for name, label in names if name != column]
        choices = [(KEEP, f"{column} (unchanged)"), *others, (OUT, "Exclude this column")]
        if chosen in dict(choices):
            return choices
        kind = "" if any(each.is_part(chosen) for each in expected) else " (metadata)"
        return [*choices, (chosen, f"{chosen}{kind}")]

    def _skip_label(self) -> str:
        lines = sorted({*self.layout.skipped, *self.faulty})
        shown = ", ".join(f"{line:,}" for line in lines[:LINES_SHOWN])
        more = f" and {len(lines) - LINES_SHOWN:,} more" if len(lines) > LINES_SHOWN else ""
        if len(lines) == 1:
            return f"Skip the row on line {shown}, which contains errors"
        return f"Skip {len(lines):,} rows with errors (lines {shown}{more})"


def _text(header: int | None) -> str:
    return "" if header is None else str(header)


class RoundForm(ConsoleForm):
    questions = forms.IntegerField(
        label="Number of questions",
        min_value=1,
        max_value=MOST_QUESTIONS,
        help_text="Accord chooses at most this number of questions.",
    )
