"""Gold and practice questions for chunk alignment: sentence pairs with their expected links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from accord_core.chunks.formats.import_rules import SAME_ID, SCORED, gold_by_severity
from accord_core.chunks.formats.ists_check import check_pairs
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.formats.ists_links import BETWEEN, BrokenRule, links_of
from accord_core.chunks.formats.registry import check_chunk_alignments, detect
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.pairs.formats.pairs import PairRow, read_pairs
from alignment_ui.chunks.answer import clean_answer, from_pair
from alignment_ui.chunks.design import payload_of
from alignment_ui.chunks.items import content_of
from alignment_ui.chunks.start import with_starts
from alignment_ui.pairs.gold import reason_against_gold
from annotate.tasktypes import ItemDraft, QuestionDraft, QuestionsRead, draw_held_out

LINKS = "links"
START = "start"


class Known(NamedTuple):
    """A pair with its expected links and, if the file contains them, its initial links."""

    pair: IstsPair
    explanation: str
    line: int | None
    start: tuple[ChunkLink, ...] = ()


def read_gold(data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]) -> QuestionsRead:
    """Read questions from a file with chunk alignments, or from a table with a `links` column. A question's reference
    is `known-`, followed by the ID of its pair.

    If a pair has the ID of a held-out item, the question uses that item. Any other pair must contain its own words. The
    share of gold questions that start with chunks and links is the same as for the study's pairs (see `start.py`). An
    expected answer that annotators cannot give is an error.
    """
    faults: list[Fault] = []
    data = as_utf8(data, name=name)
    known, violations = (_of_alignments if detect(data) else _of_table)(data, name, options, faults)
    refused, warnings = gold_by_severity(violations, refuse=options.get("guidelines", "refuse") == "refuse")
    faults += refused
    payloads, keys = {}, {}
    for one in known:
        if _breaks_guidelines(one.pair, options):
            continue  # reported already
        try:
            payloads[one.pair.id] = payload = _payload(one, items)
            keys[one.pair.id] = _key(one, payload, options)
        except ValueError as error:
            faults.append(Fault(one.line, None, f"sentence pair {one.pair.id}: {error}"))
    if faults:
        return QuestionsRead([], in_order(faults), warnings)
    begun = with_starts(payloads, options, list(items.values()))
    return QuestionsRead(
        [
            QuestionDraft(f"known-{pair.id}", begun[pair.id], gold=keys[pair.id], explanation=explanation, line=line)
            for pair, explanation, line, _ in known
        ],
        [],
        warnings,
    )


def draw_candidates(
    items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
) -> list[QuestionDraft]:
    """Draw the pairs that authors will align. The pairs are drawn from the held-out pairs or, if there are none, from
    all pairs. Raises `CannotBuild`.
    """
    drawn = draw_held_out(items, taken, count, seed)
    begun = with_starts({item.key: payload_of(item) for item in drawn}, options, items)
    return [QuestionDraft(f"candidate-{number}", payload) for number, payload in enumerate(begun.values(), start=1)]


def _breaks_guidelines(pair: IstsPair, options: Mapping[str, Any]) -> bool:
    """Return whether annotators cannot submit a pair's links, even without the scores of unlinked chunks."""
    return any(fault.code != SCORED for fault in guideline_faults(pair, many_to_many=options["many"]))


def _of_alignments(
    data: bytes, name: str, options: Mapping[str, Any], faults: list[Fault]
) -> tuple[list[Known], list[BrokenRule]]:
    try:
        checked = check_chunk_alignments(data, name=name, many_to_many=options["many"])
    except TableError as error:
        faults += error.faults
        return [], []
    faults += checked.malformed
    return [Known(pair, "", pair.line) for pair in checked.pairs], checked.against_guidelines


def _of_table(
    data: bytes, name: str, options: Mapping[str, Any], faults: list[Fault]
) -> tuple[list[Known], list[BrokenRule]]:
    read = read_pairs(data, name, tokenise=False, longest=None)
    faults += read.faults
    rows_faults: list[Fault] = []
    known = list(_rows(read.rows, rows_faults))
    if read.columns and LINKS not in read.columns:
        message = f"the column is missing. It must contain the lines of a .wa file, separated by {BETWEEN}"
        faults.append(Fault(None, LINKS, message))
        rows_faults = [fault for fault in rows_faults if fault.column != LINKS]
    faults += rows_faults
    violations = check_pairs([one.pair for one in known], many_to_many=options["many"])
    return known, [each for each in violations if each.rule != SAME_ID]  # `read_pairs` reports repeated IDs


def _rows(rows: Iterable[PairRow], faults: list[Fault]) -> Iterable[Known]:
    for row in rows:
        content, wrong = content_of(row.source, row.target)
        links, broken = links_of(row.metadata.get(LINKS, ""), row.line)
        if not links and not broken:
            broken.append("the cell is empty. Add a line for every link and every unlinked chunk")
        faults += [Fault(row.line, column, message) for column, message in wrong]
        start, unreadable = links_of(row.metadata.get(START, ""))
        faults += [Fault(row.line, LINKS, message) for message in broken]
        faults += [Fault(row.line, START, message) for message in unreadable]
        if not (wrong or broken or unreadable):
            pair = IstsPair(row.key, tuple(content["source"]), tuple(content["target"]), links, line=row.line)
            yield Known(pair, row.metadata.get("explanation", "").strip(), row.line, start)


def _payload(one: Known, items: Mapping[str, ItemDraft]) -> dict[str, Any]:
    """Return a pair's payload. The payload contains initial chunks and, if available, initial links. Raises ValueError
    if the pair is already in the study.
    """
    pair, item = one.pair, items.get(one.pair.id)
    if reason := reason_against_gold(pair.id, pair.source, pair.target, items):
        raise ValueError(reason)
    if item is not None:
        payload = payload_of(item)
    else:
        payload = {
            "source": list(pair.source),
            "target": list(pair.target),
            "chunks": None,
            "links": None,
            "left": None,
        }
    if one.start:
        payload |= from_pair(replace(pair, links=one.start))
    return payload | {"chunks": payload["chunks"] or from_pair(pair)["chunks"]}


def _key(one: Known, payload: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the expected answer. Raises ValueError if annotators cannot enter this answer."""
    cleaned = clean_answer(payload, from_pair(one.pair), many_to_many=options["many"])
    return {name: cleaned[name] for name in ("chunks", "links", "left")}
