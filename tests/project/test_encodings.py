"""Tests that each reader of files accepts text in any encoding, and that commands accept a chosen encoding."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from accord_core.bws.formats.items import read_item_names
from accord_core.bws.formats.tuples import read_tuples
from accord_core.bws.sampling.formats.sentences import read_sentences
from accord_core.bws.sampling.formats.texts import read_texts
from accord_core.chunks.formats.chunk_files import read_sentences as read_chunked_sentences
from accord_core.chunks.formats.registry import check_chunk_alignments, read_chunk_alignments
from accord_core.chunks.formats.tagged import read_tagged
from accord_core.evaluation.formats.pairs import read_pairs
from accord_core.evaluation.formats.predictions import read_scores
from accord_core.evaluation.formats.splits import read_split
from accord_core.evaluation.formats.vectors import read_vectors
from accord_core.exchange.conllu import read_conllu
from accord_core.exchange.identities import read_identities
from accord_core.exchange.label_studio_labels import label_table
from accord_core.exchange.labels import read_known_labels
from accord_core.exchange.people import read_people
from accord_core.exchange.tables import Limits, read_table
from accord_core.pairs.formats.registry import read_alignments
from accord_core.pairs.formats.sentences import read_sentences as read_pairs_to_align
from accord_core.paraphrase.formats.phrase_files import read_paraphrases
from accord_core.paraphrase.systems.formats.pham import read_paraphrase_sets
from annotate import tasktypes
from annotate.commands.main import main
from tests.rooms import entries

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ENCODINGS = ["utf-16", "utf-16-le", "utf-16-be", "windows-1252"]
WA = """<sentence id="1" status="">
// Ein Café schließt
// Die Küche schläft
<source>
1 Ein :
2 Café :
3 schließt :
</source>
<translation>
1 Die :
2 Küche :
3 schläft :
</translation>
<alignment>
1 2 3 <==> 1 2 3 // SPE1 // 3 // Ein Café schließt <==> Die Küche schläft
</alignment>
</sentence>
"""
CONLLU = "1\tCafé\tCafé\tNOUN\t_\t_\t0\troot\t_\t_\n2\tschließt\tschließen\tVERB\t_\t_\t1\tdep\t_\t_\n"
JACANA = '[{"name": "1", "source": "Das Café", "target": "schläft früh", "sureAlign": "0-0 1-1", "possibleAlign": ""}]'
LABELS = json.dumps(
    [
        {
            "id": 1,
            "data": {"text": "Das Café schläft früh"},
            "annotations": [
                {
                    "completed_by": 1,
                    "result": [{"from_name": "label", "type": "choices", "value": {"choices": ["möglich"]}}],
                }
            ],
        }
    ],
    ensure_ascii=False,
)
PHAM = "(I)\n1\nP\tDas Café schließt früh.\nS\tDie Küche schließt früh.\n"
RESULTS = (
    "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.text,Answer.label\n"
    "h1,a1,w1,Submitted,Das Café schläft früh,möglich\n"
)
Reader = Callable[[bytes], Any]


READERS: dict[str, tuple[Reader, str]] = {
    "table": (
        lambda data: read_table(data, name="f", limits=Limits()),
        "id,text\n1,Das Café schläft früh in der Küche\n",
    ),
    "json lines": (
        lambda data: read_table(data, name="f", limits=Limits()),
        '{"id": "1", "text": "Das Café schläft früh in der Küche"}\n',
    ),
    "items for a design": (lambda data: read_item_names(data, name="f"), "id,text\nfrüh,Das Café schläft\n"),
    "items in JSON Lines": (
        lambda data: read_item_names(data, name="f"),
        '{"id": "früh", "text": "Das Café schläft"}\n',
    ),
    "tuples": (lambda data: read_tuples(data, name="f"), "früh\tCafé\tKüche\tschläft\n"),
    "sentences": (
        lambda data: read_sentences(data, name="f", limits=Limits()),
        '{"id": "1", "text": "Das Café schläft früh"}\n',
    ),
    "texts": (
        lambda data: read_texts(data, name="f", limits=Limits()),
        "Das Café schläft früh.\n\nDie Küche schließt.\n",
    ),
    "paraphrases": (lambda data: read_paraphrases(data, name="f"), "phrase,paraphrase\nCafé,Küche für Gäste\n"),
    "paraphrase sets": (lambda data: read_paraphrase_sets(data, name="f"), PHAM),
    "alignments in jacana": (lambda data: read_alignments(data, name="f").pairs, JACANA),
    "alignments in Pharaoh": (lambda data: read_alignments(data, name="f").pairs, "0-0 1-1\n"),
    "pairs to align": (lambda data: read_pairs_to_align(data, name="f").pairs, "Das Café\tDie Küche schläft\n"),
    "chunk links": (lambda data: read_chunk_alignments(data, name="f"), WA),
    "checked chunk links": (lambda data: check_chunk_alignments(data, name="f", many_to_many=None), WA),
    "chunked sentences": (lambda data: read_chunked_sentences(data, name="f"), "[ Das Café ] [ schläft früh ]\n"),
    "parses": (lambda data: read_conllu(data, name="f"), CONLLU),
    "tagged sentences": (lambda data: read_tagged(data, name="f"), CONLLU),
    "labels": (lambda data: list(label_table(data, name="f").rows), LABELS),
    "known labels": (lambda data: read_known_labels(data, name="f"), "item,label\nCafé,möglich\nKüche,früh\n"),
    "people": (
        lambda data: read_people(data, name="f", most=10),
        "name,email\nJürgen Größe,j@example.org\nRené Müller,r@example.org\n",
    ),
    "identities": (lambda data: read_identities(data, name="f", most=10), "id\nMüllerGrößeé\nJürgenKöhler\n"),
    "results": (lambda data: list(read_table(data, name="f", limits=Limits()).rows), RESULTS),
    "scores": (lambda data: read_scores(data, name="f"), "item,score\nCafé,0.5\nKüche,0.25\nfrüh,0.1\n"),
    "splits": (lambda data: read_split(data, name="f"), "item,split\nCafé,train\nKüche,test\nfrüh,dev\n"),
    "pairs": (
        lambda data: read_pairs(data, name="f"),
        "id,sentence1,sentence2\n1,Das Café schläft,Die Küche schließt früh\n",
    ),
    "vectors": (lambda data: [read_vectors(data, name="f").names], "Café 0.5 1\nKüche 1 0.25\nfrüh 1 2\n"),
    **entries("READERS"),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", READERS)
def test_readers_accept_every_encoding(kind: str, encoding: str) -> None:
    read, text = READERS[kind]
    assert repr(read(text.encode(encoding))) == repr(read(text.encode()))


STUDIES = {"relatedness": "bws", "paraphrase": "paraphrase", "alignment": "words", "chunks": "chunks"}
LIMITS = {"rows": 100_000, "bytes": 10_000_000, "cell": 20_000}


@pytest.mark.nightly
@pytest.mark.parametrize("encoding", ENCODINGS[:3])
@pytest.mark.parametrize("folder", STUDIES)
def test_task_types_read_items_gold_and_truth_in_every_encoding(folder: str, encoding: str) -> None:
    task = tasktypes.get(STUDIES[folder])
    options = task.clean_options({})
    file = next((EXAMPLES / folder).glob("items.*"))
    text = file.read_text(encoding="utf-8")
    items = task.read_items(text.encode(), file.name, options, LIMITS)
    assert not items.faults
    assert task.read_items(text.encode(encoding), file.name, options, LIMITS) == items
    drafts = {item.key: item for item in items.items}
    for kind in ("gold", "practice"):
        file = next((EXAMPLES / folder).glob(f"{kind}.*"))
        text = file.read_text(encoding="utf-8")
        gold = task.read_gold(text.encode(), file.name, options, drafts)
        assert gold.questions
        assert task.read_gold(text.encode(encoding), file.name, options, drafts) == gold
    contents = {key: item.content for key, item in drafts.items()}
    for file in (EXAMPLES / folder).glob("truth.*"):
        text = file.read_text(encoding="utf-8")
        truth = task.read_truth(text.encode(), file.name, contents)
        assert task.read_truth(text.encode(encoding), file.name, contents) == truth


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_commands_accept_every_encoding(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    text = "id,text\n" + "".join(f"früh-{number},Das Café schläft früh\n" for number in range(8))
    outputs = []
    for each in ("utf-8", encoding):
        file.write_bytes(text.encode(each))
        outputs.append(CliRunner().invoke(main, ["bws", "tuples", str(file), "--seed", "1"]))
    assert outputs[1].exit_code == 0, outputs[1].output
    assert outputs[1].stdout == outputs[0].stdout


def test_commands_accept_a_chosen_encoding(tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_bytes(b"id\n" + "".join(f"é{number}\n" for number in range(8)).encode("mac-roman"))
    for chosen in ("mac-roman", "koi8-r"):
        outcome = CliRunner().invoke(main, ["--encoding", chosen, "bws", "tuples", str(file)])
        assert ("é1" in outcome.stdout) == (chosen == "mac-roman"), outcome.output
    assert CliRunner().invoke(main, ["--encoding", "nonsense", "bws", "tuples", str(file)]).exit_code == 2
