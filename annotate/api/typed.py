"""JSON fields whose format depends on the task type. The schema of the API lists the formats of all task types."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


def _component(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


@extend_schema_field(_component("Content"))
class ContentField(serializers.JSONField):
    """The contents of an item."""


@extend_schema_field(_component("Payload"))
class PayloadField(serializers.JSONField):
    """A question in the form in which Accord stores it."""


@extend_schema_field(_component("Question"))
class QuestionField(serializers.JSONField):
    """A question as annotators see it."""


@extend_schema_field(_component("Answer"))
class AnswerField(serializers.JSONField):
    """An answer as annotators send it, with positions on the screen."""


@extend_schema_field(_component("Value"))
class ValueField(serializers.JSONField):
    """An answer as Accord stores it, with the IDs of items."""


@extend_schema_field(_component("Options"))
class OptionsField(serializers.DictField):
    """The options of a task type."""
