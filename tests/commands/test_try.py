"""Tests of `accord try`: from a file to its results without an account, a setting or a second study."""

import csv
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click import ClickException

from accord_core.exchange.faults import TableError
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.commands.first_study import Choices, continued_or_created
from annotate.commands.item_files import choose_task, item_file
from annotate.commands.result_files import ResultFile
from annotate.commands.try_study import only_process_in
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.server.refusals import Refused
from tests.bws.cli import HEADER, accord
from tests.template_database import migrated_on_sqlite
from tests.trying import AnnotatorInBrowser, Browser, trying

ROWS = {f"p{n}": (f"Sentence {n} is here.", f"The sentence {n} stands there.") for n in range(8)}
CSV = "id,sentence1,sentence2\n" + "".join(f"{key},{one},{other}\n" for key, (one, other) in ROWS.items())
DEFAULTS = Choices()
WORDING = ("most", "least", "noun")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FORM = b'<p>${text}</p><label><input type="radio" name="ok" value="yes" required> yes</label>'


@pytest.fixture
def folder(tmp_path: Path, django_db_blocker: Any) -> Path:
    """A folder with a file of pairs, and with an empty database to save its creation."""
    (tmp_path / "pairs.csv").write_text(CSV)
    with django_db_blocker.unblock():
        migrated_on_sqlite(tmp_path / ".accord")
    return tmp_path


@pytest.mark.nightly
def test_two_links_lead_from_a_file_to_its_scores_over_a_restart(folder: Path) -> None:
    judgements: list[str] = []

    def judge(content: Any) -> dict[str, int]:
        """Choose the pairs with the lowest and the highest number, and note the judgement."""
        keys = [next(key for key, row in ROWS.items() if list(row) == item["sentences"]) for item in content["items"]]
        best, worst = min(keys), max(keys)
        judgements.append(",".join([*keys, best, worst]))
        return {"best": keys.index(best) + 1, "worst": keys.index(worst) + 1}

    with trying(folder, "pairs.csv", "--task", "bws") as trial:
        assert list(trial.links) == ["ann1", "ann2", "Console"]
        in_use = pytest.raises(ClickException, match=r"another `accord try` uses the folder .*--data")
        with in_use, only_process_in(folder / ".accord"):
            pass
        links = trial.links
        browser = Browser()
        overview = browser.post(links["Console"], browser.get(links["Console"])[1])[0]
        assert re.search(r"/console/[\w-]{22}/\Z", overview)
        person = AnnotatorInBrowser(links["ann1"])
        person.submit(judge)
        begun = person.assignment["questions"][0]
        person.answer(begun["position"], value := judge(begun["content"]))
        judgements.pop()  # answered again below
        printed = trial.stop()
        assert re.search(r"1 of \d+ HITs have been submitted. The results are in .*/scores\.csv\.\n\Z", printed)
        assert "Traceback" not in printed
    early = (folder / "scores.csv").read_text()

    with trying(folder, "pairs.csv") as trial:
        assert all(_path(trial.links[name]) == _path(links[name]) for name in ("ann1", "ann2"))
        person = AnnotatorInBrowser(trial.links["ann1"])
        assert person.assignment["questions"][0]["value"] == value
        person.submit_all(judge)
        AnnotatorInBrowser(trial.links["ann2"]).submit_all(judge)
        trial.wait_for("All ")
        finished = (folder / "scores.csv").read_text()
        browser = Browser()
        console = browser.post(trial.links["Console"], browser.get(trial.links["Console"])[1])[0]
        assert _path(console, "console") == _path(overview, "console")
        trial.stop(signal.SIGHUP)  # as when somebody closes the terminal

    (folder / "annotations.csv").write_text(HEADER + "\n".join(judgements) + "\n")
    scored = accord("bws", "score", folder / "annotations.csv", "--scale", "unit", "-o", folder / "expected.csv")
    assert scored.exit_code == 0, scored.output
    assert finished != early
    assert _scores(folder / "scores.csv") == pytest.approx(_scores(folder / "expected.csv"), abs=0.001)
    assert sorted(path.name for path in folder.glob("scores*")) == ["scores.csv"]


def _path(link: str, folder: str = "personal") -> str:
    return link.partition(f"/{folder}/")[2]


def _scores(file: Path) -> dict[str, float]:
    with file.open(newline="") as lines:
        return {row["item"]: float(row["score"]) for row in csv.DictReader(lines)}


