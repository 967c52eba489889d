"""The contents of a release: data in the usual file formats, raw annotations, the report, the data card and
checksums.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from types import MappingProxyType
from typing import Any

from accord_core.evaluation.numerics.splits import PARTS
from annotate import tasktypes
from annotate.tasktypes import Export, StudyData, TaskType
from annotate.tasktypes.row_fields import Rows
from evaluation.study_splits import (
    NOTE,
    PLACE,
    SplitPlan,
    StudySplit,
    part_note,
    part_path,
    published_rows,
    rows_by_part,
    split_of,
    with_parts,
)
from releases.contents.archive import SUMS
from releases.contents.card import data_card
from releases.contents.croissant import croissant
from releases.contents.page import NOTE as PAGE_NOTE
from releases.contents.page import PAGE, dataset_page
from releases.contents.raw import raw_files, raw_notes, study_data
from releases.contents.recipe import NOTE as RECIPE_NOTE
from releases.contents.recipe import RECIPE
from releases.contents.seal import NOTE as SEAL_NOTE
from releases.contents.seal import OPEN, SEAL
from releases.contents.tables import Table, tables_in
from reporting.forms.basis import Basis, basis
from reporting.forms.documents import document_files
from reporting.forms.rai import responsible_ai
from reporting.methods.section import methods_section
from reporting.preregistration.departures import NOTE as PREREGISTRATION_NOTE
from reporting.preregistration.departures import PATH as PREREGISTRATION
from reporting.preregistration.departures import preregistration_text
from reporting.statement import (
    counted_annotators,
    counted_answers,
    data_statement,
    simulated_annotators,
    texts_read,
)

ABOUT = "release.json"
REPORT = "report/results.json"
METADATA = "croissant.json"
TEXTS = 2
REPORT_NOTE = "every published figure, with parameters, seed and versions"


@dataclass(frozen=True)
class About:
    """The information that the authors of a release provide. `statement` contains their answers to the questions in
    `reporting.questions`, by name. `gold` states whether gold questions are sealed; earlier releases were open.

    `texts` is the version of the texts in a release. Version 0, from before the checklists and datasheets, has no
    documents in the folder `reporting`. Versions before 2 do not list the page of the dataset, describe sealed gold
    questions as if they were readable, and have no preregistration in the methods section.
    """

    version: str
    licence: str
    published: date
    creators: str = ""
    citation: str = ""
    url: str = ""
    gold: str = OPEN
    statement: Mapping[str, str] = field(default_factory=dict)
    splits: SplitPlan | None = None
    texts: int = TEXTS

    @property
    def description(self) -> dict[str, str]:
        """The values that documents state about the release."""
        names = ("version", "licence", "creators", "citation", "url")
        return {name: getattr(self, name) for name in names}

    def as_dict(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "licence": self.licence,
            "published": self.published.isoformat(),
            "creators": self.creators,
            "citation": self.citation,
            "url": self.url,
            "gold": self.gold,
            "statement": dict(self.statement),
            "splits": None if self.splits is None else self.splits.as_dict(),
            "texts": self.texts,
        }

    def cited(self, title: str) -> str:
        """Return the authors' citation, or one made from the other information, with the URL of the release."""
        named = f"{self.creators or 'Anonymous'} ({self.published.year}). {title}, version {self.version}."
        return self.citation or " ".join(filter(None, [named, self.url]))

    @classmethod
    def of(cls, stored: Mapping[str, Any], kept: Mapping[str, str]) -> About:
        """Create the object from a dictionary that `as_dict` returned. Other keys are ignored.

        `kept` contains the items whose part comes from an earlier release.
        """
        named = {"gold": OPEN, "texts": 0, **stored}
        named = {each.name: named[each.name] for each in fields(cls) if each.name != "splits"}
        plan = SplitPlan.of(stored.get("splits"), kept)
        return cls(**named | {"published": date.fromisoformat(stored["published"]), "splits": plan})


