"""Serializers for the researchers' part of the API."""

from .answers import (
    AdjudicationShape,
    AnnotatorAnswerShape,
    AnswerShape,
    DecisionDraft,
    DecisionShape,
    QuestionFilterShape,
    QuestionShape,
)
from .jobs import JobReportShape, JobShape
from .people import AnnotatorShape, NeedsLookShape, ReasonShape, RestoredShape, SignShape
from .reports import (
    ComparedFigureShape,
    ComparedTableShape,
    EventShape,
    ExportRow,
    FigureValueShape,
    ReportRequest,
    ReportRow,
    ReportShape,
)
from .studies import (
    CopyRequest,
    CopyShape,
    SettingsImportRequest,
    SettingsImportShape,
    StateShape,
    StudyChange,
    StudyDraft,
    StudyShape,
)
from .uploads import FaultShape, ItemShape, LayoutShape, PendingUpload, RemovedShape, UploadDraft, UploadShape

__all__ = [
    "AdjudicationShape",
    "AnnotatorAnswerShape",
    "AnnotatorShape",
    "AnswerShape",
    "ComparedFigureShape",
    "ComparedTableShape",
    "CopyRequest",
    "CopyShape",
    "DecisionDraft",
    "DecisionShape",
    "EventShape",
    "ExportRow",
    "FaultShape",
    "FigureValueShape",
    "ItemShape",
    "JobReportShape",
    "JobShape",
    "LayoutShape",
    "NeedsLookShape",
    "PendingUpload",
    "QuestionFilterShape",
    "QuestionShape",
    "ReasonShape",
    "RemovedShape",
    "ReportRequest",
    "ReportRow",
    "ReportShape",
    "RestoredShape",
    "SettingsImportRequest",
    "SettingsImportShape",
    "SignShape",
    "StateShape",
    "StudyChange",
    "StudyDraft",
    "StudyShape",
    "UploadDraft",
    "UploadShape",
]