# By task type: the files, the answer to a question, and a sign of the answers in the results.
TASKS: Mapping[str, tuple[dict[str, bytes], Callable[[Any], Any], str, str]] = {
    "paraphrase": (
        {"phrases.jsonl": (EXAMPLES / "paraphrase" / "items.jsonl").read_bytes()},
        lambda content: {"votes": [len(text) > 4 for text in content["candidates"]]},
        "labels-by-sentence.csv",
        r"gen-01,.*factory",
    ),
    "words": (
        {"en.txt": b"The cat sat .\nA dog ran .\n", "de.txt": "Die Katze saß .\nEin Hund lief .\n".encode()},
        lambda content: {"sure": [[0, 0], [1, 1]], "possible": []},
        "alignments.json",
        "0-0 1-1",
    ),
    "chunks": (
        {"chunks.jsonl": (EXAMPLES / "chunks" / "items.jsonl").read_bytes()},
        lambda content: {
            "chunks": content["chunks"],
            "links": [{"source": 0, "target": 0, "type": "EQUI", "flags": [], "score": 5}],
            "left": [
                {"side": side, "chunk": chunk, "type": "NOALI"}
                for side in ("source", "target")
                for chunk in range(1, len(content["chunks"][side]))
            ],
        },
        "alignment.wa",
        "EQUI",
    ),
    "layout": (
        {"batch.csv": b"text\nA first one.\nA second one.\n", "form.html": FORM},
        lambda content: {"fields": {"ok": "yes"}},
        "labels.csv",
        "yes",
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("task", TASKS)
def test_other_task_types_lead_from_files_to_labels_or_alignments(folder: Path, task: str) -> None:
    files, answer, results, sign = TASKS[task]
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with trying(folder, *files, "--task", task, "--annotators", "ada,ben") as trial:
        for name in ("ada", "ben"):
            AnnotatorInBrowser(trial.links[name]).submit_all(answer)
        trial.wait_for("All ")
        assert re.search(sign, (folder / results).read_text())
        assert "Traceback" not in trial.stop()


@pytest.mark.django_db
def test_the_columns_decide_about_the_task_or_leave_a_choice() -> None:
    def task(*names: str, wanted: str | None = None) -> str:
        files = {name: data for files, *_ in TASKS.values() for name, data in files.items()} | {
            "pairs.csv": CSV.encode()
        }
        files["words.csv"] = (EXAMPLES / "alignment" / "items.csv").read_bytes()
        return choose_task(item_file({name: files[name] for name in names}), wanted).slug

    assert task("phrases.jsonl") == "paraphrase"
    assert task("words.csv") == "words"
    assert task("batch.csv", "form.html") == "layout"
    assert task("batch.csv") == "bws"
    assert task("pairs.csv", wanted="chunks") == "chunks"
    with pytest.raises(ClickException, match=r"pairs\.csv fits several tasks.*--task: bws .*chunks .*words"):
        task("pairs.csv")
    with pytest.raises(ClickException, match="Task types: bws, "):
        task("pairs.csv", wanted="nonsense")


def test_in_a_terminal_the_command_asks_which_task_is_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", terminal := StringIO("4\n3\n"))
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    assert choose_task(item_file({"pairs.csv": CSV.encode()}), None).slug == "words"
    assert "  3  Word alignment\nWhat do annotators do with pairs.csv? (1 to 3) " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"one.txt": b"a\nb\n", "two.txt": b"a\n"}, r"one\.txt has 2 lines, but two\.txt has 1"),
        ({"a.csv": b"", "b.csv": b"", "c.csv": b""}, "one table, two text files, or one table and one HTML form"),
        ({"broken.csv": b""}, r"broken\.csv"),
        ({"broken.xlsx": b"PK\x03\x04 not a workbook"}, r"broken\.xlsx"),
        ({"colours.csv": b"hue,shade\n1,2\n"}, r"colours\.csv"),
    ],
)
def test_files_that_cannot_be_items_are_one_sentence(files: dict[str, bytes], message: str) -> None:
    with pytest.raises((ClickException, TableError), match=message) as raised:
        choose_task(item_file(files), None)
    assert "\n" not in str(raised.value)


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_same_files_continue_their_study(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"pairs.csv": CSV.encode()}
    study = continued_or_created(files, Choices("bws", ["ada", "ben", "cleo"], "de"))
    assert (study.state, study.judgements, study.language) == ("open", 3, "de")
    assert study.instructions == tasktypes.get("bws").texts_in("de").guidelines
    assert not study.reward
    assert continued_or_created(files, DEFAULTS) == study
    assert not capsys.readouterr().err
    changed = {"pairs.csv": CSV.encode() + b"p9,One more.,And another.\n"}
    assert continued_or_created(changed, Choices(None, ["ada", "dora"], "en")) == study
    assert "pairs.csv has changed" in capsys.readouterr().err
    assert list(study.named_annotators.order_by("pk").values_list("name", flat=True)) == ["ada", "ben", "cleo", "dora"]
    with pytest.raises(ClickException, match="already has a study with the task bws"):
        continued_or_created(files, Choices("words"))
    assert continued_or_created({"other.csv": CSV.encode()}, Choices("bws")) != study
    assert Study.objects.count() == 2


