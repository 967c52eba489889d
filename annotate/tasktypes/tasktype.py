"""The class that every task type implements.

A task type defines items, questions and answers. Everything else is implemented once in `annotate`: assignments, gold
questions, the quality rule, the console, exports, the API and the history. These parts call the methods below. The
methods receive and return plain data, so they can be tested without a database. `examples/plugin-template` is a
complete example.
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from accord_core.exchange.layout import FileColumn
from accord_core.numerics.gold_measures import RIGHT, Ratios, accuracy_of
from annotate.tasktypes.options import Option, clean_options

from .answer_agreement import AnswerAgreement
from .answer_choices import Choices, equal_answers
from .capabilities import NO_REPORTS, Export, Panel, Reports, Rounds, Systems
from .data import StudyData
from .drafts import Design, ItemDraft, ItemsRead, Progress, QuestionDraft, QuestionsRead, Update
from .elicitation import Elicitation
from .formats import Formats
from .grading import AnswerPart, Grade, Mark
from .label_errors import LikelyErrors
from .methods import Methods, headline_texts
from .outcomes import Outcome
from .paper_figures import PaperFigure, agreement_by_annotator
from .person_figures import PersonFigure
from .planning import Planning
from .texts import StudyTexts, UpdateTexts

Json = Any
NO_OPTIONS: Mapping[str, Json] = MappingProxyType({})
GUESSER = "guesser"
GUESSES = 16  # answers of a guesser to each gold question


class TaskType(ABC):
    """A kind of question. Abstract methods are required. Methods that are not abstract have defaults for most task
    types.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    purpose: ClassVar[str] = ""  # what annotators do, for researchers who choose a task type
    asks: ClassVar[str] = ""  # the question in English, as in the task type's strings, with the names of options
    in_setup: ClassVar[str] = ""  # the name of an option whose choice the page Set up shows
    languages_option: ClassVar[str] = ""  # the name of the first option for the languages of the items
    needed: ClassVar[str] = ""  # the name of an option without which no questions can be built
    module: ClassVar[str]  # the ES module under static/ that shows a question and reads the answer
    options: ClassVar[Sequence[Option]] = ()
    measures: ClassVar[Mapping[str, str]] = {"accuracy": "share of gold questions answered as expected"}
    measure_ratios: ClassVar[Mapping[str, Ratios]] = {"accuracy": (RIGHT,)}  # the formula of each measure, from tallies
    rule_help: ClassVar[str] = ""  # a text about the answers that the measure accepts, shown next to the quality rule
    decides: ClassVar[bool] = False  # whether reviewers are expected to decide disagreements in every study
    checks_only_new_items: ClassVar[bool] = True  # whether reports of `extend_questions` describe only new questions
    details_disagree: ClassVar[bool] = True  # whether differences that `alike` ignores are disagreements
    decisions_count: ClassVar[bool] = True  # whether reviewers' decisions change the results
    keeping: ClassVar[str] = ""  # what the results contain if a reviewer keeps all answers to a question
    balanced: ClassVar[bool] = False  # if true, the design balances screen positions, so batches keep the item order
    # Settings of a new study by name, and its texts in Markdown. Researchers can change each of these settings and
    # texts.
    settings: ClassVar[Mapping[str, Json]] = {}
    guidelines: ClassVar[str] = ""
    worked_examples: ClassVar[str] = ""
    guide: ClassVar[str] = ""  # the name of the file in `docs/`, without `.md`, that describes studies of this type
    further_texts: ClassVar[Sequence[StudyTexts]] = ()  # other default texts that `texts_in` can return, in English
    items_help: ClassVar[str] = (
        "Import a file with a header row and a column `id`. All other columns are stored as metadata."
    )
    truth_texts: ClassVar[bool] = False  # if true, `simulate` also reads texts as true values
    item_columns: ClassVar[Sequence[FileColumn]] = (FileColumn("id"),)  # the columns of an item file
    # The names of the columns that an item needs, in the order of a file without a header row. If several arrangements
    # fit a file, the first one is used. Columns with other names are recognised by their contents.
    arrangements: ClassVar[Sequence[Sequence[str]]] = ()
    filled_in: ClassVar[Mapping[str, str]] = {}  # metadata of items without such a column, which tables do not show
    plain_tabs: ClassVar[bool] = False  # if true, quotation marks in tab-separated text are part of the text
    cell_limit: ClassVar[int] = 0  # characters of a cell, if items need more than ACCORD_LIMIT_CELL
    formats: ClassVar[Formats] = Formats()  # the JSON formats of items, questions and answers, for the API reference
    update_texts: ClassVar[UpdateTexts | None] = None  # texts of the action that updates unopened questions
    # Capabilities. A task type without `systems` cannot score systems, and a task type without `batch` cannot create
    # Mechanical Turk batches.
    reports: ClassVar[Reports] = NO_REPORTS
    exports: ClassVar[Sequence[Export]] = ()
    systems: ClassVar[Systems | None] = None
    agreement: ClassVar[AnswerAgreement | None] = None  # by default, the mean of `alike`
    planning: ClassVar[Planning | None] = None  # a task type without `planning` has no page Plan
    panels: ClassVar[Sequence[Panel]] = ()
    rounds: ClassVar[Rounds | None] = None
    likely_errors: ClassVar[LikelyErrors | None] = None  # without it, Review lists the lowest agreement first
    person_figures: ClassVar[Sequence[PersonFigure]] = ()  # figures on an annotator's page
    api_urls: ClassVar[str] = ""  # a module with the URLs of API operations below `/api/v1/studies/<study>/`
    site_urls: ClassVar[str] = ""  # a module with the URLs of pages outside the console
    batch: ClassVar[bool] = False  # whether its module can also run on Mechanical Turk
    reads_archives: ClassVar[bool] = False  # whether `read_archived` can read the results of old projects
    # Dotted paths of functions of (study, user) that add the work of researchers to an example study.
    demonstrations: ClassVar[Sequence[str]] = ()

    @classmethod
    def package_folder(cls) -> Path:
        """Return the folder of the task type's package. In a package that is not part of Accord, it contains the
        translations in `locale` and the guide in `docs`.
        """
        return Path(str(sys.modules[cls.__module__.partition(".")[0]].__file__)).parent

    def begins_with(self, language: str = "en") -> dict[str, Json]:
        """Return the settings for a new study. The guidelines and worked examples are in the study's language if the
        task type provides them in it, and otherwise in English.
        """
        texts = self.texts_in(language)
        return {"instructions": texts.guidelines, "examples": texts.worked_examples, **self.settings}

    def texts_in(self, language: str, options: Mapping[str, Json] = NO_OPTIONS) -> StudyTexts:
        """Return the default texts for a BCP 47 language tag such as `de-AT`, and for a study with these options. The
        default language is English.
        """
        return self.own_texts().translated(language, self.package_folder() / "locale")

    def own_texts(self) -> StudyTexts:
        """Return the default texts in English."""
        read = {option.name: option.default for option in self.options if option.gives_meaning and option.default}
        return StudyTexts(self.guidelines, self.worked_examples, read)

    def asks_with(self, options: Mapping[str, Json], language: str) -> str:
        """Return `asks` for a study with these options. `language` is the BCP 47 language tag of its texts."""
        return self.asks

    def methods(self, facts: Mapping[str, Json], result: Mapping[str, Json]) -> Methods:
        """Return sentences about the methods of a study for a paper. `facts` contains the facts about the study, and
        `result` is the result of its latest report.

        By default, they only state the main figure of the report.
        """
        return Methods(agreement=headline_texts(result))

    def paper_figures(self, result: Mapping[str, Json]) -> Sequence[PaperFigure]:
        """Return the figures of a paper about a report. By default, this is each annotator's agreement with others."""
        return agreement_by_annotator(result)

    def elicitation(self, options: Mapping[str, Json]) -> Elicitation:
        """Return how a study with these options asks for answers, for documents that report the study."""
        return Elicitation()

    def item_languages(self, options: Mapping[str, Json], language: str) -> Sequence[str]:
        """Return the BCP 47 language tags of the items. `language` is the language of the study's texts."""
        return [language]

    def options_for(self, item: Json, columns: Mapping[str, str], language: str) -> Mapping[str, Json]:
        """Return the options whose defaults are unsuitable for a study with items such as this one. `item` is the
        contents of an item. `columns` maps metadata columns, and columns that were read under another name, to their
        names in the file. `language` is a BCP 47 language tag.
        """
        return {}

    def faults_for_items(self, options: Mapping[str, Json], content: Json) -> Mapping[str, str]:
        """Return, by option, why the options do not suit items with contents such as `content`."""
        return {}

    def warnings_for_options(self, options: Mapping[str, Json]) -> Sequence[str]:
        """Return what researchers should check in the option `needed` before they open the study."""
        return ()

    def helps_for_items(self, content: Json) -> Mapping[str, str]:
        """Return help texts that name parts of the items, by option. They replace the options' own help texts."""
        return {}

    def options_after(self, before: Mapping[str, Json], after: Mapping[str, Json], language: str) -> Mapping[str, Json]:
        """Return the options that no longer suit a draft after a researcher has changed other options."""
        return {}

    # ── import ────────────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def read_items(self, data: bytes, name: str, options: Mapping[str, Json], limits: Mapping[str, int]) -> ItemsRead:
        """Read an item file. Each error contains its line and column, and no row is skipped silently."""

    def read_again(self, content: Json, options: Mapping[str, Json]) -> Json:
        """Return an item's content as an import with these options would read it, after an option with `of_items` has
        changed. Raise ValueError if the item cannot be read in this way.
        """
        return content

    def columns_of_items(self, options: Mapping[str, Json]) -> Sequence[FileColumn]:
        """Return the columns of an item file in a study with these options."""
        return self.item_columns

    def file_columns(self, options: Mapping[str, Json], *, of_items: bool) -> Sequence[FileColumn]:
        """Return the columns of an item file, or of a file of gold or practice questions."""
        return self.columns_of_items(options) if of_items else self.gold_columns(options)

    def is_table(self, text: bytes, name: str) -> bool:
        """Return whether delimited text or JSON in UTF-8 is a table whose columns researchers can choose. Files in
        other formats, such as alignments, are passed to the readers as they are.
        """
        return True

    def gold_columns(self, options: Mapping[str, Json]) -> Sequence[FileColumn]:
        """Return the columns in a file of gold or practice questions."""
        return ()

    @abstractmethod
    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Json], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        """Read a file of gold or practice questions with their expected answers."""

    def clean_options(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Return all options with their types checked and default values filled in. Raise `InvalidOptions` on
        errors.
        """
        return clean_options(self.options, raw)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Json], seed: int, progress: Progress
    ) -> Design:
        """Return the questions. The same items, options and seed always result in the same design. Raise
        `CannotBuild`.
        """

    def extend_questions(
        self,
        new: Sequence[ItemDraft],
        old: Sequence[ItemDraft],
        data: StudyData,
        options: Mapping[str, Json],
        seed: int,
        progress: Progress,
    ) -> Design:
        """Return the questions that new items add to an open study. The report describes the extended design. Raise
        `CannotBuild`.

        `old` contains the items of the existing design. `data` contains the existing questions, with their answers and
        decisions so far. Every iteration over its rows reads the rows from the database again.

        By default, the additional questions contain only new items, and the report describes these questions.
        """
        return self.build_questions(new, options, seed, progress)

    def extends_slowly(self, options: Mapping[str, Json]) -> bool:
        """Return whether `extend_questions` takes seconds even for a few items, so that a background job must call
        it.
        """
        return False

    def updates_unopened(self, options: Mapping[str, Json]) -> bool:
        """Return whether `update_unopened` can update questions that no annotator has opened. If it can, the task type
        has `update_texts`.
        """
        return False

    def update_unopened(
        self,
        unopened: Sequence[QuestionDraft],
        data: StudyData,
        options: Mapping[str, Json],
        seed: int,
        progress: Progress,
    ) -> Update:
        """Return new payloads for unopened questions of an open study. Raise `CannotBuild`.

        The update can also contain payloads of gold questions and gold candidates, which must not change what
        annotators have already seen.
        """
        raise NotImplementedError(f"{self.name} cannot update questions.")

    def prepare_gold(
        self,
        questions: Sequence[QuestionDraft],
        data: StudyData,
        learned: Json,
        options: Mapping[str, Json],
        seed: int,
    ) -> list[QuestionDraft]:
        """Return gold questions or gold candidates that are added to a study after an update of its questions.
        `learned` comes from the latest `Update`.
        """
        return list(questions)

    @abstractmethod
    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Json], count: int, options: Mapping[str, Json], seed: int
    ) -> list[QuestionDraft]:
        """Draw `count` gold candidates. A candidate's payload must not occur in `taken`. Raise `CannotBuild`."""

    @abstractmethod
    def item_keys(self, payload: Json) -> Sequence[str]:
        """Return the keys of the question's items."""

    def question_content(self, payload: Json) -> Json:
        """Return the part of a gold question's payload that comes from the question's own row in a file. A corrected
        file is compared with it. By default, this is the whole payload.
        """
        return payload

    def item_texts(self, content: Json) -> Sequence[str]:
        """Return the texts in an item that must not occur in both the training data and the test data of a release.

        By default, these are all texts and all lists of tokens in the item's content.
        """
        named = content.items() if isinstance(content, Mapping) else ()
        texts = []
        for name, value in named:
            if isinstance(value, list) and all(isinstance(token, str) for token in value):
                value = " ".join(value)
            if isinstance(value, str) and not name.startswith("_"):
                texts.append(value)
        return texts

    def shuffle(self, payload: Json, generator: np.random.Generator) -> Json:
        """Return the order of the items in one assignment. This order is stored with the answer. Empty by default."""
        return []

    def arrange(self, payload: Json, beside: Sequence[Json], generator: np.random.Generator) -> Json:
        """Return the value of `shown` for one assignment. `beside` contains the payloads of the assignment's regular
        questions.

        By default, this is the result of `shuffle`. A task type whose gold questions have several variants can also
        choose a variant here, so that annotators cannot distinguish gold questions from the questions beside them. The
        variant can depend only on `payload` and `beside`, because all annotators of a HIT must get the same variant.
        `generator` is different for each annotator.
        """
        return self.shuffle(payload, generator)

    @abstractmethod
    def present(
        self, payload: Json, shown: Json, items: Mapping[str, Json], options: Mapping[str, Json]
    ) -> dict[str, Json]:
        """Return the question as sent to the browser, without keys or expected answers. `items` maps item keys to their
        contents.
        """

    def present_shared(self, options: Mapping[str, Json]) -> dict[str, Json]:
        """Return the entries in the result of `present` that are the same for all questions. A Mechanical Turk page
        includes these shared entries only once.
        """
        return {}

    def features(
        self, payload: Json, shown: Json, items: Mapping[str, Json], options: Mapping[str, Json]
    ) -> Mapping[str, float]:
        """Return the visible features of an unanswered question as numbers by name, such as the number of candidates. A
        design check compares gold questions with other questions by these features. The arguments are those of
        `present`.
        """
        return {}

    def keys_on_screen(self, payload: Json, shown: Json) -> Sequence[str]:
        """Return the keys of the question's items in screen order."""
        return self.item_keys(payload)

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def clean(self, payload: Json, shown: Json, raw: Json, options: Mapping[str, Json]) -> Json:
        """Convert a browser's answer to the value that is stored. Raise `InvalidAnswer`.

        In `clean`, `reveal` and `present`, `shown` is empty if the order was not shuffled. Researchers answer gold
        candidates in the original order of the question.
        """

    def read_archived(self, payload: Json, cells: Mapping[str, str], options: Mapping[str, Json]) -> Json:
        """Return the stored value of an answer in a Mechanical Turk results file that was not created by Accord.

        `cells` contains the answer columns without the prefix `Answer.`. Like `clean`, the method checks the answer.
        Raise `InvalidAnswer` with the name of the column as its path. A task type that implements this method sets
        `reads_archives`.
        """
        raise NotImplementedError(f"{self.name} cannot read the results of old projects.")

    @abstractmethod
    def reveal(self, payload: Json, shown: Json, value: Json) -> Json:
        """Convert a stored value or an expected answer to the browser's format. `reveal` is the inverse of `clean`."""

    @abstractmethod
    def grade(self, payload: Json, gold: Json, value: Json, options: Mapping[str, Json]) -> Grade:
        """Compare a stored value with the expected answer."""

    def missed(self, payload: Json, gold: Json) -> Grade:
        """Return the worst possible grade for an unanswered gold question, with the same tallies as `grade`."""
        return Grade.of(passed=False)

    def accuracy(self, tallies: Mapping[str, float], measure: str) -> float | None:
        """Return the accuracy in [0, 1] under one of `measures`, calculated from the summed tallies, or None if there
        are no graded answers.

        By default, the accuracy follows `measure_ratios`, from which the operating curves of the quality rule are also
        calculated.
        """
        return accuracy_of(tallies, self.measure_ratios[measure])

    def careless_answers(
        self, payload: Json, options: Mapping[str, Json], generator: np.random.Generator
    ) -> Mapping[str, Sequence[Json]]:
        """Return, as stored values, the answers of annotators who do not read the question. The keys are names for such
        annotators, and each value contains equally likely answers. The keys must be the same for all questions.

        The key `guesser` is required. By default, there is only a guesser, with 16 careless answers from `simulate`.
        """
        truth = dict.fromkeys(self.item_keys(payload), 0.5)
        raw = [self.simulate(payload, [], truth, options, True, generator) for _ in range(GUESSES)]
        return {GUESSER: [self.clean(payload, [], each, options) for each in raw]}

    def agreed(self, values: Sequence[Json]) -> Json | None:
        """Return the answer on which all annotators agree, or None if their answers differ."""
        return values[0] if values and all(value == values[0] for value in values) else None

    def alike(self, payload: Json, one: Json, other: Json, options: Mapping[str, Json]) -> float:
        """Return the similarity of two stored values, from 0 to 1. The order of the values has no effect.

        By default, this is the share of equal fields.
        """
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            names = one.keys() | other.keys()
            return sum(one.get(name) == other.get(name) for name in names) / len(names) if names else 1.0
        return float(one == other)

    def ignored_by_alike(self, options: Mapping[str, Json]) -> str:
        """Return a sentence for reviewers about what `alike` ignores, or an empty string."""
        return ""

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        """Return the final results for comparing a study with a repeat of it. `data` contains at least one judgement. A
        task type without outcomes compares only the agreement between annotators.
        """
        return []

    def choices(self, payload: Json, values: Sequence[Json], options: Mapping[str, Json]) -> Sequence[Choices]:
        """Return the choices in stored answers to one question, for the test of copied answers. By default, an answer
        is one choice.
        """
        return [equal_answers(values)]

    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        """Return a mapping from refs to the number of additional judgements that each question needs, for example to
        resolve a tie.
        """
        return {}

    @abstractmethod
    def simulate(
        self,
        payload: Json,
        shown: Json,
        truth: Mapping[str, Json],
        options: Mapping[str, Json],
        careless: bool,
        generator: np.random.Generator,
    ) -> Json:
        """Return a simulated annotator's answer in the browser's format.

        `truth` maps the keys of items to a number in [0, 1] or to a value that the task type defines. For a question
        without items, it maps the empty string to the expected answer, or to None.
        """

    def read_truth(self, data: bytes, name: str, items: Mapping[str, Json]) -> Mapping[str, Json] | None:
        """Return the true values in a file whose format belongs to the task type, or None for a table of true values.

        `items` maps the key of each item to its content, in the order of import, because some formats identify items by
        their position. Raises TableError with every error in the file.
        """
        return None

    def reviewers_decide(self, options: Mapping[str, Json], judgements: int) -> bool:
        """Return whether reviewers are expected to decide all disagreements in a study with this number of judgements
        per question.
        """
        return self.decides

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Json) -> list[str]:
        """Return an item's texts, which researchers can read and search in the console. By default, the method returns
        all fields of the item.
        """
        return [_as_text(part) for part in content.values()] if isinstance(content, Mapping) else [str(content)]

    def item_parts(self, content: Json) -> Mapping[str, Json]:
        """Return the parts of an item that item tables show, by column name. List elements are separated by commas. By
        default, the method returns all fields whose names do not begin with an underscore.
        """
        if not isinstance(content, Mapping):
            return {"content": content}
        return {name: part for name, part in content.items() if not name.startswith("_")}

    def in_words(self, payload: Json, shown: Json, value: Json, options: Mapping[str, Json]) -> str:
        """Describe a stored value in words. If a question's items are in their original order, `shown` is empty."""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def marks(self, payload: Json, value: Json, options: Mapping[str, Json]) -> Sequence[Mark]:
        """Return the badges that show how a stored value rates each item in the question."""
        return ()

    # ── texts for annotators ──────────────────────────────────────────────────────────────────────────────────────
    def question_texts(self, payload: Json, contents: Mapping[str, Json]) -> Sequence[str]:
        """Return the question's texts, except those that `differing_parts` repeats. `contents` maps keys to items."""
        return ()

    def place_texts(self, payload: Json, contents: Mapping[str, Json]) -> Sequence[str]:
        """Return the texts of the items that `shuffle` orders, in the question's own order. Empty by default."""
        return ()

    def differing_parts(
        self, payload: Json, given: Json, expected: Json, contents: Mapping[str, Json], options: Mapping[str, Json]
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        """Describe a stored value and the expected value, for the annotator who gave the answer.

        A task type with long answers describes only the parts in which the two values differ. `contents` maps keys to
        items.
        """
        own, right = (self.in_words(payload, [], value, options) for value in (given, expected))
        return [AnswerPart("", [own])], [AnswerPart("", [right])]

    def describe_measure(self, measure: str) -> str:
        """Describe one of `measures` to annotators, in their language if the task type has translations."""
        return self.measures[measure]


def _as_text(part: Json) -> str:
    return " ".join(map(str, part)) if isinstance(part, list) else str(part)
