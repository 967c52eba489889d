"""Gold questions, practice questions and gold candidates for word alignment, which are read from a file or drawn for
authors to align.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.exchange.faults import Fault, in_order
from accord_core.numerics.draws import draw
from accord_core.pairs.formats.corpus import Links
from accord_core.pairs.formats.pairs import PairRow, read_pairs
from accord_core.pairs.numerics.links import Alignment
from alignment_ui.pairs.gold import reason_against_gold
from alignment_ui.words.answer import as_alignment, as_value, clean_answer
from alignment_ui.words.design import payload_of
from alignment_ui.words.items import imported_prealignment, item_of
from alignment_ui.words.suggesting import suggest
from annotate.tasktypes import InvalidAnswer, ItemDraft, QuestionDraft, QuestionsRead, draw_held_out

# How many more pairs the built-in aligner is trained on when it suggests links for only a few pairs.
TEACHERS = 200
COLUMNS = ("gold", "alignment")


def read_gold(data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]) -> QuestionsRead:
    """Return the questions in a file of sentence pairs with expected alignments. A question's reference is `known-`,
    followed by the ID of its pair.

    A pair with the ID of a held-out item uses that item. Other pairs use the words in the file. All pairs start from a
    pre-alignment like the study's own pairs, so annotators cannot recognise gold questions.
    """
    read = read_pairs(data, name, tokenise=options["tokenise"])
    faults = list(read.faults)
    pairs, known = [], []
    linkless = not {*COLUMNS} & {*read.columns} and all(row.prealignment is None for row in read.rows)
    if linkless and read.rows:
        message = "the column is missing. It must contain the expected links of each pair, such as 0-0 1-2"
        faults.append(Fault(None, COLUMNS[0], message))
    for row in read.rows:
        pair, gold = _pair_and_gold(row, [] if linkless else faults)
        if reason := reason_against_gold(pair.key, pair.content["source"], pair.content["target"], items):
            faults.append(Fault(row.line, "id", reason))
        pairs.append(items.get(pair.key, pair))
        known.append(gold)
    if faults:
        return QuestionsRead([], in_order(faults))
    begun = _begun(pairs, options, list(items.values()))
    return QuestionsRead(
        [
            QuestionDraft(
                f"known-{pair.key}",
                _payload(pair, start, items),
                gold=as_value(gold),
                explanation=row.metadata.get("explanation", ""),
                line=row.line,
            )
            for row, pair, start, gold in zip(read.rows, pairs, begun, known, strict=True)
        ],
        [],
    )


def draw_candidates(
    items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
) -> list[QuestionDraft]:
    """Draw the pairs that authors will align. The pairs are drawn from the held-out pairs or, if there are none, from
    all pairs. Raises `CannotBuild`.
    """
    drawn = draw_held_out(items, taken, count, seed)
    return [
        QuestionDraft(f"candidate-{number}", payload_of(item, start))
        for number, (item, start) in enumerate(zip(drawn, _begun(drawn, options, items), strict=True), start=1)
    ]


def _pair_and_gold(row: PairRow, faults: list[Fault]) -> tuple[ItemDraft, Alignment]:
    """Return the pair and its expected alignment, which is read from a separate column or from the links in the
    file.
    """
    column = next((name for name in COLUMNS if name in row.metadata), None)
    if column is None:
        if row.prealignment is None:
            faults.append(
                Fault(row.line, None, "the pair has no alignment. Add links such as 0-0 1-2 in the column `gold`")
            )
        return item_of(row._replace(prealignment=None)), row.prealignment or Alignment()
    return item_of(row), _gold(row, column, faults)


def _gold(row: PairRow, column: str, faults: list[Fault]) -> Alignment:
    """Read the expected links in the form `0-0 1?2` or, in JSON Lines, {"sure": [[0, 0]], "possible": [[1, 2]]}."""
    text = row.metadata[column].strip()
    if not text.startswith("{"):
        links = Links(faults, sizes=(len(row.source), len(row.target)))
        links.add_notation(text, line=row.line, column=column)
        return links.alignment()
    confirmed = {"log": [[0, "confirm", "button", []]]}  # the expected answer can be that no words correspond
    try:
        return as_alignment(clean_answer({"source": row.source, "target": row.target}, json.loads(text) | confirmed))
    except json.JSONDecodeError as error:
        faults.append(Fault(row.line, column, f"character {error.pos + 1}: not valid JSON ({error.msg})"))
    except (InvalidAnswer, ValueError, RecursionError) as error:  # a number with thousands of digits, or nested lists
        faults.append(Fault(row.line, column, str(error)))
    return Alignment()


def _payload(pair: ItemDraft, start: Alignment | None, items: Mapping[str, ItemDraft]) -> dict[str, Any]:
    payload = payload_of(pair, start)
    if pair.key not in items:
        del payload["item"]
    return payload


def _begun(
    pairs: Sequence[ItemDraft], options: Mapping[str, Any], others: Sequence[ItemDraft]
) -> list[Alignment | None]:
    """Return each pair's pre-alignment, or None for the share of pairs that start without links.

    If the study's pairs were imported with links, the same share of gold questions starts with links. A pair without
    its own links gets links from the built-in aligner, because a start without links would reveal that the question is
    a gold question.
    """
    if options["prealign"] == "none":
        return [None] * len(pairs)
    teachers = sorted(others, key=lambda item: draw("teacher", item.key))[:TEACHERS]
    words = [(item.content["source"], item.content["target"]) for item in (*pairs, *teachers)]
    suggested = suggest(words, (), lambda share: None).links[: len(pairs)]
    begun: list[Alignment | None] = [*suggested]
    if options["prealign"] == "given":
        share = _share_with_links(others)
        begun = [
            (imported_prealignment(pair) or Alignment(start.sure)) if draw("start", pair.key) < share else None
            for pair, start in zip(pairs, suggested, strict=True)
        ]
    return [
        None if draw("blank", pair.key) < options["blank"] else start for pair, start in zip(pairs, begun, strict=True)
    ]


def _share_with_links(items: Sequence[ItemDraft]) -> float:
    """Return the share of pairs imported with links, or 1 if the study has no pairs yet."""
    asked = [item for item in items if not item.held_out]
    return sum(imported_prealignment(item) is not None for item in asked) / len(asked) if asked else 1.0
