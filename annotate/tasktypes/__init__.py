"""The interface between `annotate` and task types, and the registry of installed task types.

A task type is a Django application that registers an instance of `TaskType` in its `AppConfig.ready()`. No module of
`annotate` refers to a particular task type. Task types import only this package, `annotate.toolkit` (pages in the
console), `accord_core.exchange` (file formats), `accord_core.numerics` and `annotate.cli.options`.
"""

from accord_core.evaluation.measure import Difference, Measure
from accord_core.exchange.arrays import Columns
from accord_core.exchange.layout import FileColumn, Holds
from accord_core.numerics.unfinished import Measured, PilotAnswers, TooFewAnswers
from annotate.tasktypes.options import InvalidOptions, Option

from .answer_agreement import AnswerAgreement
from .answer_choices import Choices
from .by_group import BATCHES, LabelSet
from .capabilities import (
    ANSWER_FILES,
    OTHER_FORMATS,
    PROGRESS,
    RESULTS,
    ROUND,
    Export,
    Panel,
    Reports,
    Rounds,
    Shown,
    SystemFile,
    Systems,
    resolve,
)
from .careless import ChanceFigures, chance_figures
from .data import AnswerRow, MessageRow, ShownRow, SkippedRow, Stored, StudyData
from .drafts import (
    CannotBuild,
    Design,
    ItemDraft,
    ItemsRead,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Update,
)
from .elicitation import Elicitation
from .explanations import Explanation
from .figure_tables import FigureRow, FigureTable, Value, signed, value_at
from .figures import (
    Bars,
    Baseline,
    Check,
    DesignReport,
    End,
    Evaluation,
    Flag,
    Headline,
    Person,
    ReportResult,
    Table,
)
from .formats import Formats
from .gathering import Gathered, draw_held_out, gather, rounds_figures
from .grading import AnswerPart, Grade, InvalidAnswer, Mark
from .label_errors import ERROR_SAMPLE, FinalLabels, LikelyErrors
from .methods import Methods, MethodText, Publication, with_interval
from .outcomes import AnnotationFigures, Outcome
from .paper_figures import PaperFigure, Point, agreement_by_annotator, bars_figure, labelled_figure
from .person_figures import PersonFigure
from .places import mentions_place, place_warning, with_places, with_texts
from .planning import AssumptionField, PlanInput, Planning
from .program_figures import PEOPLE, ProgramFigures
from .ranking import MOST_ROWS, RankedRow, Ranking
from .registry import get, installed, register, styles_of
from .repeats import REPEAT, report_columns, report_result
from .targets import TargetFigure
from .tasktype import GUESSER, GUESSES, Json, TaskType
from .texts import StudyTexts, UpdateTexts

__all__ = [
    "ANSWER_FILES",
    "BATCHES",
    "ERROR_SAMPLE",
    "GUESSER",
    "GUESSES",
    "MOST_ROWS",
    "OTHER_FORMATS",
    "PEOPLE",
    "PROGRESS",
    "REPEAT",
    "RESULTS",
    "ROUND",
    "AnnotationFigures",
    "AnswerAgreement",
    "AnswerPart",
    "AnswerRow",
    "AssumptionField",
    "Bars",
    "Baseline",
    "CannotBuild",
    "ChanceFigures",
    "Check",
    "Choices",
    "Columns",
    "Design",
    "DesignReport",
    "Difference",
    "Elicitation",
    "End",
    "Evaluation",
    "Explanation",
    "Export",
    "FigureRow",
    "FigureTable",
    "FileColumn",
    "FinalLabels",
    "Flag",
    "Formats",
    "Gathered",
    "Grade",
    "Headline",
    "Holds",
    "InvalidAnswer",
    "InvalidOptions",
    "ItemDraft",
    "ItemsRead",
    "Json",
    "LabelSet",
    "LikelyErrors",
    "Mark",
    "Measure",
    "Measured",
    "MessageRow",
    "MethodText",
    "Methods",
    "Option",
    "Outcome",
    "Panel",
    "PaperFigure",
    "Person",
    "PersonFigure",
    "PilotAnswers",
    "PlanInput",
    "Planning",
    "Point",
    "ProgramFigures",
    "Progress",
    "Publication",
    "QuestionDraft",
    "QuestionsRead",
    "RankedRow",
    "Ranking",
    "ReportResult",
    "Reports",
    "Rounds",
    "Shown",
    "ShownRow",
    "SkippedRow",
    "Stored",
    "StudyData",
    "StudyTexts",
    "SystemFile",
    "Systems",
    "Table",
    "TargetFigure",
    "TaskType",
    "TooFewAnswers",
    "Update",
    "UpdateTexts",
    "Value",
    "agreement_by_annotator",
    "bars_figure",
    "chance_figures",
    "draw_held_out",
    "gather",
    "get",
    "installed",
    "labelled_figure",
    "mentions_place",
    "place_warning",
    "register",
    "report_columns",
    "report_result",
    "resolve",
    "rounds_figures",
    "signed",
    "styles_of",
    "value_at",
    "with_interval",
    "with_places",
    "with_texts",
]