def release_files(
    task: TaskType,
    data: StudyData,
    report: Mapping[str, Any],
    about: About,
    further: Mapping[str, tuple[bytes, str]] = MappingProxyType({}),
) -> dict[str, bytes]:
    """Return a mapping from paths to the files in a release. The checksums come last. `further` files, with their
    notes, are added as they are.

    `report` is the result of `annotate.results.selectors.exports.report_document` for a report on exactly these rows.
    Its `result` must follow from these rows, because otherwise the release could not be verified.
    """
    files: dict[str, bytes] = {}
    notes: dict[str, str] = {}
    split = split_of(task, data, about.splits)
    for export in published(task):
        path = f"data/{export.filename}"
        files[path] = table(export, data, report["result"], split)
        notes[path] = " ".join(filter(None, [export.description, export.note]))
        parts = rows_by_part(export, files[path], split)
        files |= parts
        notes |= {each: part_note(each) for each in parts}
    if split is not None:
        files[PLACE], notes[PLACE] = split.file(), NOTE
    files |= raw_files(data)
    notes |= raw_notes(sealed=SEAL in further)
    files[REPORT] = json_file(report)
    notes[REPORT] = REPORT_NOTE
    files |= {path: content for path, (content, _) in further.items()}
    notes |= {path: note for path, (_, note) in further.items()}
    tables = released_tables(task, files)
    for path, (text, note) in pages(task, data, report["result"], about, split, tables, files).items():
        files[path], notes[path] = text, note
    return completed(task, data, about, files, notes, tables)


def completed(
    task: TaskType,
    data: StudyData,
    about: About,
    files: Mapping[str, bytes],
    notes: Mapping[str, str],
    tables: Sequence[Table],
) -> dict[str, bytes]:
    """Return the files of a release with its description, its metadata and, as the last file, its checksums."""
    facts = data.facts
    description = json_file({"title": facts["title"], "task_type": facts["task_type"], **about.as_dict()})
    complete = {**files, ABOUT: description}
    described = croissant(
        complete,
        {**notes, ABOUT: "description of this release"},
        tables,
        title=facts["title"],
        version=about.version,
        licence=about.licence,
        creators=about.creators,
        description=_description(task, data),
        citation=about.cited(facts["title"]),
        url=about.url,
        published=about.published,
        properties=responsible_properties(task, data, json.loads(files[REPORT])["result"], about),
        rows={f"data/{export.filename}": export.rows for export in published(task) if isinstance(export.rows, Rows)},
    )
    complete[METADATA] = json_file(described)
    return {**complete, SUMS: _sums(complete)}


def opened(files: Mapping[str, bytes]) -> tuple[TaskType, StudyData, About, StudySplit | None]:
    """Return what a release contains. Raises KeyError, TypeError, ValueError, LookupError or RecursionError if the
    release cannot be read.
    """
    data = study_data(files)
    task = tasktypes.get(data.facts["task_type"])
    kept = {row["item"]: row["split"] for row in published_rows(files) if row["kept"]}
    about = About.of(json.loads(files[ABOUT]), kept)
    return task, data, about, split_of(task, data, about.splits)


def _basis(task: TaskType, data: StudyData, result: Mapping[str, Any], about: About) -> Basis:
    return basis(task, data, result, about.statement, about.description)


def responsible_properties(task: TaskType, data: StudyData, result: Mapping[str, Any], about: About) -> dict[str, Any]:
    """Return the responsible-AI properties of the Croissant metadata. Releases from before texts of version 1 have
    none.
    """
    return responsible_ai(_basis(task, data, result, about)) if about.texts else {}


def _only_simulated(data: StudyData) -> bool:
    return {row.pseudonym for row in data.answers if row.counts} <= simulated_annotators(data)


def table(export: Export, data: StudyData, result: Mapping[str, Any], split: StudySplit | None) -> bytes:
    """Return a data file for a release. If each row of a table belongs to one item, the table has the column
    `split`.
    """
    return with_parts(export, b"".join(export.write(data, result)), split)


