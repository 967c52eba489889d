"""JSON fields whose format depends on the task type. The API schema lists the formats of all task types."""

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
    """A question as stored by Accord."""


@extend_schema_field(_component("Question"))
class QuestionField(serializers.JSONField):
    """A question as shown to annotators."""


@extend_schema_field(_component("Answer"))
class AnswerField(serializers.JSONField):
    """An answer as sent by annotators, with screen positions."""


@extend_schema_field(_component("Value"))
class ValueField(serializers.JSONField):
    """An answer as stored by Accord, with item IDs."""


@extend_schema_field(_component("Options"))
class OptionsField(serializers.DictField):
    """A task type's options."""
