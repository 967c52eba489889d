"""The recipe of a study, with everything that a repeat needs. A release contains the recipe as `study.json`, in the
format that `study.schema.json` describes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from annotate.tasktypes import InvalidAnswer, ItemDraft, QuestionDraft, StudyData, TaskType
from releases.contents.archive import UnreadableRelease
from releases.contents.storable import require_storable

RECIPE = "study.json"
NOTE = "everything that is needed to repeat the study, without people"
FORMAT = 1
SCHEMA = Path(__file__).with_name("study.schema.json")
QUESTIONS = ("questions", "program_questions", "gold", "practice")
Json = Any
Recipe = dict[str, Json]


class UnreadableRecipe(UnreadableRelease):
    """Error raised for a recipe that cannot be read."""


def item_rows(items: Iterable[ItemDraft]) -> list[dict[str, Json]]:
    """Return the items as the recipe lists them."""
    return [
        {"key": item.key, "content": item.content, "metadata": item.metadata, "held_out": item.held_out}
        for item in items
    ]


def question_rows(questions: Iterable[QuestionDraft]) -> list[dict[str, Json]]:
    """Return the design's questions as the recipe lists them."""
    return [{"ref": question.ref, "payload": question.payload} for question in questions]


def answered_rows(questions: Iterable[QuestionDraft]) -> list[dict[str, Json]]:
    """Return gold or practice questions as the recipe lists them."""
    return [
        {"ref": each.ref, "payload": each.payload, "gold": each.gold, "explanation": each.explanation}
        for each in questions
    ]


def recipe_file(recipe: Recipe) -> bytes:
    return (json.dumps(recipe, ensure_ascii=False, indent=1) + "\n").encode()


def read_recipe(data: bytes) -> Recipe:
    """The inverse of `recipe_file`. Raises `UnreadableRelease`."""
    try:
        recipe: Recipe = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnreadableRecipe(f"{RECIPE} is not JSON in UTF-8: {error}.") from error
    require_storable(recipe, RECIPE)
    if isinstance(recipe, dict) and isinstance(recipe.get("format"), int) and recipe["format"] > FORMAT:
        raise UnreadableRecipe(
            f"{RECIPE} has format {recipe['format']}, but this version of Accord reads formats up to {FORMAT}. Update "
            "Accord, then repeat the study."
        )
    for fault in _validator().iter_errors(recipe):
        raise UnreadableRecipe(f"{RECIPE} does not match its schema at {fault.json_path}: {fault.message[:200]}.")
    _refuse_dangling(recipe)
    return recipe


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(recipe_schema())


def recipe_schema() -> Recipe:
    """Return the JSON Schema of `study.json`."""
    schema: Recipe = json.loads(SCHEMA.read_bytes())
    return schema


def _refuse_dangling(recipe: Recipe) -> None:
    """Raise `UnreadableRecipe` if a list refers to a question, set or group that the recipe does not contain."""
    for name, key in (("items", "key"), ("groups", "name"), ("hits", "number")):
        _refuse_repeated(name, (row[key] for row in recipe[name]))
    _refuse_repeated("questions", (row["ref"] for name in QUESTIONS for row in recipe[name]))
    questions, gold = ({row["ref"] for row in recipe[name]} for name in ("questions", "gold"))
    groups = {row["name"] for row in recipe["groups"]}
    for hit in recipe["hits"]:
        place = f"HIT {hit['number']}"
        _refuse_unknown(place, "question", hit["questions"], questions)
        _refuse_unknown(place, "group", hit["groups"], groups)
        if hit["groups"] and len(hit["groups"]) != hit["slots"]:
            raise UnreadableRecipe(f"{RECIPE}, {place} has {hit['slots']} slots, but {len(hit['groups'])} groups.")
        if hit["gold_set"] is not None and hit["gold_set"] >= len(recipe["gold_sets"]):
            raise UnreadableRecipe(f"{RECIPE}, {place} refers to the gold set {hit['gold_set']}, which is missing.")
    _refuse_repeated("gold sets", (row["number"] for row in recipe["gold_sets"] if row["number"] is not None))
    for number, gold_set in enumerate(recipe["gold_sets"]):
        refs = [row["ref"] for row in gold_set["questions"]]
        _refuse_unknown(f"gold set {number}", "gold question", refs, gold)
        _refuse_repeated(f"gold set {number}", refs)


