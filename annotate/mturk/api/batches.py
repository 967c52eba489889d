"""The API operation that imports the results of a Mechanical Turk batch."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.mturk.services.batches import CHANGES, STOP, import_results
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainJSONParser
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import FileDraft


class ResultFileDraft(FileDraft):
    batch = serializers.CharField(
        max_length=100,
        default="",
        allow_blank=True,
        help_text="Name of the batch, if the study has several batches with the same assignment IDs.",
    )


class ImportOptions(serializers.Serializer):
    skip_faulty = serializers.BooleanField(
        default=False, help_text="Skip assignments whose answers cannot be read, and import all other assignments."
    )
    changes = serializers.ChoiceField(
        choices=list(CHANGES),
        default=STOP,
        help_text="What to do if imported assignments have changed: `stop` imports nothing, `take` replaces them, and "
        "`keep` keeps the imported version.",
    )


class BatchResultsDraft(ImportOptions, ResultFileDraft):
    dry_run = serializers.BooleanField(default=False, help_text="Return the numbers without importing anything.")


class BatchResultsShape(serializers.Serializer):
    assignments = serializers.IntegerField(help_text="Number of imported assignments.")
    answers = serializers.IntegerField(help_text="Number of imported answers.")
    repeats = serializers.IntegerField(
        help_text="Number of repeated answers. An answer is repeated if the worker had already answered the same "
        "question."
    )
    surplus = serializers.IntegerField(help_text="Imported assignments in HITs without an open slot.")
    stopped = serializers.IntegerField(help_text="Imported assignments of stopped workers.")
    known = serializers.IntegerField(help_text="Assignments that had already been imported.")
    rejected = serializers.IntegerField(help_text="Assignments that were rejected on Mechanical Turk.")
    faulty = serializers.IntegerField(
        help_text="Assignments that were skipped because their answers could not be read."
    )
    gold_left_out = serializers.IntegerField(help_text="Unanswered gold questions, which count as missed.")
    gold_added = serializers.IntegerField(
        help_text="Answered gold questions that belong to another HIT. They count as missed."
    )
    changed = serializers.IntegerField(help_text="Assignments that have changed since they were imported.")
    replaced = serializers.IntegerField(help_text="Changed assignments that were replaced with their new version.")


class BatchResultsView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    # The endpoint does not accept an Idempotency-Key, because a repeated import skips known assignments anyway.
    @extend_schema(tags=["studies"], request=BatchResultsDraft, responses={200: BatchResultsShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Import the results of a Mechanical Turk batch or, with `dry_run`, only check them. If the file contains
        errors, the error `faults` lists them, and nothing is imported. The error `changes` lists assignments that have
        changed since they were imported. Accord does not store the file, because it contains worker IDs.
        """
        target = self.study(study, may=Action.IMPORT_RESULTS)
        sent = self.validated(BatchResultsDraft)
        data = b"".join(FileDraft.read(sent))
        imported = import_results(
            target.pk,
            data,
            sent["filename"],
            user=self.user,
            skip_faulty=sent["skip_faulty"],
            dry_run=sent["dry_run"],
            batch=sent["batch"],
            changes=sent["changes"],
        )
        return Response(asdict(imported))
