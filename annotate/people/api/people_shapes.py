"""Serializers of annotators."""

from __future__ import annotations

from rest_framework import serializers

from annotate.models import Annotator, Participation


class SignShape(serializers.Serializer):
    title = serializers.CharField()
    detail = serializers.CharField()
    p = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="The probability that a careful annotator's answers show this sign by chance.",
    )


class AnnotatorShape(serializers.ModelSerializer):
    platform = serializers.ChoiceField(Annotator.Platform.choices, source="annotator.platform")
    is_program = serializers.BooleanField(
        source="annotator.is_program",
        help_text="Whether the annotator is a program that joined through the API. A program's answers never count.",
    )

    class Meta:
        model = Participation
        fields = [
            "pseudonym",
            "platform",
            "is_program",
            "standing",
            "standing_reason",
            "graded",
            "tallies",
            "joined_at",
        ]


class NeedsLookShape(serializers.Serializer):
    pseudonym = serializers.CharField(source="participation.pseudonym")
    standing = serializers.ChoiceField(Participation.Standing.choices, source="participation.standing")
    signs = SignShape(many=True, help_text="The signs of careless answers, strongest evidence first.")
    agreement = serializers.FloatField(source="figures.agreement", allow_null=True, default=None)
    median_seconds = serializers.FloatField(source="figures.median_seconds", allow_null=True, default=None)


class RestoredShape(serializers.Serializer):
    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    resumable = serializers.IntegerField()
