"""The recipe of a stored study, read from the database."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.utils.text import capfirst

from annotate.models import GoldSetQuestion, HitQuestion, Question, Questionnaire, Slot, Study
from annotate.recruiting.selectors import latest_questionnaire
from annotate.recruiting.services.questionnaires import FIELDS as QUESTIONNAIRE_FIELDS
from annotate.studies.services.settings import SETTINGS, setting_field
from annotate.tasktypes import QuestionDraft, StudyData
from releases.contents.contacts import Clean
from releases.contents.recipe import FORMAT, Recipe, answered_rows, item_rows, question_rows

# The fields of a study that a recipe leaves out, with the reason.
PEOPLE, DATES, PLACE, MONEY = "people", "dates", "this installation", "money of this installation"
PANEL = "the panel pays anyone who knows it"
STATE = "the progress of this study"
EXCLUDED = {
    "contact": PEOPLE,
    "excluded_studies": PEOPLE,
    "admitted_studies": PEOPLE,
    "protocol_number": "approved for this study only",
    "completion_code": PANEL,
    "return_url": PANEL,
    "joining_ends_at": DATES,
    "claiming_ends_at": DATES,
    "time_zone": DATES,
    "budget_cap": MONEY,
    "planned_hourly_wage": MONEY,
    "minimum_hourly_wage": MONEY,
    "id": PLACE,
    "public_id": PLACE,
    "join_token": PLACE,
    "created_at": DATES,
    "opened_at": DATES,
    "closed_at": DATES,
    "personal_data_removed_at": DATES,
    "target_paused_at": DATES,
    "target_missing": STATE,
    "state": STATE,
    "slot_openings": STATE,
    "assignments_planned": "the sum over the HITs",
    "judgements_planned": "the sum over the HITs",
    "has_quotas": "follows from the groups",
    "todo_count": STATE,
    "guidelines_version": "a repeat begins with version 1",
}
NO_LONGER_REPEATED = frozenset(["completion_code", "return_url"])  # settings in earlier releases
OUTSIDE_SETTINGS = ("title", "task_type", "options", "design")  # fields with a key of their own in the recipe
RECIPE_SETTINGS = tuple(sorted(SETTINGS - EXCLUDED.keys() - {*OUTSIDE_SETTINGS}))
GROUP_FIELDS = ("name", "places", "judgements", "population")
HITS_AT_ONCE = 2_000


def setting_label(name: str) -> str:
    """Return the label of a setting on pages, or the name itself if no page shows the setting."""
    return capfirst(str(setting_field(name).verbose_name)) if name in RECIPE_SETTINGS else name


def recipe_of(study: Study, data: StudyData, clean: Clean) -> Recipe:
    """Return the recipe of a study whose rows are `data`. `clean` removes contact data from texts.

    HITs with questions that annotators skipped or that repeated questions replaced are left out, because they follow
    from people's answers.
    """
    gold_sets, number_of_set = _gold_sets(study)
    recipe: Recipe = {
        "format": FORMAT,
        "sealed": False,
        "title": study.title,
        "task_type": study.task_type,
        "settings": {name: clean(getattr(study, name)) for name in RECIPE_SETTINGS},
        "options": clean(study.options),
        "consent": _consent(study, clean),
        "groups": list(study.groups.order_by("pk").values(*GROUP_FIELDS)),
        "questionnaires": clean(_questionnaires(study)),
        "items": item_rows(data.items),
        "questions": question_rows(data.questions),
        "program_questions": question_rows(_drafts(study, Question.Kind.PROGRAM)),
        "gold": answered_rows(data.gold),
        "practice": answered_rows(_drafts(study, Question.Kind.PRACTICE)),
        "gold_sets": gold_sets,
        "hits": _hits(study, number_of_set),
        "design": study.design.result if study.design else {},
    }
    # Decimal numbers are stored as text, as in the facts of a release.
    return json.loads(json.dumps(recipe, cls=DjangoJSONEncoder))


def _consent(study: Study, clean: Clean) -> dict[str, Any] | None:
    latest = study.consents.order_by("version").last()
    if latest is None or not latest.text:
        return None
    return {
        "text": clean(latest.text),
        "pays_stopped": latest.pays_stopped,
        "names_activity": latest.names_activity,
    }


def _questionnaires(study: Study) -> list[dict[str, Any]]:
    latest = [(purpose, latest_questionnaire(study, purpose)) for purpose in Questionnaire.Purpose.values]
    return [
        {"purpose": purpose, **{name: getattr(questionnaire, name) for name in QUESTIONNAIRE_FIELDS}}
        for purpose, questionnaire in latest
        if questionnaire and questionnaire.questions
    ]


def _drafts(study: Study, kind: str) -> list[QuestionDraft]:
    rows = study.questions.filter(kind=kind).order_by("pk").values("ref", "payload", "gold", "explanation")
    return [QuestionDraft(**row) for row in rows]


def _gold_sets(study: Study) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """Return the gold sets, and the place of each set in this list by its primary key."""
    rows = GoldSetQuestion.objects.filter(gold_set__study=study, question__kind=Question.Kind.GOLD)
    questions: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for key, ref, position in rows.order_by("position").values_list("gold_set", "question__ref", "position"):
        questions[key].append({"ref": ref, "position": position})
    of_design = study.gold_sets.filter(number__isnull=False) | study.gold_sets.filter(hits__in=_of_design(study))
    sets = list(of_design.distinct().order_by("pk").values_list("pk", "number"))
    return (
        [{"number": number, "questions": questions[key]} for key, number in sets],
        {key: place for place, (key, _) in enumerate(sets)},
    )


def _of_design(study: Study) -> QuerySet[Any]:
    return study.hits.filter(for_skipped=False, left_out_for=None)


def _hits(study: Study, number_of_set: dict[int, int]) -> list[dict[str, Any]]:
    hits = list(_of_design(study).order_by("number").values_list("pk", "number", "gold_set"))
    found = []
    for start in range(0, len(hits), HITS_AT_ONCE):
        batch = hits[start : start + HITS_AT_ONCE]
        keys = [key for key, *_ in batch]
        refs: dict[int, list[str]] = defaultdict(list)
        in_hits = HitQuestion.objects.filter(hit__in=keys).order_by("hit", "position")
        for key, ref in in_hits.values_list("hit", "question__ref"):
            refs[key].append(ref)
        groups: dict[int, list[str | None]] = defaultdict(list)
        slots = Slot.objects.filter(study=study, hit__in=keys).order_by("place")
        for key, group in slots.values_list("hit", "group__name"):
            groups[key].append(group)
        found += [
            {
                "number": number,
                "questions": refs[key],
                "slots": len(groups[key]),
                "groups": [name for name in groups[key] if name is not None],
                "gold_set": number_of_set.get(gold_set),
            }
            for key, number, gold_set in batch
            if refs[key]
        ]
    return found
