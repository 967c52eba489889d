"""The items, questions and HITs of a repeated study, written from the recipe of the original instead of being built
again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from annotate.core.permissions import researcher
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.slot_counts import note_opened_slots, store_slot_counts
from annotate.data.selectors.design import shape
from annotate.data.services.design import create_hits, fingerprint, insert, places
from annotate.models import (
    GoldSet,
    GoldSetQuestion,
    Hit,
    HitQuestion,
    Item,
    Question,
    Slot,
    Study,
    Upload,
    User,
)
from annotate.results.services import save_report
from annotate.server import clock
from annotate.tasktypes import ItemDraft, QuestionDraft
from releases.contents.recipe import Recipe

REBUILDS = frozenset(["questions_per_hit"])  # settings whose change divides the questions into HITs again
DEALS = frozenset(["gold_block", "questions_per_hit", "seed"])  # settings whose change deals the gold questions again


def write_design(study: Study, recipe: Recipe, changed: frozenset[str], *, filename: str, user: User) -> None:
    """Write the items, questions, HITs, gold sets and slots of the recipe to an empty draft. `changed` names the
    settings that differ from the recipe. The caller must open a transaction first.
    """
    _write_items(study, recipe["items"], filename, user)
    keys = _write_questions(study, recipe, asked=not changed & REBUILDS)
    if changed & REBUILDS:
        own = own_judgements(recipe)
        drafts = [QuestionDraft(row["ref"], row["payload"], own.get(row["ref"])) for row in recipe["questions"]]
        create_hits(study, drafts)
    else:
        _write_hits(study, recipe, keys, dealt=not deals_again(recipe, changed))
    if deals_again(recipe, changed):
        deal_gold(study)
    _store_report(study, recipe, user)
    store_slot_counts(study)
    note_opened_slots(study)


def deals_again(recipe: Recipe, changed: frozenset[str]) -> bool:
    """Return whether the gold questions are dealt to the HITs again instead of being written."""
    asked = bool(recipe["settings"].get("gold_block"))
    return bool(recipe["gold"]) and (bool(changed & DEALS) or (asked and not recipe["gold_sets"]))


def own_judgements(recipe: Recipe) -> dict[str, int]:
    """Return each question's number of judgements, for questions whose number differs from the original's setting."""
    usual = int(recipe["settings"]["judgements"])
    return {ref: hit["slots"] for hit in recipe["hits"] for ref in hit["questions"] if hit["slots"] not in (usual, 0)}


def _write_items(study: Study, items: Sequence[Mapping[str, Any]], filename: str, user: User) -> None:
    content = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items).encode()
    upload = Upload.objects.create(
        study=study,
        purpose=Upload.Purpose.ITEMS,
        filename=filename[-255:],
        content=zlib.compress(content),
        size=len(content),
        sha256=sha256(content).hexdigest(),
        rows=len(items),
        held_out=sum(item["held_out"] for item in items),
        revealed_at=clock.now(),
        created_by=researcher(user),
    )
    insert(Item, (Item(study=study, upload=upload, **item) for item in items))


def _write_questions(study: Study, recipe: Recipe, *, asked: bool) -> dict[str, int]:
    """Insert the questions of all kinds, and return their primary keys by ref. Questions for people are inserted only
    if they are `asked` in the HITs of the recipe.
    """
    keys: dict[str, int] = {}
    kinds = {
        "questions": Question.Kind.REGULAR,
        "program_questions": Question.Kind.PROGRAM,
        "gold": Question.Kind.GOLD,
        "practice": Question.Kind.PRACTICE,
    }
    for name, kind in kinds.items():
        if name != "questions" or asked:
            new = insert(Question, (Question(study=study, kind=kind, **row) for row in recipe[name]))
            keys |= zip((row["ref"] for row in recipe[name]), new, strict=True)
    return keys


def _write_hits(study: Study, recipe: Recipe, questions: Mapping[str, int], *, dealt: bool) -> None:
    """Insert the HITs of the recipe with their slots. If the gold questions are `dealt`, insert the gold sets, too."""
    hits, sets = recipe["hits"], _write_gold_sets(study, recipe["gold_sets"], questions) if dealt else []
    gold_sets = [sets[hit["gold_set"]] if sets and hit["gold_set"] is not None else None for hit in hits]
    keys = insert(
        Hit,
        (
            Hit(study=study, number=hit["number"], gold_set_id=gold_set)
            for hit, gold_set in zip(hits, gold_sets, strict=True)
        ),
    )
    insert(
        HitQuestion,
        (
            HitQuestion(hit_id=key, question_id=questions[ref], position=position)
            for key, hit in zip(keys, hits, strict=True)
            for position, ref in enumerate(hit["questions"], start=1)
        ),
    )
    groups = dict(study.groups.values_list("name", "pk"))
    queue = places([_slots(study, recipe, hit) for hit in hits], study.order, study.pilot_hits)
    insert(
        Slot,
        (
            Slot(
                study=study,
                hit_id=keys[hit],
                place=place,
                gold_set_id=gold_sets[hit],
                group_id=groups[hits[hit]["groups"][round_]] if hits[hit]["groups"] else None,
            )
            for place, (hit, round_) in enumerate(queue, start=1)
        ),
    )


def _slots(study: Study, recipe: Recipe, hit: Mapping[str, Any]) -> int:
    """Return the number of slots, which follows a change of the judgements unless the HIT has its own number."""
    usual = int(recipe["settings"]["judgements"])
    return study.judgements if hit["slots"] == usual else int(hit["slots"])


def _write_gold_sets(
    study: Study, gold_sets: Sequence[Mapping[str, Any]], questions: Mapping[str, int]
) -> Sequence[int]:
    keys = insert(GoldSet, (GoldSet(study=study, number=each["number"]) for each in gold_sets))
    insert(
        GoldSetQuestion,
        (
            GoldSetQuestion(gold_set_id=key, question_id=questions[row["ref"]], position=row["position"])
            for key, each in zip(keys, gold_sets, strict=True)
            for row in each["questions"]
        ),
    )
    return keys


def _store_report(study: Study, recipe: Recipe, user: User) -> None:
    """Store the design report of the original, with the numbers of this study. An extension of the original design,
    which researchers could undo there, is part of the design here.
    """
    slots = Slot.objects.filter(study=study)
    in_hits = HitQuestion.objects.filter(hit__study=study)
    last = study.hits.order_by("number").last()
    drafts = [ItemDraft(item["key"], item["content"]) for item in recipe["items"] if not item["held_out"]]
    report = save_report(
        study,
        kind="design",
        parameters={"shape": shape(study), "items_sha256": fingerprint(drafts)},
        seed=study.seed,
        columns=None,
        result={
            **{name: value for name, value in recipe["design"].items() if name != "extension"},
            "questions": len(recipe["questions"]),
            "only_for_programs": len(recipe["program_questions"]),
            "hits": study.hits.count(),
            "slots": slots.count(),
            "judgements": in_hits.filter(hit__slots__isnull=False).count(),
            "last_hit": in_hits.filter(hit=last).count(),
        },
        user=user,
    )
    study.design = report
    Study.objects.filter(pk=study.pk).update(design=report)