def released_tables(task: TaskType, files: Mapping[str, bytes]) -> list[Table]:
    """Return the tables among a release's data files, in the order of the downloads."""
    paths = [f"data/{export.filename}" for export in published(task) if export.header]
    tables = tables_in({path: files[path] for path in [*paths, PLACE] if path in files})
    return [each._replace(parts=_parts_of(each.path, files)) for each in tables]


def _parts_of(path: str, files: Collection[str]) -> dict[str, str]:
    """Return the files with each split's rows, by split."""
    paths = {part: part_path(path.removeprefix("data/"), part) for part in PARTS}
    return {part: each for part, each in paths.items() if each in files}


def pages(
    task: TaskType,
    data: StudyData,
    result: Mapping[str, Any],
    about: About,
    split: StudySplit | None,
    tables: Sequence[Table],
    files: Mapping[str, bytes],
) -> dict[str, tuple[bytes, str]]:
    """Return a mapping from each path in a release to its text and a note. These are the texts that annotators read,
    the checklists and datasheets, the data card, the page of the dataset and the methods section. `files` contains the
    tables and all files that are not texts.
    """
    texts = {path: (text.encode(), note) for path, text, note in texts_read(data.facts)}
    if about.texts:
        documents = document_files(_basis(task, data, result, about))
        texts |= {path: (text.encode(), note) for path, (text, note) in documents.items()}
    if registered := preregistration_text(data):
        texts[PREREGISTRATION] = (registered.encode(), PREREGISTRATION_NOTE)
    languages = task.item_languages(data.facts["options"], data.facts["language"])
    statement = data_statement(
        data,
        result,
        authors=about.statement,
        version=about.version,
        licence=about.licence,
        languages=languages,
        creators=about.creators,
        citation=about.citation,
        parts="" if split is None else split.statement(),
        further=bool(about.texts),
    )
    notes = {f"data/{export.filename}": export.description for export in published(task)}
    notes |= {PLACE: NOTE} if split is not None else {}
    notes |= {path: part_note(path) for each in tables for path in each.parts.values()}
    notes |= {path: note for path, note in {RECIPE: RECIPE_NOTE, SEAL: SEAL_NOTE}.items() if path in files}
    methods = methods_section(task, data, result, about.statement, with_plan=about.texts > 1).files()
    # The cards of earlier releases, which contain no recipe, do not list the methods section.
    listed = texts | methods if RECIPE in files else texts
    notes |= raw_notes(sealed=SEAL in files and about.texts > 1)
    notes |= {REPORT: REPORT_NOTE} | {path: note for path, (_, note) in listed.items()}
    page_note = {PAGE: PAGE_NOTE} if about.texts > 1 else {}
    card = data_card(
        statement,
        tables,
        title=data.facts["title"],
        languages=languages,
        licence=about.licence,
        items=sum(not item.held_out for item in data.items),
        simulated=_only_simulated(data),
        notes=page_note | notes,
    )
    page = dataset_page(
        task,
        data,
        result,
        tables,
        files,
        about=about,
        description=_description(task, data),
        languages=languages,
        simulated=_only_simulated(data),
        notes=notes,
    )
    read = {"README.md": (card.encode(), "data card with the data statement"), PAGE: (page, PAGE_NOTE)}
    return texts | read | methods


def _description(task: TaskType, data: StudyData) -> str:
    return f"{task.name}: {counted_answers(data)} from {counted_annotators(data)}."


def published(task: TaskType) -> Iterable[Export]:
    """Return the task type's downloads that belong in a release. Mechanical Turk batches do not belong in a release,
    because they contain gold questions.
    """
    return task.exports


def json_file(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _sums(files: Mapping[str, bytes]) -> bytes:
    """Return the checksums in the format that `sha256sum --check` reads."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items())).encode()
