"""The form fields in a layout, which are HTML fields and Amazon's crowd elements."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from accord_core.exchange.faults import Fault
from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, HIDDEN, NUMBER, PLACEHOLDER, TEXT, Choice, Field

IGNORED = frozenset({"submit", "button", "reset", "image"})
NUMBERS = frozenset({"number", "range"})
CROWD = frozenset(
    {
        *("crowd-form", "crowd-button", "crowd-input", "crowd-text-area", "crowd-radio-group", "crowd-radio-button"),
        *("crowd-checkbox", "crowd-slider", "crowd-classifier"),
    }
)
# Elements that only show their contents. All other crowd elements collect answers in ways that Accord does not support.
SHOWN = frozenset(
    f"crowd-{name}" for name in ("instructions", "alert", "badge", "card", "icon", "modal", "tab", "tabs")
)
OF_HOST = frozenset({"assignmentid", "hitid", "workerid", "turksubmitto"})  # fields that a host fills in
Attributes = dict[str, str]


class FormReader(HTMLParser):
    """A parser that collects the fields of a layout. `flattened` is false if crowd elements store all answers in the
    column `taskAnswers`.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.has_form = False
        self.flattened = True
        self._fields: dict[str, Field] = {}
        self._select: Field | None = None
        self._group: tuple[Attributes, list[tuple[Attributes, int]], int] | None = None
        self.feed(html)
        self.close()

    @property
    def fields(self) -> list[Field]:
        return list(self._fields.values())

    # ── tags ──────────────────────────────────────────────────────────────────────────────────────────────────────
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        line = self.getpos()[0]
        if tag == "form":
            self.has_form = True
        elif tag == "input":
            self._read_input(attributes, line)
        elif tag == "textarea":
            self._add(attributes, TEXT, line)
        elif tag == "select":
            kind = CHOICES if "multiple" in attributes else CHOICE
            self._select = self._add(attributes, kind, line)
        elif tag == "option" and self._select:
            self._add_choice(self._select.name, Choice(attributes.get("value", "")), "value" in attributes)
        elif tag.startswith("crowd-"):
            self._read_crowd(tag, attributes, line)
        elif tag in ("frame", "frameset", "object", "embed"):
            self.faults.append(Fault(line, None, f"the element <{tag}> is not supported. Remove the element"))
        elif tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            self.faults.append(Fault(line, None, "a layout cannot open another page. Remove the <meta> element"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = None
        elif tag == "crowd-radio-group":
            self._end_group()

    def handle_data(self, data: str) -> None:
        """Use the text of an <option> without a value as its value."""
        if self._select and data.strip():
            field = self._fields[self._select.name]
            if field.choices and field.choices[-1].value == "\x00":
                self._replace(field, choices=(*field.choices[:-1], Choice(" ".join(data.split()))))

    # ── HTML fields ───────────────────────────────────────────────────────────────────────────────────────────────
    def _read_input(self, attributes: Attributes, line: int) -> None:
        kind = attributes.get("type", "text").strip().lower()
        if kind in IGNORED:
            return
        if kind == "file":
            self.faults.append(Fault(line, None, "annotators cannot upload files. Remove the field of type file"))
        elif kind == "password":
            self.faults.append(Fault(line, None, "a layout cannot ask for passwords. Remove the field"))
        elif kind == "radio":
            field = self._add(attributes, CHOICE, line)
            if field:
                self._add_choice(field.name, Choice(attributes.get("value", "on")))
        elif kind == "checkbox":
            self._add_checkbox(attributes, line)
        elif kind == "hidden":
            if attributes.get("name", "").lower() not in OF_HOST:
                self._add(attributes, HIDDEN, line, value=attributes.get("value", ""))
        else:
            self._add(attributes, NUMBER if kind in NUMBERS else TEXT, line, bounds=kind in NUMBERS)

    def _add_checkbox(self, attributes: Attributes, line: int) -> None:
        """Add a checkbox. Several checkboxes with the same name are one field with several choices."""
        value = attributes.get("value", "on")
        earlier = self._fields.get(attributes.get("name", ""))
        if earlier and earlier.kind in (FLAG, CHOICES):
            choices = earlier.choices or (Choice(earlier.value),)
            self._replace(earlier, kind=CHOICES, choices=choices, value="")
            self._add_choice(earlier.name, Choice(value))
        else:
            self._add(attributes, FLAG, line, value=value)

    # ── crowd elements ────────────────────────────────────────────────────────────────────────────────────────────
    def _read_crowd(self, tag: str, attributes: Attributes, line: int) -> None:
        if tag in SHOWN:
            return
        if tag not in CROWD:
            self.faults.append(Fault(line, None, f"the element <{tag}> is not supported. Use an HTML form field"))
        elif tag == "crowd-form":
            self.has_form = True
            self.flattened = attributes.get("answer-format", "").lower() == "flatten-objects"
        elif tag == "crowd-input":
            kind = attributes.get("type", "").lower()
            self._add(attributes, NUMBER if kind == "number" else TEXT, line, bounds=kind == "number")
        elif tag == "crowd-text-area":
            self._add(attributes, TEXT, line)
        elif tag == "crowd-slider":
            limits = {"min": "0", "max": "100"} | attributes
            self._add(limits, NUMBER, line, bounds=True)
        elif tag == "crowd-checkbox":
            self._add(attributes, FLAG, line, value="", suffix=attributes.get("value") or "on")
        elif tag == "crowd-classifier":
            # Amazon's element cannot be submitted without a choice, whether or not it has the attribute.
            required = attributes | {"required": ""}
            self._add(required, CHOICE, line, listed=attributes.get("categories", "[]"), suffix="label")
        elif tag == "crowd-radio-group":
            self._group = (attributes, [], line)
        elif tag == "crowd-radio-button":
            if self._group:
                self._group[1].append((attributes, line))
            else:
                self.faults.append(Fault(line, None, "a <crowd-radio-button> must be in a <crowd-radio-group>"))

    def _end_group(self) -> None:
        """Add the field for a group of radio buttons with a results column each."""
        if not self._group:
            return
        group, buttons, line = self._group
        self._group = None
        names = [button.get("name") or group.get("name", "") for button, _ in buttons]
        name = group_name(group.get("name", ""), names)
        shared = len(set(names)) == 1
        choices = tuple(
            Choice((button.get("value") or "on") if shared else own, f"{own}.{button.get('value') or 'on'}")
            for own, (button, _) in zip(names, buttons, strict=True)
        )
        field = self._add({**group, "name": name}, CHOICE, line)
        if field:
            self._replace(field, choices=choices)

    # ── fields ────────────────────────────────────────────────────────────────────────────────────────────────────
    def _add(
        self,
        attributes: Attributes,
        kind: str,
        line: int,
        *,
        bounds: bool = False,
        value: str = "",
        suffix: str = "",
        listed: str = "",
    ) -> Field | None:
        """Add a field, unless a radio button continues an earlier field. Fields without a name are not submitted."""
        name = attributes.get("name", "").strip()
        required = "required" in attributes and attributes["required"].lower() != "false"
        if not name:
            if kind != HIDDEN:
                self.warnings.append(Fault(line, None, "a form field without a name is not stored"))
            return None
        if PLACEHOLDER.search(name):
            message = f"the name of a field contains a placeholder ({name}). Give the field the same name in all HITs"
            self.faults.append(Fault(line, None, message))
            return None
        earlier = self._fields.get(name)
        if earlier:
            if (earlier.kind, kind) != (CHOICE, CHOICE):
                message = f"the field {name} is already on line {earlier.line}. Give each field a different name"
                self.faults.append(Fault(line, None, message))
            elif required:
                self._replace(earlier, required=True)
            return self._fields[name]
        limits = [_number(attributes.get(each, "")) if bounds else None for each in ("min", "max")]
        field = Field(name, kind, line, required, (), listed, value, suffix, *limits)
        self._fields[name] = field
        return field

    def _add_choice(self, name: str, choice: Choice, has_value: bool = True) -> None:
        """Add a choice. The value of an <option> without the attribute is its text, which the parser reads next."""
        field = self._fields[name]
        if not has_value:
            self._replace(field, choices=(*field.choices, Choice("\x00")))
        elif choice in field.choices:
            message = f"two choices of the field {name} have the value “{choice.value}”. Give each its own value"
            self.warnings.append(Fault(self.getpos()[0], None, message))
        elif choice.value:
            self._replace(field, choices=(*field.choices, choice))

    def _replace(self, field: Field, **changes: Any) -> None:
        self._fields[field.name] = replace(field, **changes)


def group_name(own: str, names: list[str]) -> str:
    """Return the name of a group of radio buttons: the name that all buttons share, the name of the group, or the names
    of all buttons.
    """
    different = list(dict.fromkeys(name for name in names if name))
    return different[0] if len(different) == 1 else own or "/".join(different)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
