"""Serializers for uploaded files and items."""

from __future__ import annotations

from rest_framework import serializers

from accord_core.exchange.encoding import ENCODINGS
from accord_core.exchange.layout import DELIMITERS, JSON_ROWS, NO_TABLE
from annotate.data.known_rows import KnownRows
from annotate.models import Item, Upload
from annotate.web.api.shapes import FileDraft, JobShape
from annotate.web.api.typed import ContentField


class RemovedShape(serializers.Serializer):
    removed = serializers.IntegerField(help_text="Number of removed items or questions.")


class FaultShape(serializers.Serializer):
    line = serializers.IntegerField(allow_null=True)
    column = serializers.CharField(allow_null=True)
    message = serializers.CharField()


class LayoutShape(serializers.Serializer):
    """The settings that determine how a table is read."""

    sheet = serializers.CharField(default="", allow_blank=True, help_text="The sheet of an Excel workbook.")
    encoding = serializers.ChoiceField(
        list(ENCODINGS),
        default=None,
        allow_null=True,
        help_text="By default, Accord detects the encoding. Files that are valid UTF-8 are read as UTF-8.",
    )
    delimiter = serializers.ChoiceField(
        [*DELIMITERS, JSON_ROWS, NO_TABLE],
        default=None,
        allow_null=True,
        help_text="A comma, a semicolon, a tab, a space (for tables from R), an empty text if each line is one text, "
        "`json` for JSON with one object per row, or `other` for files that are not tables. By default, Accord detects "
        "the delimiter.",
    )
    header = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=0,
        help_text="Line of the header row. `null` is the first row with values, and 0 means that the first row "
        "contains data. In this case, the columns are named “column 1”, “column 2” and so on.",
    )
    header_rows = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=2,
        help_text="Number of rows in the header. The names in two rows are joined.",
    )
    columns = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        default=dict,
        help_text="The name that Accord uses for each column in the file. An empty name excludes the column. If the "
        "request names no columns, Accord matches the columns by name.",
    )
    skipped = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        default=list,
        max_length=1000,
        help_text="Line numbers of the rows that are skipped.",
    )


class UploadDraft(FileDraft):
    purpose = serializers.ChoiceField(Upload.Purpose.choices)


class ImportShape(serializers.Serializer):
    known = serializers.ChoiceField(
        [choice.value for choice in KnownRows],
        default=KnownRows.STOP.value,
        help_text="What to do if the study already contains some of the items or questions: import nothing (`stop`), "
        "add only the new rows (`add`), add them and change the stored rows (`update`), or also remove the other rows "
        "of the files that contain the stored rows (`replace`).",
    )


class ChoiceShape(serializers.Serializer):
    known = serializers.ChoiceField(["add", "update", "replace"])
    adds = serializers.IntegerField(help_text="Number of rows added by this choice.")
    changes = serializers.IntegerField(help_text="Number of stored rows changed by this choice.")
    removes = serializers.IntegerField(help_text="Number of stored rows removed by this choice.")
    possible = serializers.BooleanField()
    locked = serializers.IntegerField(help_text="Number of rows that cannot be changed or removed.")
    faults = FaultShape(many=True, help_text="The first rows that cannot be changed or removed.")


class GradesShape(serializers.Serializer):
    """The effects of new expected answers on grades, if stored gold questions are changed."""

    graded = serializers.IntegerField(help_text="Number of graded answers to the changed gold questions.")
    changed = serializers.IntegerField(help_text="Number of grades that change.")
    stopped = serializers.ListField(
        child=serializers.CharField(), help_text="Pseudonyms of the annotators that the quality rule stops."
    )
    restorable = serializers.ListField(
        child=serializers.CharField(), help_text="Stopped annotators who reach the pass mark again, by pseudonym."
    )


class KnownShape(serializers.Serializer):
    """The rows already in the study, and the effect of each option for them."""

    new = serializers.IntegerField(help_text="Number of rows whose IDs the study does not contain.")
    unchanged = serializers.IntegerField(help_text="Number of rows that are identical to the stored rows.")
    changed = serializers.IntegerField(help_text="Number of rows that differ from the stored rows.")
    absent = serializers.IntegerField(help_text="Number of other rows in the files that contain the stored rows.")
    choices = ChoiceShape(many=True)
    grades = GradesShape(allow_null=True, help_text="`null` unless expected answers change in an opened study.")


class UploadShape(serializers.Serializer):
    id = serializers.CharField()
    purpose = serializers.ChoiceField(Upload.Purpose.choices)
    filename = serializers.CharField()
    rows = serializers.IntegerField()
    importable = serializers.BooleanField()
    layout = LayoutShape(
        allow_null=True, help_text="The layout used to read the file, or `null` for files in UTF-8 that are not tables."
    )
    first_row = serializers.ChoiceField(
        ["", "data", "names", "unclear"],
        help_text="The appearance of a first row without known column names: `data`, column `names` or `unclear`. If "
        "it is unclear, `layout.header` shows how the row is read. The text is empty if the row contains a known "
        "column name, or if you have chosen the header row.",
    )
    known = KnownShape(allow_null=True, help_text="`null` if the study contains none of the rows.")
    faults = FaultShape(many=True)
    warnings = FaultShape(many=True)


class PendingUpload(serializers.Serializer):
    id = serializers.CharField()
    purpose = serializers.ChoiceField(Upload.Purpose.choices)
    filename = serializers.CharField()
    job = JobShape(help_text="The job that reads the file. Request the upload again after the job has finished.")


class ItemShape(serializers.ModelSerializer):
    id = serializers.CharField(source="key")
    content = ContentField()

    class Meta:
        model = Item
        fields = ["id", "content", "metadata", "held_out"]
