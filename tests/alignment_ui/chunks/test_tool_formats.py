"""Tests of chunk alignments in Label Studio JSON and WebAnno TSV 3.3, in the forms that both tools export."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.formats.label_studio import label_studio_config
from accord_core.chunks.formats.regions import regions_of
from accord_core.chunks.formats.registry import detect, losses, read_chunk_alignments, write_chunk_alignments
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.exchange.faults import TableError
from alignment_ui.chunks.answer import to_pair
from alignment_ui.chunks.cli import group
from alignment_ui.chunks.gold import read_gold
from alignment_ui.chunks.items import read_items
from tests.ists_pairs import link, pair, pairs

FORMATS = ("label-studio", "webanno")
CAT = IstsPair(
    "p_1",
    ("A", "😀", "cat", "sleeps", "."),
    ("It", "slept", "."),
    (
        link([0, 2], [0], "SPE1", 4.0, ["FACT"]),
        link([3], [1], "EQUI", 5.0),
        link([1], [], "NOALI", None),
        link([4], [], "NOALI", None),
        link([], [2], "ALIC", None),
    ),
)
DOCUMENT = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Chunk|label
#T_RL=webanno.custom.ChunkLink|score|type|BT_webanno.custom.Chunk


#Sentence.id=p_1/source
#Text=A 😀 cat sleeps .
1-1	0-1	A	chunk	_	_	_	
1-2	2-4	😀	NOALI	_	_	_	
1-3	5-8	cat	chunk	*	same-chunk	1-1	
1-4	9-15	sleeps	chunk	_	_	_	
1-5	16-17	.	NOALI	_	_	_	

#Sentence.id=p_1/target
#Text=It slept .
2-1	18-20	It	chunk	4	SPE1\\_FACT	1-1	
2-2	21-26	slept	chunk	5	EQUI	1-4	
2-3	27-28	.	ALIC	_	_	_	
"""  # noqa: W291
# A document as INCEpTION exports it: other layers, no sentence IDs, a relation from the target sentence to the source
# sentence, chunks of several words, and a word with two annotations.
EXPORTED = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue|coarseValue
#T_SP=webanno.custom.Chunk|comment|label
#T_RL=webanno.custom.ChunkLink|score|type|BT_webanno.custom.Chunk


#Text=Two dogs run
1-1	0-3	Two	NUM	NUM	*[1]	chunk[1]	_	_	_	
1-2	4-8	dogs	NOUN	NOUN	*[1]	chunk[1]	3	SIMI\\_POL	2-1[3_1]	
1-3	9-12	run	VERB	VERB	*	*	_	_	_	

