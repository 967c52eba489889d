"""The design of a word alignment study: its sentence pairs, judgements, order and pre-alignments (Cohn et al., §2).

The design excludes pairs that contain a sentence that is too long, pairs whose lengths differ too much, and pairs that
are not equivalent. From the other pairs, the design draws a sample of each subcorpus. Pairs that need two annotations
come first. All random choices are based on a hash of the seed and the ID of the pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.exchange.cells import says_yes
from accord_core.numerics.draws import draw
from accord_core.numerics.printed import with_noun
from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words.answer import as_value
from alignment_ui.words.design_report import design_report
from alignment_ui.words.items import imported_prealignment
from alignment_ui.words.rounds import FIRST, as_start, round_marked
from alignment_ui.words.subcorpus import Subcorpus
from alignment_ui.words.suggesting import Learning, learning_from, suggest
from annotate.tasktypes import CannotBuild, Design, ItemDraft, Progress, QuestionDraft, StudyData, Update

# The built-in aligner is trained on the pairs in the design. If the design has fewer pairs, the aligner is also trained
# on pairs that were not drawn.
TRAINING_PAIRS = 3_000


def build(
    items: Sequence[ItemDraft],
    options: Mapping[str, Any],
    seed: int,
    progress: Progress,
    learning: Learning | None = None,
) -> Design:
    """Return the questions in the order of assignment, with a design report. Raises `CannotBuild`.

    With `learning`, the built-in aligner also learns from finished pairs, and the gold questions of the study get
    initial links from the same aligner.
    """
    progress(0.0, f"filtering and sampling {with_noun(len(items), 'pair')}")
    subcorpora = choose(items, options, seed)
    asked = [item for subcorpus in subcorpora for item in subcorpus.asked]
    if not asked:
        raise CannotBuild(_nothing_left(subcorpora))
    suggested, update = _suggested(subcorpora, options, seed, progress, learning)
    blank = {key for subcorpus in subcorpora for key in subcorpus.blank}
    ordered = _in_order(subcorpora, seed)
    twice = {key for subcorpus in subcorpora for key in subcorpus.twice}
    judgements = {item.key: 2 if item.key in twice else 1 for item in ordered} if options["double"] >= 0 else {}
    questions = []
    for item in ordered:
        links = suggested.get(item.key)
        payload = payload_of(item, None, links) if item.key in blank else payload_of(item, links)
        payload = round_marked(payload, learning.number if learning and learning.finished else FIRST)
        questions.append(QuestionDraft(item.key, payload, judgements=judgements.get(item.key)))
    progress(1.0, f"{with_noun(len(questions), 'pair')} to align")
    learned_from = None if learning is None else len(learning.finished)
    return Design(questions, design_report(subcorpora, suggested, options, learned_from), update)


def extend(
    new: Sequence[ItemDraft], data: StudyData, options: Mapping[str, Any], seed: int, progress: Progress
) -> Design:
    """Return the questions for items that are added to an open study. Raises `CannotBuild`.

    If the study's initial links come from the built-in aligner, the aligner also learns from the finished pairs of the
    study, unless the option `learn` is off.
    """
    return build(new, options, seed, progress, learning_from(data, seed) if learns(options) else None)


def learns(options: Mapping[str, Any]) -> bool:
    """Return whether the built-in aligner learns from finished pairs when items are added or links are suggested
    anew.
    """
    # Studies that were created before the option `learn` existed do not store the option.
    return options["prealign"] == "built-in" and bool(options.get("learn", True))


def choose(items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int) -> list[Subcorpus]:
    """Filter the pairs of each subcorpus and draw a sample. The subcorpora are sorted by name."""
    subcorpora: dict[str, Subcorpus] = {}
    for item in items:
        name = item.metadata.get(options["subcorpus"], "")
        subcorpus = subcorpora.setdefault(name, Subcorpus(name))
        subcorpus.pairs += 1
        if reason := why_not(item, options):
            subcorpus.left_out[reason] += 1
        else:
            subcorpus.spare.append(item)
    for subcorpus in subcorpora.values():
        drawn = _drawn(subcorpus.spare, options["sample"] or len(subcorpus.spare), seed, "sample")
        subcorpus.asked = [item for item in subcorpus.spare if item.key in drawn]
        subcorpus.spare = [item for item in subcorpus.spare if item.key not in drawn]
        if options["double"] > 0:
            subcorpus.twice = _drawn(subcorpus.asked, options["double"], seed, "twice")
        for part in (subcorpus.twice, {item.key for item in subcorpus.asked} - subcorpus.twice):
            members = [item for item in subcorpus.asked if item.key in part]
            subcorpus.blank |= _drawn(members, round(options["blank"] * len(members)), seed, "blank")
    return [subcorpora[name] for name in sorted(subcorpora)]


def why_not(item: ItemDraft, options: Mapping[str, Any]) -> str:
    """Return the reason why a pair is excluded, or an empty string."""
    shorter, longer = sorted((len(item.content["source"]), len(item.content["target"])))
    if longer > options["longest"]:
        return f"over {options['longest']} tokens"
    if longer > options["ratio"] * shorter:
        return f"more than {options['ratio']:g} times as long"
    column = options["equivalent"]
    if column and not says_yes(item.metadata.get(column, "")):
        return f"not equivalent (`{column}`)"
    return ""


def payload_of(item: ItemDraft, start: Alignment | None, withheld: Alignment | None = None) -> dict[str, Any]:
    """Return a question payload. The payload repeats the item's words, which are needed to check and describe answers.

    `withheld` are the links that would have been suggested to annotators of a pair that starts empty. Annotators do not
    see these links. The report compares them with the links that annotators draw.
    """
    payload = {
        "item": item.key,
        "source": item.content["source"],
        "target": item.content["target"],
        "prealignment": None if start is None else as_start(start),
    }
    return payload if withheld is None else {**payload, "withheld": as_value(withheld)}


def _suggested(
    subcorpora: Sequence[Subcorpus],
    options: Mapping[str, Any],
    seed: int,
    progress: Progress,
    learning: Learning | None,
) -> tuple[dict[str, Alignment], Update | None]:
    """Return the pre-alignments of the pairs in the design, by item key, and the update of the gold questions. Pairs
    without a pre-alignment are omitted.
    """
    asked = [item for subcorpus in subcorpora for item in subcorpus.asked]
    if options["prealign"] == "given":
        imported = {item.key: imported_prealignment(item) for item in asked}
        return {key: alignment for key, alignment in imported.items() if alignment is not None}, None
    if options["prealign"] == "none":
        return {}, None
    spare = [item for subcorpus in subcorpora for item in subcorpus.spare]
    more = _drawn(spare, max(TRAINING_PAIRS - len(asked), 0), seed, "training")
    training = [*asked, *(item for item in spare if item.key in more)]
    learning = learning or Learning([], [], FIRST)
    pairs = [*learning.gold_words(), *((item.content["source"], item.content["target"]) for item in training)]
    message = f"training the built-in aligner on {len(pairs) + len(learning.finished):,} pairs"
    suggested = suggest(pairs, learning.finished, lambda share: progress(0.1 + 0.8 * share, message))
    of_gold, links = suggested.links[: len(learning.gold)], suggested.links[len(learning.gold) :]
    update = learning.update(of_gold, suggested.network) if learning.finished else None
    return {item.key: alignment for item, alignment in zip(asked, links, strict=False)}, update


def _in_order(subcorpora: Sequence[Subcorpus], seed: int) -> list[ItemDraft]:
    """Return the pairs with two annotations, followed by all other pairs. Each group is shuffled so that every prefix
    contains an even mixture of subcorpora.
    """
    places: dict[str, tuple[bool, float]] = {}
    for subcorpus in subcorpora:
        for once in (False, True):
            part = [item for item in subcorpus.asked if (item.key not in subcorpus.twice) == once]
            part.sort(key=lambda item: draw(seed, "order", item.key))
            for rank, item in enumerate(part):
                places[item.key] = (once, (rank + draw(seed, "place", item.key)) / len(part))
    asked = [item for subcorpus in subcorpora for item in subcorpus.asked]
    return sorted(asked, key=lambda item: places[item.key])


def _drawn(items: Sequence[ItemDraft], count: int, seed: int, purpose: str) -> set[str]:
    """Return the keys of `count` randomly drawn items, or of all items if there are fewer."""
    keys = sorted((item.key for item in items), key=lambda key: draw(seed, purpose, key))
    return set(keys[:count])


def _nothing_left(subcorpora: Sequence[Subcorpus]) -> str:
    reasons = sum((subcorpus.left_out for subcorpus in subcorpora), Counter[str]())
    if not reasons:
        return "Import sentence pairs before you build the design."
    left = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
    return f"All pairs are excluded: {left}. Change the settings or import other pairs."