def refuse_payloads(recipe: Recipe, task: TaskType, options: Mapping[str, Json]) -> None:
    """Raise `UnreadableRecipe` if a question contains an item that is not in the recipe, or if the question, its items
    or its expected answer do not have the task type's format. Annotators could otherwise not work on its HIT.
    """
    contents = {row["key"]: row["content"] for row in recipe["items"]}
    for name in QUESTIONS:
        for row in recipe[name]:
            place = f"the question {row['ref']}"
            try:
                keys = [str(key) for key in task.item_keys(row["payload"])]
                _refuse_unknown(place, "item", keys, contents.keys())
                _try_out(row, {key: contents[key] for key in keys}, task, options)
            except UnreadableRecipe:
                raise
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise UnreadableRecipe(f"{RECIPE}, {place} does not have the format of {task.name}.") from error


def _try_out(row: Recipe, contents: Mapping[str, Json], task: TaskType, options: Mapping[str, Json]) -> None:
    """Show the question and, if it has an expected answer, show and grade this answer."""
    payload = row["payload"]
    task.present(payload, [], contents, options)
    task.features(payload, [], contents, options)
    task.question_texts(payload, contents)
    if "gold" not in row:
        return
    expected = value = row["gold"]
    revealed = task.reveal(payload, [], expected)
    with suppress(InvalidAnswer):  # an expected answer can be older than an option that no longer allows it
        value = task.clean(payload, [], revealed, options)
    task.grade(payload, expected, value, options)
    task.differing_parts(payload, value, expected, contents, options)
    task.in_words(payload, [], expected, options)


def _refuse_repeated(name: str, keys: Iterable[Json]) -> None:
    for key, times in Counter(keys).items():
        if times > 1:
            raise UnreadableRecipe(f"{RECIPE}, {name}: {key} appears {times} times.")


def _refuse_unknown(place: str, noun: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise UnreadableRecipe(f"{RECIPE}, {place} refers to the {noun} {name}, which is missing.")


def recipe_faults(recipe: Recipe, data: StudyData) -> Iterator[str]:
    """Yield the parts of the recipe that differ from the release's raw rows."""
    facts = data.facts
    rows: dict[str, Json] = {
        "title": facts["title"],
        "task_type": facts["task_type"],
        "options": facts["options"],
        "items": item_rows(data.items),
        "questions": question_rows(data.questions),
        "gold": answered_rows(data.gold),
    }
    rows = json.loads(json.dumps(rows))
    yield from (f"{name} differ from the raw annotations" for name, value in rows.items() if recipe[name] != value)
    settings = recipe["settings"]
    for name in settings.keys() & facts.keys():
        if str(settings[name]) != str(facts[name]) and _number(settings[name]) != _number(facts[name]):
            yield f"the setting {name} is {settings[name]!r}, but {facts[name]!r} in the raw annotations"
    hits = Counter(tuple(refs) for refs in data.hits)
    hits.subtract(tuple(hit["questions"]) for hit in recipe["hits"])
    if min(hits.values(), default=0) < 0:
        yield "hits differ from the raw annotations"


def _number(value: Json) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def recipe_from_raw(data: StudyData) -> tuple[Recipe, list[str]]:
    """Return a recipe from the raw rows of a release without `study.json`, and the names of the parts that such a
    release does not contain. Gold sets are dealt again, with the same seed. Raises KeyError if a fact is missing.
    """
    facts = data.facts
    settings = {name: facts[name] for name in _IN_FACTS if name in facts}
    settings |= {name: str(value) for name, value in settings.items() if isinstance(value, float)}  # decimal numbers
    recipe: Recipe = {
        "format": FORMAT,
        "sealed": False,
        "title": facts["title"],
        "task_type": facts["task_type"],
        "settings": settings,
        "options": facts["options"],
        "consent": {"text": facts["consent"], "pays_stopped": None, "names_activity": False}
        if facts.get("consent")
        else None,
        "groups": [],
        "questionnaires": [],
        "items": item_rows(data.items),
        "questions": question_rows(data.questions),
        "program_questions": [],
        "gold": answered_rows(data.gold),
        "practice": [],
        "gold_sets": [],
        "hits": [
            {"number": number, "questions": list(refs), "slots": facts["judgements"], "groups": [], "gold_set": None}
            for number, refs in enumerate(data.hits, start=1)
        ],
        "design": {},
    }
    return recipe, ["practice questions", "questionnaires", "groups and quotas", "gold sets", "slots per HIT"]


_IN_FACTS = (
    *("language", "direction", "instructions", "examples", "eligibility", "currency", "reward", "judgements"),
    *("questions_per_hit", "gold_block", "seed", "rule_measure", "rule_minimum", "rule_unit", "rule_threshold"),
    *("pilot_hits", "pilot_counts"),
)