#Text=A dog runs home
2-1	13-14	A	DET	DET	*[3]|*[4]	chunk[3]|chunk[4]	_	_	_	
2-2	15-18	dog	NOUN	NOUN	*[3]	chunk[3]	_	_	_	
2-3	19-23	runs	VERB	VERB	*	chunk	*|2	EQUI|REL	1-3|1-1[1_0]	
2-4	24-28	home	ADV	ADV	*	ALIC	_	_	_	
"""  # noqa: W291


def written(chosen: Sequence[IstsPair], name: str) -> bytes:
    return "".join(write_chunk_alignments(chosen, name)).encode()


def read(data: str | bytes) -> list[IstsPair]:
    found, _ = read_chunk_alignments(data if isinstance(data, bytes) else data.encode(), name="file")
    return found


def faults(data: str) -> list[tuple[int | None, str | None, str]]:
    with pytest.raises(TableError) as raised:
        read(data)
    return [(fault.line, fault.column, fault.message) for fault in raised.value.faults]


def multiset(one: IstsPair) -> Counter[ChunkLink]:
    """Return the links of a pair without their order and comments."""
    return Counter(replace(each, comment=None) for each in one.links)


@pytest.mark.parametrize("name", FORMATS)
@given(chosen=st.lists(pairs(), min_size=1, max_size=3))
def test_every_link_survives_a_round_trip(name: str, chosen: list[IstsPair]) -> None:
    numbered = [replace(each, id=str(number)) for number, each in enumerate(chosen)]
    data = written(numbered, name)
    assert detect(data) == name
    back = read(data)
    for before, after in zip(numbered, back, strict=True):
        assert (after.id, after.source, after.target) == (before.id, before.source, before.target)
        assert multiset(after) == multiset(before)


def test_a_document_is_written_as_inception_reads_it() -> None:
    assert written([CAT], "webanno").decode() == DOCUMENT
    assert multiset(read(DOCUMENT)[0]) == multiset(CAT)


def test_a_document_exported_by_inception_is_read() -> None:
    [dogs] = read(EXPORTED)
    assert (dogs.id, dogs.source, dogs.target) == ("1", ("Two", "dogs", "run"), ("A", "dog", "runs", "home"))
    assert multiset(dogs) == Counter(
        [
            link([0, 1], [0, 1], "SIMI", 3.0, ["POL"]),
            link([2], [2], "EQUI", 5.0),
            link([0, 1], [2], "REL", 2.0),
            link([], [3], "ALIC", None),
            link([], [0], "NOALI", None),
        ]
    )


def chunk(key: str, side: str, start: int, text: str, *labels: str) -> dict[str, Any]:
    value = {"start": start, "end": start + len(text), "text": text, "labels": list(labels) or ["chunk"]}
    name = f"{side}-chunks"
    return {"id": key, "from_name": name, "to_name": side, "type": "labels", "origin": "manual", "value": value}


def relation(start: str, end: str, *labels: str, direction: str = "right") -> dict[str, Any]:
    return {"type": "relation", "from_id": start, "to_id": end, "direction": direction, "labels": list(labels)}


def exported(*results: dict[str, Any]) -> str:
    """Return an export of Label Studio with one task, which one person skipped and another person annotated."""
    common = {"completed_by": 1, "ground_truth": False, "lead_time": 12.5, "task": 7}
    annotations = [
        {"id": 1, "was_cancelled": True, "result": [], **common},
        {"id": 2, "was_cancelled": False, "result": list(results), **common},
    ]
    facts = {"id": "d1", "source": "Two dogs run", "target": "A dog runs home"}
    return json.dumps([{"id": 7, "data": facts, "annotations": annotations, "predictions": []}])


DOGS = [chunk("a", "source", 0, "Two dogs"), chunk("b", "source", 9, "run"), chunk("c", "target", 0, "A dog ")]
HOME = [chunk("d", "target", 6, "runs"), chunk("e", "target", 11, "home", "ALIC")]


def test_an_export_of_label_studio_is_read() -> None:
    joined = [relation("d", "e", "same-chunk"), relation("c", "a", "3", "SIMI", "POL", direction="left")]
    [dogs] = read(exported(*DOGS, HOME[0], chunk("e", "target", 11, "home"), *joined, relation("b", "d", "EQUI")))
    assert dogs.id == "d1"
    assert multiset(dogs) == Counter(
        [link([0, 1], [0, 1], "SIMI", 3.0, ["POL"]), link([2], [2, 3], "EQUI", 5.0)],
    )
    [unlinked] = read(exported(*DOGS, *HOME, relation("a", "c", "SPE1", "4")))
    assert multiset(unlinked) == Counter(
        [
            link([0, 1], [0, 1], "SPE1", 4.0),
            *(link(*ends, kind, None) for *ends, kind in (([2], [], "NOALI"), ([], [2], "NOALI"), ([], [3], "ALIC"))),
        ]
    )


@pytest.mark.parametrize(
    ("results", "column", "message"),
    [
        ([relation("a", "c", "SIMI")], "labels", "the SIMI link must have a score from 0 to 5 as a label"),
        ([relation("a", "c", "4")], "labels", "a relation must have a type as its label"),
        ([relation("a", "c", "sure", "4")], "labels", "“sure” is not a type"),
        ([relation("a", "c", "SIMI", "7")], "labels", "the score must be from 0 to 5, not 7"),
        ([relation("a", "c", "SIMI", "2", "3")], "labels", "a link must have one score, not 2 and 3"),
        ([relation("a", "b", "SIMI", "2")], "labels", "a relation connects two chunks of the source sentence"),
        ([relation("a", "c", "same-chunk")], "relation", "the label “same-chunk” connects words of two sentences"),
        ([relation("a", "z", "SIMI", "2")], "relation", "a relation begins or ends at a region that the task does not"),
    ],
)
def test_each_error_in_an_export_names_its_line(results: list[dict[str, Any]], column: str, message: str) -> None:
    [found] = faults(exported(*DOGS, *results))
    assert found[:2] == (1, column)
    assert message in found[2]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("\t1-4\t", "\t1-9\t", 17, "1-9 is not a chunk of the same pair"),
        ("\t4\tSPE1", "\t*\tSPE1", 16, "the SPE1 link must have a score from 0 to 5"),
        ("|score|type|", "|score|kind|", 1, "the relation layer webanno.custom.ChunkLink must have the feature “type”"),
        ("#T_SP=webanno.custom.Chunk|label\n", "", 1, "the document must have the span layer webanno.custom.Chunk"),
    ],
)
def test_each_error_in_a_document_names_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in DOCUMENT
    [(place, _, found)] = faults(DOCUMENT.replace(old, new))
    assert place == line
    assert message in found


def test_the_configuration_names_everything_that_tasks_use() -> None:
    config = ElementTree.fromstring(label_studio_config())  # noqa: S314 (text of the module)
    names = {each.get("name"): each.get("toName") for each in config.iter("Labels")}
    marks = {each.get("value") for each in config.iter("Label")}
    kinds = {each.get("value") for each in config.iter("Relation")}
    [task] = json.loads(written([CAT], "label-studio"))
    for result in task["annotations"][0]["result"]:
        if result["type"] == "relation":
            assert set(result["labels"]) <= kinds
        else:
            assert names[result["from_name"]] == result["to_name"]
            assert set(result["value"]["labels"]) <= marks
            value, sentence = result["value"], task["data"][result["to_name"]]
            assert sentence[value["start"] : value["end"]] == value["text"]


def test_content_that_the_tools_cannot_store_is_reported() -> None:
    noted = replace(pair(link([0], [0], comment="see page 3"), link([], [], "NOALI", None)), status="done")
    assert losses([noted], "webanno") == ["1 comment", "the status of 1 sentence pair", "1 link without tokens"]
    assert losses([noted], "wa") == []
    assert losses([pair(link([0], [0], comment="a <==> p"))], "label-studio") == []
    regions, relations = regions_of(noted)
    assert (len(regions), len(relations)) == (2, 1)


def test_the_command_converts_in_both_directions(tmp_path: Path) -> None:
    (tmp_path / "gold.wa").write_text("".join(write_chunk_alignments([CAT, replace(CAT, id="2", status="x")], "wa")))

    def convert(*arguments: str) -> Result:
        paths = [str(tmp_path / each) if "." in each else each for each in arguments]
        return CliRunner().invoke(group, ["convert", *paths])

    there = convert("gold.wa", "tasks.json", "--to", "label-studio", "--write-config", "config.xml")
    assert there.exit_code == 0, there.output
    assert "Label Studio cannot store the status of 1 sentence pair" in there.stderr
    assert (tmp_path / "config.xml").read_text() == label_studio_config()
    assert convert("tasks.json", "document.tsv", "--to", "webanno").exit_code == 0
    assert convert("document.tsv", "back.wa", "--to", "wa").exit_code == 0
    assert [multiset(each) for each in read((tmp_path / "back.wa").read_bytes())] == [multiset(CAT)] * 2
    assert (
        "applies only to the format label-studio"
        in convert("gold.wa", "x.wa", "--to", "wa", "--write-config", "c.xml").stderr
    )
    (tmp_path / "table.csv").write_text("id,source\n1,a\n")
    assert "does not contain chunk alignments" in str(convert("table.csv", "x.wa", "--to", "wa").exception)


OPTIONS = {"begin": "links", "many": False, "dataset": "dataset", "chunks": False}


@pytest.mark.parametrize("name", FORMATS)
def test_exports_of_both_tools_are_imported_as_items_and_as_gold_questions(name: str) -> None:
    data = written([CAT], name)
    found = read_items(data, "cats.export", OPTIONS, {"rows": 10, "bytes": 10_000})
    assert (found.faults, found.warnings) == ([], [])
    [item] = found.items
    assert (item.key, item.metadata, item.content["source"]) == ("p_1", {"dataset": "cats"}, list(CAT.source))
    assert multiset(to_pair("p_1", item.content, item.content)) == multiset(CAT)
    gold = read_gold(data, "cats.export", OPTIONS, {})
    assert gold.faults == []
    assert multiset(to_pair("p_1", gold.questions[0].payload, gold.questions[0].gold)) == multiset(CAT)
    broken = read_items(data.replace(b"SPE1", b"SPE7"), "cats.export", OPTIONS, {"rows": 10, "bytes": 10_000})
    assert ["“SPE7” is not a type" in fault.message for fault in broken.faults] == [True]
