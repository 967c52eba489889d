"""Each file that an `accord` command writes is read by the command or the import that comes next.

The commands come from the entry points. A new option that writes a file fails these tests until `STEPS` uses it and
`NEXT` names a reader of its file.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from accord_core.exchange import extras
from accord_core.exchange.tables import Limits, TableError, read_table
from annotate import tasktypes
from annotate.cli.options import place_for_file
from annotate.commands.main import main
from annotate.tasktypes import ItemDraft

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "examples" / "papers"
LIMITS = {"rows": 10_000, "bytes": 10_000_000, "cell": 10_000}

# Commands that work on studies instead of files. Their files have tests of their own: downloads of studies below,
# releases in `tests/evaluation/test_release.py`, and backups in `tests/backups/test_backup.py`.
Json = dict[str, Any]
JUDGEMENTS = "item,annotator,label\n" + "".join(f"q-00{n},{a},correct\n" for n in range(1, 5) for a in "ab")
ELSEWHERE = {("align train", "--output")}  # needs 50 pairs: tests/alignment_ui/words/test_trained_weights.py
OF_STUDIES = {"study", "release", "backup", "restore", "account", "serve", "demo", "try"}


def items(task_type: str, **options: Any) -> Callable[[bytes], None]:
    """Return a check that the console imports the file as items."""

    def check(data: bytes) -> None:
        task = tasktypes.get(task_type)
        read = task.read_items(data, "file", task.clean_options(options), LIMITS)
        assert not read.faults
        assert read.items

    return check


def gold(task_type: str) -> Callable[[bytes], None]:
    """Return a check that the console imports the file as gold questions."""

    def check(data: bytes) -> None:
        task = tasktypes.get(task_type)
        known = {name: ItemDraft(name, {"text": name}, {}) for name in ("p1", "p2", "p3", "p4")}
        read = task.read_gold(data, "file", task.clean_options({}), known)
        assert not read.faults
        assert read.questions

    return check


def table(*columns: str) -> Callable[[bytes], None]:
    """Return a check of a final table, which people read in other programs: its columns, and at least one row."""

    def check(data: bytes) -> None:
        read = read_table(data, name="file", limits=Limits())
        assert {*columns} <= {*read.columns}
        assert read.rows

    return check


def tabs(data: bytes) -> None:
    """Check that all lines have the same number of cells, which are separated by tabs."""
    assert len({line.count("\t") for line in data.decode().splitlines()}) == 1


def report(data: bytes) -> None:
    assert json.loads(data)


# The commands in the order of a project, and what reads each file: another command, or an import.
STEPS: Sequence[str] = (
    # best–worst scaling
    "sample sentences texts.txt --per-line --no-split --tokens 1 40 -o sentences.csv",
    "sample pairs sentences.csv --strategy random --pairs 8 -o sampled.csv --report sampled.json",
    "bws tuples sampled.csv -o tuples.tsv --report design.json",
    "bws check-annotators collected.csv --cleaned cleaned.csv",
    "bws score cleaned.csv --method maxdiff --annotators workers.csv -o bws-scores.csv",
    # paraphrase in context
    "paraphrase items sentences.csv paraphrases.csv -o paraphrase-items.jsonl",
    f"paraphrase quality-control --wordnet {ROOT / 'examples' / 'wordnet'} --count 3 -o quality-control.csv",
    # word alignment
    "align pairings translations.csv -o extra.tsv",
    "align prealign pairs.csv --extra extra.tsv --save-model model.npz -o prealigned.pharaoh",
    "align symmetrize forward.pharaoh backward.pharaoh --sentences pairs.csv --to jacana -o symmetric.json",
    "align doubles annotations.jsonl a.json b.json --sentences pairs.csv --prealignment begun.json",
    (
        "align aggregate annotations.jsonl --sentences pairs.csv --method model --annotators aligners.csv "
        "--probabilities links.csv -o aggregated.json"
    ),
    "align phrases symmetric.json -o phrases.tsv",
    "align rules symmetric.json -o rules.tsv",
    "align sample-errors a.json b.json --errors 2 --controls 2 --key words.key.json -o word-questions.csv",
    "align join sure.pharaoh all.pharaoh --sentences pairs.csv -o joined.json",
    *(
        f"align convert symmetric.json converted.{name} --to {name}"
        for name in ("pharaoh", "talp", "jacana", "goldalign", "label-studio", "webanno")
    ),
    "align convert symmetric.json converted.zip --to blinker",
    "align convert symmetric.json converted.wpt --to wpt --write-sentences source.wpt target.wpt",
    "align convert symmetric.json configured.json --to label-studio --write-config words.xml",
    # chunk alignment
    "ists chunk sets.conllu -o chunked.txt",
    "ists items sent1.txt sent2.txt --dataset images -o chunk-items.jsonl",
    (
        "ists aggregate chunks.wa system.wa copy.wa --version 2016 --method model --annotators chunkers.csv "
        "--probabilities chunk-links.csv -o majority.wa"
    ),
    "ists score chunks.wa majority.wa --mismatches mismatches.csv",
    "ists sample-errors chunks.wa system.wa --errors 2 --controls 2 --key chunks.key.json -o chunk-questions.csv",
    *(f"ists convert chunks.wa chunks.{name} --to {name}" for name in ("wa", "label-studio", "webanno")),
    "ists convert chunks.wa chunk-tasks.json --to label-studio --write-config chunks.xml",
    # labels
    "labels aggregate short-votes.csv -o labels.csv",
    "labels convert short-votes.csv tasks.json --to label-studio --write-config labels.xml",
    # systems
    "evaluate parse score-items.csv --model fake -o captions.conllu",
    "evaluate baseline score-items.csv -o overlap.csv",
    "evaluate word-vectors score-items.csv word-vectors.txt -o vectors.csv",
    "evaluate relatedness scores.csv scores.csv --write-folds folds.csv --resamples 0",
    "evaluate features scores.csv --values values.csv --resamples 0",
    "evaluate paraphrase-tables labels-by-domain.csv paraphrases.csv --curve curve.csv --resamples 0",
    "evaluate contrast sets.txt -o contrasts.txt",
    "evaluate paraphrase-sets contrasts.txt --word-vectors word-vectors.txt --sentences by-sentence.csv --resamples 0",
    "evaluate expand-sets sets.txt templates.csv -o expanded.txt",
    "evaluate split score-items.csv -o splits.csv",
    "evaluate draw score-items.csv --share 0.5 -o drawn.csv",
    # quality rules and programs
    "plan gold-rule --format csv -o rule.csv",
    "annotate --questions questions.jsonl --baseline overlap -o program.jsonl",
)
AS_PAIRS = ["align phrases {}", "align convert {} again.json --to jacana", items("words")]
LINKS_ONLY = ["align score symmetric.json {} --resamples 0", "align phrases {} --sentences pairs.csv"]
AS_CHUNKS = ["ists convert {} again.wa --to wa", items("chunks"), items("chunks", begin="links", many=False)]
NEXT: dict[str, list[str | Callable[[bytes], None]]] = {
    "sentences.csv": [
        "sample pairs {} --strategy random --pairs 3",
        "paraphrase items {} paraphrases.csv",
        items("bws"),
    ],
    "sampled.csv": ["bws tuples {}", "evaluate baseline {}", "evaluate split {}", items("bws")],
    "sampled.json": [report],
    "tuples.tsv": [tabs],
    "design.json": [report],
    "cleaned.csv": ["bws score {}", "bws reliability {} --splits 2", "plan bws --items 100 --pilot {} --studies 20"],
    "workers.csv": [table("annotator", "reliability")],
    "bws-scores.csv": ["evaluate relatedness {} {} --resamples 0"],
    "paraphrase-items.jsonl": ["evaluate split {}", items("paraphrase")],
    "quality-control.csv": [gold("paraphrase")],
    "extra.tsv": ["align prealign {}", "align prealign pairs.csv --extra {}"],
    "model.npz": ["align prealign pairs.csv --model {}"],
    "prealigned.pharaoh": LINKS_ONLY,
    "symmetric.json": ["align score {} {} --resamples 0", "align prealign pairs.csv --learn-from {}", *AS_PAIRS],
    "a.json": ["align agreement {} b.json --sentences {} --prealignment begun.json --resamples 0", *AS_PAIRS],
    "b.json": AS_PAIRS,
    "begun.json": AS_PAIRS,
    "aligners.csv": [table("annotator", "precision", "recall")],
    "links.csv": [table("source", "target")],
    "aggregated.json": ["align score {} a.json --resamples 0", *AS_PAIRS],
    "phrases.tsv": [tabs],
    "rules.tsv": [tabs],
    "words.key.json": ["align corrected-precision {} word-judgements.csv --resamples 0"],
    "word-questions.csv": [table("id", "source_phrase"), items("words")],
    "joined.json": AS_PAIRS,
    "converted.pharaoh": LINKS_ONLY,
    "converted.talp": LINKS_ONLY,
    "converted.jacana": AS_PAIRS,
    "converted.goldalign": AS_PAIRS,
    "converted.label-studio": AS_PAIRS,
    "converted.webanno": AS_PAIRS,
    "converted.zip": LINKS_ONLY,
    "converted.wpt": ["align phrases {} --sentences source.wpt --sentences target.wpt"],
    "source.wpt": [],  # read together with `converted.wpt`
    "target.wpt": [],
    "configured.json": AS_PAIRS,
    "words.xml": [],  # for Label Studio
    "chunked.txt": ["ists score-chunks {} {} --resamples 0", "ists items {} {}"],
    "chunk-items.jsonl": ["evaluate split {}", items("chunks")],
    "chunkers.csv": [table("annotator")],
    "chunk-links.csv": [table("source", "target")],
    "majority.wa": ["ists check {}", "ists score chunks.wa {} --resamples 0", *AS_CHUNKS],
    "mismatches.csv": [table("id", "mismatch")],
    "chunks.key.json": ["ists corrected-precision {} chunk-judgements.csv --resamples 0"],
    "chunk-questions.csv": [table("id", "source_phrase"), items("words")],
    "chunks.wa": ["ists check {}", *AS_CHUNKS],
    "chunks.label-studio": AS_CHUNKS,
    "chunks.webanno": AS_CHUNKS,
    "chunk-tasks.json": AS_CHUNKS,
    "chunks.xml": [],
    "labels.csv": ["evaluate labels {} short-votes.csv --resamples 0"],
    "tasks.json": ["labels aggregate {}", "labels agreement {} --resamples 0", "labels convert {} v.csv --to table"],
    "labels.xml": [],
    "captions.conllu": [
        "evaluate features scores.csv --parses {} --resamples 0",
        "ists chunk {} --pairs score-items.csv",
    ],
    "overlap.csv": ["evaluate relatedness scores.csv {} --resamples 0"],
    "vectors.csv": ["evaluate relatedness scores.csv {} --resamples 0"],
    "folds.csv": [table("item", "fold")],
    "values.csv": [table("item")],
    "curve.csv": [table("threshold", "precision", "recall")],
    "by-sentence.csv": [table("sentence")],
    "drawn.csv": [items("bws"), "evaluate split {}"],
    "contrasts.txt": ["evaluate paraphrase-sets {} --word-vectors word-vectors.txt --resamples 0"],
    "expanded.txt": ["evaluate contrast {}", "evaluate check-sets {} sets.conllu"],
    "splits.csv": [
        "evaluate split score-items.csv --keep {}",
        "evaluate relatedness scores.csv overlap.csv --split train --splits {} --resamples 0",
    ],
    "rule.csv": [table("accuracy")],
    "program.jsonl": [table("ref")],
}


class FakeSpacy:
    """A parser in the form of spaCy, because models are not among the requirements."""

    @staticmethod
    def load(_: str) -> type[FakeSpacy]:
        return FakeSpacy

    @staticmethod
    def pipe(texts: Iterable[str]) -> Iterator[list[FakeToken]]:
        for text in texts:
            yield [FakeToken(number, form) for number, form in enumerate(text.split())]


class FakeToken:
    tag_, dep_, is_space = "NN", "ROOT", False

    def __init__(self, i: int, text: str) -> None:
        self.i, self.text, self.lemma_, self.head = i, text, text.lower(), self
        self.pos_ = "NOUN" if text[0].isalpha() else "PUNCT"
        self.morph = self

    def to_dict(self) -> dict[str, str]:
        return {}


def commands(command: click.Command = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    for name in command.list_commands(click.Context(command)):
        if (child := command.get_command(click.Context(command), name)) is not None:
            yield from commands(child, (*path, name))


def written_by(command: click.Command) -> set[str]:
    """Return the options and arguments that name a file to be written."""
    return {
        each.opts[-1]
        for each in command.params
        if each.callback is place_for_file
        or "-o" in each.opts
        or any(name.startswith("--write") for name in each.opts)
        or each.name == "output"
    }


def texts_of(path: Path, column: str) -> str:
    return "".join(f"{row.values[column]}\n" for row in read_table(path.read_bytes(), name="", limits=Limits()).rows)


def accord(line: str) -> None:
    result = CliRunner().invoke(main, shlex.split(line), prog_name="accord")
    assert result.exit_code == 0, f"accord {line}\n{result.output}\n{result.exception!r}"


@pytest.mark.nightly
def test_every_option_that_writes_a_file_is_in_the_table():
    known = {name: command for name, command in commands() if name.split()[0] not in OF_STUDIES}
    written = {(name, option) for name, command in known.items() for option in written_by(command)}
    used = set()
    for step in STEPS:
        words = shlex.split(step)
        name = next(name for name in (" ".join(words[:2]), words[0]) if name in known)
        options = {"-o" if option == "--output" else option: option for option in written_by(known[name])}
        used |= {(name, options[word]) for word in words if word in options}
        used |= {(name, each.opts[-1]) for each in known[name].params if isinstance(each, click.Argument)}
    assert written - used == ELSEWHERE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that contains the inputs of the first commands, which is the current folder."""
    for file in PAPERS.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(extras, "import_module", lambda name: FakeSpacy)
    pairs = read_table((PAPERS / "pairs.csv").read_bytes(), name="pairs", limits=Limits()).rows
    links: Json = {"sure": [[0, 0], [1, 1]], "possible": [[2, 2]], "prealignment": {"sure": [[0, 0]], "possible": []}}
    texts = {
        "texts.txt": texts_of(PAPERS / "scores.csv", "sentence1") + texts_of(PAPERS / "sentences.csv", "sentence"),
        "annotations.jsonl": "".join(
            json.dumps({"pair": row.values["id"], "annotator": name, **links, "sure": sure}) + "\n"
            for row in pairs
            for name, sure in (("ann", links["sure"]), ("ben", [[0, 0], [3, 3]]), ("cem", [[0, 1], [1, 1]]))
        ),
        "copy.wa": (PAPERS / "system.wa").read_text(),
        "sent1.txt": "A cat sleeps .\nIt rains .\n",
        "sent2.txt": "It slept .\nRain !\n",
        "score-items.csv": (PAPERS / "scores.csv").read_text().replace("item,", "id,", 1),
        "short-votes.csv": "item,annotator,label\n" + "".join(f"i{n},{a},yes\n" for n in range(3) for a in "abc"),
        "questions.jsonl": json.dumps(
            {"ref": "q1", "task_type": "words", "question": {"source": ["a"], "target": ["a"], "prealignment": None}}
        ),
        "word-judgements.csv": JUDGEMENTS,
        "chunk-judgements.csv": JUDGEMENTS,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.nightly
def test_each_written_file_is_read_by_what_comes_next(folder: Path) -> None:
    inputs = {file.name for file in folder.iterdir()}
    failed = []
    for step in STEPS:
        try:
            accord(step)
        except AssertionError as error:
            failed.append(str(error))
    for name in sorted({file.name for file in folder.iterdir()} - inputs | {"chunks.wa"}):
        for reader in NEXT[name]:
            try:
                if callable(reader):
                    reader((folder / name).read_bytes())
                else:
                    accord(reader.replace("{}", name))
            except (AssertionError, TableError) as error:
                failed.append(f"{name}: {error}")
    assert not failed, "\n".join(failed)
