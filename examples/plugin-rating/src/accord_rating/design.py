"""Questions from items: the sets of a file, or sets that are drawn from the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.draws import draw
from accord_core.numerics.printed import with_noun
from accord_rating.options import RANKING, scales_of
from annotate.tasktypes import Bars, CannotBuild, Check, Design, DesignReport, ItemDraft, QuestionDraft

LONG = 120  # words of one question


def build(items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int) -> Design:
    """Return one question per set, in an order drawn from the seed. Raises `CannotBuild`."""
    if not items:
        raise CannotBuild("Import items first.")
    sets = [*_named(items), *_drawn(items, options, seed)]
    if options["mode"] == RANKING and (single := [group for group in sets if len(group) < 2]):
        raise CannotBuild(
            f"An order needs two items, but {with_noun(len(single), 'question has,questions have')} only one, such as "
            f"the question with the item {single[0][0].key}. Add items, or change “Items per question”."
        )
    numbered = sorted(
        ((ref, group) for ref, group in zip(_refs(sets), sets, strict=True)),
        key=lambda each: draw(seed, "order", each[0]),
    )
    questions = [QuestionDraft(ref, payload_of(group)) for ref, group in numbered]
    return Design(questions, _report(sets, options))


def candidates(
    items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
) -> list[QuestionDraft]:
    """Return new gold candidates from held-out items or, if there are none, from all items. Raises `CannotBuild`."""
    pool = [item for item in items if item.held_out] or list(items)
    known = {tuple(sorted(payload.get("items", ()))) for payload in taken}
    drawn = []
    for number in range(20):  # other sets of the same items
        for group in [*_named(pool), *_drawn(pool, {**options, "rounds": 1}, seed + number)]:
            keys = tuple(sorted(item.key for item in group))
            if keys not in known and len(group) > (options["mode"] == RANKING):
                known.add(keys)
                drawn.append(QuestionDraft(f"candidate-{len(drawn) + 1}", payload_of(group)))
            if len(drawn) == count:
                return drawn
    raise CannotBuild(
        f"Only {with_noun(len(drawn), 'more question')} can be drawn as gold candidates. Import more items with `yes` "
        "in the column `gold_only`."
    )


def payload_of(group: Sequence[ItemDraft]) -> dict[str, Any]:
    """Return the payload of a regular question."""
    return {"items": [item.key for item in group], "context": group[0].content.get("context", "")}


def _named(items: Sequence[ItemDraft]) -> list[list[ItemDraft]]:
    """Return the sets of the column `set`, in the order of the file."""
    sets: dict[str, list[ItemDraft]] = {}
    for item in items:
        if "set" in item.content:
            sets.setdefault(item.content["set"], []).append(item)
    return list(sets.values())


def _drawn(items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int) -> list[list[ItemDraft]]:
    """Divide the items without a set into sets whose sizes differ by at most one, once per round."""
    free = [item for item in items if "set" not in item.content]
    sets = []
    for number in range(options["rounds"]):
        order = sorted(free, key=lambda item: draw(seed, "round", number, item.key))
        parts = -(-len(order) // options["size"])
        sets += [order[part::parts] for part in range(parts)]
    return sets


def _refs(sets: Sequence[Sequence[ItemDraft]]) -> list[str]:
    names = [group[0].content.get("set", "") for group in sets]
    taken = set(names)
    free = (f"q{number}" for number in range(1, 2 * len(sets) + 1) if f"q{number}" not in taken)
    return [name or next(free) for name in names]


def _report(sets: Sequence[Sequence[ItemDraft]], options: Mapping[str, Any]) -> DesignReport:
    words = max(sum(len(item.content["text"].split()) for item in group) for group in sets)
    clicks = max(len(group) for group in sets) * max(1, len(scales_of(options)))
    sizes: dict[int, int] = {}
    for group in sets:
        sizes[len(group)] = sizes.get(len(group), 0) + 1
    checks = [
        Check.of("Longest question", f"{words} words", f"at most {LONG} words fit on a screen", words <= LONG),
        Check.of("Most decisions in a question", str(clicks), "at most 12 keep a question short", clicks <= 12),
    ]
    return DesignReport(checks, {"sizes": Bars("Items", "Questions", sorted(sizes.items()))})
