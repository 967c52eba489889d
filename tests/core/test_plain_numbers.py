"""Tests that numbers in an unusual notation are refused wherever people or programs enter numbers."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest
from django import forms
from django.db import models
from django.test import Client

from accord_core.exchange.numbers import is_plain_number, read_decimal, read_number, read_whole
from annotate import tasktypes
from annotate.commands.main import main
from annotate.core.services.credentials import new_api_token
from annotate.models import Study
from annotate.pay.forms import read_amount, read_dues
from annotate.server.refusals import Refused
from annotate.studies.services.settings import SETTINGS
from annotate.studies.services.study import create_study
from annotate.tasktypes.options import InvalidOptions, Option, clean_options
from annotate.web.forms import ConsoleForm
from tests.api.openapi import api_schema
from tests.core.test_permissions import API
from tests.factories import UserFactory
from tests.web.study_access.routes import ROUTES
from tests.web.study_access.visitors import Two

UNUSUAL = ["１２", "1_0", "١٢", "+5", "1,000", "nan", "inf", "1e", "0x10", "½"]
PACKAGES = ["annotate", "alignment_ui", "bws", "evaluation", "layouts", "paraphrase", "releases", "reporting"]


@pytest.mark.parametrize("text", UNUSUAL)
@pytest.mark.parametrize("read", [read_number, read_decimal, read_whole])
def test_unusual_notations_are_refused(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        read(text)


@pytest.mark.parametrize("text", ["12", "-1.50", ".5", "5.", "1e-05", " 1e3", "0"])
def test_usual_numbers_are_read(text: str) -> None:
    assert is_plain_number(text)
    assert read_number(text) == float(text)


class Numbers(ConsoleForm):
    whole = forms.IntegerField()
    decimal = forms.DecimalField()
    fraction = forms.FloatField()
    optional = forms.IntegerField(required=False)


@pytest.mark.parametrize("text", UNUSUAL)
def test_every_number_in_a_form_is_plain(text: str) -> None:
    assert Numbers(dict.fromkeys(Numbers.base_fields, text)).errors.keys() == Numbers.base_fields.keys()
    with pytest.raises(Refused, match=r"such as 1\.50"):
        read_amount(text)
    assert not Numbers({"whole": "12", "decimal": "-1.50", "fraction": "1e-3", "optional": ""}).errors


def test_every_form_with_numbers_is_a_form_of_the_console() -> None:
    """The base class checks the numbers, including those of fields that a form adds to itself."""
    for name in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            if re.search(r"\.(forms|console|views)\b", module.name):
                importlib.import_module(module.name)
    found = [each for each in subclasses(forms.BaseForm) if each.__module__.split(".")[0] in PACKAGES]
    assert len(found) > 40
    assert not [each for each in found if _numeric(each) and not issubclass(each, ConsoleForm)]


def subclasses(kind: type) -> Iterator[Any]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def _numeric(form: Any) -> bool:
    return any(isinstance(field, forms.IntegerField | forms.DecimalField) for field in form.base_fields.values())


@pytest.mark.parametrize("text", UNUSUAL)
def test_the_shares_of_a_payment_are_plain(text: str) -> None:
    for value in (f"quiet-heron {text} 0", f"quiet-heron 3 {text}"):
        with pytest.raises(Refused):
            read_dues([value])


@pytest.mark.parametrize("text", UNUSUAL)
def test_options_of_task_types_are_plain(text: str) -> None:
    for task in tasktypes.installed():
        for option in task.options:
            if option.kind in ("integer", "number"):
                with pytest.raises(InvalidOptions):
                    clean_options([option], {option.name: text})
    assert clean_options([Option("n", "N", 1, "integer")], {"n": "12"}) == {"n": 12}


@pytest.mark.django_db
def test_every_setting_is_plain() -> None:
    """`accord study create --set` passes the settings as text."""
    user = UserFactory()
    number = models.IntegerField | models.DecimalField | models.FloatField
    names = [name for name in SETTINGS if isinstance(Study._meta.get_field(name), number)]
    assert {"reward", "budget_cap", "questions_per_hit", "rule_threshold"} <= set(names)
    for text in UNUSUAL[:2]:
        settings: dict[str, Any] = dict.fromkeys(names, text)
        with pytest.raises(Refused) as refusal:
            create_study(user=user, title="T", task_type="bws", **settings)
        assert refusal.value.fields.keys() >= set(names), text
    assert not Study.objects.exists()


def commands(command: click.Command, context: click.Context) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner, name
            yield from commands(inner, context)


@pytest.mark.nightly
def test_every_number_on_the_command_line_is_plain() -> None:
    tried, faults = set(), []
    for command in commands(main, click.Context(main)):
        for option in (option for option in command.params if not option.is_eager):
            if _accepts(option, "1") and not _accepts(option, "word"):
                tried.add((command.name, option.name))
                faults += [f"{command.name} {option.opts} {text}" for text in UNUSUAL if _accepts(option, text)]
    assert not faults, "\n".join(faults)
    assert len(tried) > 60


def _accepts(option: click.Parameter, text: str) -> bool:
    context = click.Context(click.Command("any"))
    try:
        value: Any = option.type.convert(text, option, context)
        if option.callback:
            option.callback(context, option, (value,) if option.multiple else value)
    except click.UsageError:
        return False
    return True


@pytest.fixture(scope="module")
def two(share: Callable[..., Two]) -> Two:
    return share(Two)


@pytest.mark.nightly
@pytest.mark.django_db
def test_every_number_in_the_api_is_plain(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operation that accepts a number refuses the number as text in an unusual notation, before anything else
    about the request is checked.
    """
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)
    client = Client(headers={"Authorization": f"Token {new_api_token(two.mine.owner, 'script')[1]}"})
    schema = api_schema()
    tried, faults = 0, []
    for route in (route for route in ROUTES if route.namespace == "api"):
        path = route.path(two.ids(route, two.mine))
        for method, operation in _operations(schema, route.name, path):
            names = _numbers(schema, operation)
            tried += len(names)
            for text in UNUSUAL[: 2 * bool(names)]:  # the fields share the reading, which the tests above try with all
                body = (API.get((method, route.name), (None, None))[1] or {}) | dict.fromkeys(names, text)
                response = client.generic(method.upper(), path, json.dumps(body), content_type="application/json")
                refused = response.json().get("fields", {}) if response.status_code == 400 else {}
                faults += [
                    f"{method} {route.name} {name}={text}: {response.status_code} {response.text[:80]}"
                    for name in names
                    if name not in refused
                ]
    assert not faults, "\n".join(faults)
    assert tried > 40


def _operations(schema: Any, name: str, path: str) -> Iterator[tuple[str, Any]]:
    for template, methods in schema["paths"].items():
        if re.fullmatch(re.sub(r"\\{\w+\\}|\{\w+\}", "[^/]+", template), path):
            yield from ((method, each) for method, each in methods.items() if "requestBody" in each)


def _numbers(schema: Any, operation: Any) -> list[str]:
    content = operation["requestBody"]["content"].get("application/json")
    part = content["schema"] if content else {}
    if "$ref" in part:
        part = schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[1]]
    properties = part.get("properties", {})
    return [
        name
        for name, each in properties.items()
        if each.get("type") in ("integer", "number") or each.get("format") == "decimal"
    ]