@pytest.mark.nightly
@pytest.mark.django_db
def test_questions_about_single_texts_have_a_wording_that_suits_them(capsys: pytest.CaptureFixture[str]) -> None:
    words = {"words.csv": b"id,text\n" + b"".join(b"%d,word %d\n" % (n, n) for n in range(8))}
    study = continued_or_created(words, Choices(options={"most": "most positive"}))
    assert study.task_type == "bws"
    assert [study.options[name] for name in WORDING] == ["most positive", "worst", "text"]
    assert '--option least="worst" --option noun="text"' in capsys.readouterr().err
    continued_or_created({"other.csv": words["words.csv"]}, Choices(options=dict.fromkeys(WORDING, "x")))
    assert "options set" not in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.django_db
def test_columns_need_neither_ids_nor_known_names(capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{one}\t{other}\n" for one, other in ROWS.values())
    study = continued_or_created({"own.tsv": f"left side\tright side\n{rows}".encode()}, Choices("bws"))
    assert study.items.count() == len(ROWS)
    assert f"{len(ROWS)} pairs: left side and right side." in capsys.readouterr().err
    words = "".join(f"{word}\n" for word in ("idea", "calm", "storm", "harbour", "window", "bridge", "lemon", "paper"))
    study = continued_or_created({"own.txt": words.encode()}, Choices(options=dict.fromkeys(WORDING, "x")))
    assert (study.task_type, study.items.count()) == ("bws", 8)
    assert "the first row of own.txt was read as an item: idea. " in capsys.readouterr().err


@pytest.mark.django_db
def test_warnings_about_lines_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    phrases = b'sentence,phrase,paraphrases\nThey purchase tickets.,purchase,"buy, get"\n'
    continued_or_created({"own.csv": phrases}, Choices())
    assert "1 warning: line 2, column paraphrases: “buy, get” is one candidate." in capsys.readouterr().err


@pytest.mark.django_db
def test_names_of_two_text_files_tell_their_languages(capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"news.en": b"The cat sleeps.\nA dog barks.\n", "news.de": b"Die Katze.\nEin Hund bellt.\n"}
    study = continued_or_created(texts, Choices("words"))
    noted = capsys.readouterr().err
    assert "note: options set to suit the file: --option" in noted
    assert '--option second_language="de"' in noted
    assert (study.options["second_language"], study.options["prealign"]) == ("de", "none")
    numbers = {"en.txt": b"1\n2\n", "de.txt": b"3\n4\n"}
    study = continued_or_created(numbers, Choices("words"))
    assert study.items.count() == 2


@pytest.mark.django_db
def test_a_refused_file_leaves_no_study() -> None:
    with pytest.raises(Refused, match="p0"):
        continued_or_created({"twice.csv": (CSV + "p0,Again.,Again here.\n").encode()}, Choices("bws"))
    assert not Study.objects.exists()


@pytest.mark.nightly
@pytest.mark.django_db
def test_results_never_replace_a_file_of_somebody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scores.csv").write_text("my own scores\n")
    study = continued_or_created({"pairs.csv": CSV.encode()}, Choices("bws"))
    results = ResultFile(study.pk, tmp_path)
    results.write()
    assert "no HIT has been submitted" in capsys.readouterr().out
    for hits in (1, None):
        simulate(study, user=SYSTEM, annotators=2, hits=hits, seed=1)
        results.write()
        assert "scores-2.csv" in capsys.readouterr().out
    assert results.is_finished()
    assert (tmp_path / "scores.csv").read_text() == "my own scores\n"
    assert len(_scores(tmp_path / "scores-2.csv")) == len(ROWS)
    reports = study.reports.filter(kind="results").count()
    (tmp_path / "scores-2.csv").write_text("changed by hand\n")
    results.write()
    assert len(_scores(tmp_path / "scores-3.csv")) == len(ROWS)
    assert study.reports.filter(kind="results").count() == reports  # no new answers


@pytest.mark.nightly
@pytest.mark.django_db
def test_results_create_no_file_behind_a_link_and_read_no_pipe(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "scores.csv").symlink_to(tmp_path / "elsewhere.csv")
    os.mkfifo(folder / "scores-2.csv")
    (folder / "scores-3.csv").mkdir()
    study = continued_or_created({"pairs.csv": CSV.encode()}, Choices("bws"))
    simulate(study, user=SYSTEM, annotators=2, seed=1)
    ResultFile(study.pk, folder).write()
    assert not (tmp_path / "elsewhere.csv").exists()
    assert len(_scores(folder / "scores-4.csv")) == len(ROWS)
