"""The forms of the page Plan: the parameters of a plan, and the choice of a design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import capfirst

from accord_core.exchange.numbers import is_whole_number
from annotate.planning.selectors.pilots import PilotChoice, chosen_pilot
from annotate.tasktypes import AssumptionField, Option, Planning
from annotate.tasktypes.plan_parameters import CAUGHT, OPTIONAL, PAYMENT, SIMULATION, STUDY, WORK, range_of
from annotate.templatetags.figures import with_noun
from annotate.web.forms import ConsoleForm, option_field

DESIGN, ASSUMPTION = "design_", "assume_"


class RangeField(forms.CharField):
    """A text field for a value such as 0.1, or for a range such as 0.05-0.2."""

    def __init__(self, assumption: AssumptionField, **kwargs: Any) -> None:
        usual = "" if assumption.usual is None else f"{assumption.usual:g}"
        super().__init__(
            label=capfirst(assumption.label),
            help_text=assumption.help,
            required=False,
            max_length=40,
            initial=usual,
            **kwargs,
        )
        self.limits = (assumption.smallest, assumption.largest)

    def clean(self, value: Any) -> list[float] | None:
        text = super().clean(value).strip()
        if not text:
            return None
        try:
            return list(range_of(text, *self.limits))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


class PilotField(forms.ChoiceField):
    """The source of the assumptions: the form's fields, or a study's answers."""

    def __init__(self, pilots: Sequence[PilotChoice]) -> None:
        super().__init__(
            choices=[("", "Values in this form"), *((each.public_id, _pilot_name(each)) for each in pilots)],
            label="Source of the assumptions",
            help_text="If you choose a study, Accord estimates the assumptions from its answers and ignores the "
            "assumptions in this form.",
            required=False,
        )


class NumbersField(forms.CharField):
    """A text field for whole numbers separated by commas."""

    def clean(self, value: Any) -> list[int]:
        parts = [part.strip() for part in super().clean(value).split(",")]
        if not all(is_whole_number(part) for part in parts):
            raise forms.ValidationError("Enter whole numbers separated by commas, such as 2, 4, 6.")
        return [int(part) for part in parts]


class PlanForm(ConsoleForm):
    """The parameters of a plan. `groups` contains the fields with the headings of their groups."""

    def __init__(
        self, planning: Planning, parameters: Mapping[str, Any], pilots: Sequence[PilotChoice], data: Any = None
    ) -> None:
        self.planning = planning
        super().__init__(data, initial=initial_of(parameters), auto_id="plan_%s")
        words = planning.wording
        optional = {option.name: option for option in OPTIONAL}
        self._add(STUDY[:1], {"items": f"Number of {words.items}"})
        self._add(planning.design, prefix=DESIGN)
        self.fields["answers"] = NumbersField(
            label=capfirst(words.per_question),
            help_text="Numbers to compare, separated by commas.",
            max_length=60,
        )
        self._add(PAYMENT)
        self._add([*STUDY[1:], *WORK])
        self._add([optional["days"]], required=False)
        self._add([optional["budget"]], required=False)
        self._add([optional["target"]], required=False)
        self.fields["target"].help_text = f"The {words.target.partition(' ')[2]} must be at least this value."
        if pilots:
            self.fields["pilot"] = PilotField(pilots)
        for assumption in planning.assumptions:
            self.fields[ASSUMPTION + assumption.name] = RangeField(assumption)
        self._add([CAUGHT, *SIMULATION])
        self._dress()

    @property
    def groups(self) -> Sequence[tuple[str, Sequence[BoundField]]]:
        """The fields in groups, with the heading of each group."""
        pilot = ["pilot"] if "pilot" in self.fields else []
        names = {
            "Study": ["items", *(DESIGN + option.name for option in self.planning.design), "answers"],
            "Budget and target": ["budget", "target"],
            "Payment": [option.name for option in PAYMENT],
            "Annotators": ["annotators", *(option.name for option in WORK), "days"],
            "Assumptions": [*pilot, *(ASSUMPTION + each.name for each in self.planning.assumptions), CAUGHT.name],
            "Simulation": [option.name for option in SIMULATION],
        }
        return [(heading, [self[name] for name in fields]) for heading, fields in names.items()]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of a valid form, in the form of `PlanParameters.as_json` without the currency."""
        values = {name: value for name, value in self.cleaned_data.items() if not name.startswith((DESIGN, ASSUMPTION))}
        stated = {each.name: self.cleaned_data[ASSUMPTION + each.name] for each in self.planning.assumptions}
        if values.get("pilot"):
            stated = {}  # the pilot replaces the assumptions
        return {
            **values,
            "design": {option.name: self.cleaned_data[DESIGN + option.name] for option in self.planning.design},
            "assumptions": {name: limits for name, limits in stated.items() if limits is not None},
        }

    def _add(
        self,
        options: Sequence[Option],
        labels: Mapping[str, str] | None = None,
        *,
        prefix: str = "",
        required: bool = True,
    ) -> None:
        for option in options:
            field = option_field(option)
            field.required = required
            field.label = (labels or {}).get(option.name, option.label)
            if not required:
                field.initial = None
            self.fields[prefix + option.name] = field


class UsePlanForm(ConsoleForm):
    """The choice of a design from a plan. The value of a choice is its position in `designs`."""

    design = forms.TypedChoiceField(coerce=int, label="Design")
    change_study = forms.BooleanField(
        required=False, initial=True, label="Change the settings of the study to this design"
    )

    def __init__(self, choices: Sequence[tuple[int, str]], *args: Any, is_draft: bool, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "use_%s", **kwargs})
        self.fields["design"].choices = choices  # type: ignore[attr-defined]
        if not is_draft:
            del self.fields["change_study"]


def _pilot_name(pilot: PilotChoice) -> str:
    return f"{'This study' if pilot.is_own else pilot.title} ({with_noun(pilot.judgements, 'judgement')})"


def initial_of(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the form's fields for these parameters."""
    initial = {name: value for name, value in parameters.items() if name not in ("design", "assumptions", "answers")}
    initial["pilot"] = chosen_pilot(parameters)
    initial["items"] = parameters["items"] or None
    initial["answers"] = ", ".join(map(str, parameters["answers"]))
    initial |= {DESIGN + name: value for name, value in parameters["design"].items()}
    for name, (low, high) in parameters["assumptions"].items():
        initial[ASSUMPTION + name] = f"{low:.12g}" if low == high else f"{low:.12g}-{high:.12g}"
    return initial
