"""Tests that all acknowledged data is in the database after faults, with the ledger of `script/hammer`."""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hammer.ledger import Ledger, promised
from tests.hammer.tally import Tally, clean, sum_of

ROOT = Path(__file__).resolve().parents[2]
HANG = 60  # seconds
KINDS = ("answers", "drafts", "feedback read", "submissions", "credits", "imports")
GOOD = {
    "acknowledged": 1,
    "found": 1,
    "kinds": {},
    "lost": [],
    "over": 0,
    "twice": 0,
    "inconsistent": [],
    "jobs": 1,
    "jobs_done": 1,
    "jobs_killed": 0,
    "jobs_left": [],
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return an empty folder that the account of PostgreSQL can use, because other accounts cannot use
    pytest's folder.
    """
    with tempfile.TemporaryDirectory(prefix="accord-hammer-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.nightly
@pytest.mark.parametrize(("database", "seconds"), [("postgresql", 600), ("sqlite", 120)])
def test_nothing_acknowledged_is_lost_by_faults(database: str, seconds: int, folder: Path) -> None:
    tally = hammered(folder, "--database", database, "--seconds", str(seconds), "--hang", str(HANG))
    assert tally.hits > 0
    assert len(tally.faults) == {"postgresql": 10, "sqlite": 3}[database]
    assert promised(folder / "run" / "ledger").submissions
    assert tally.recovery < HANG + 30


@pytest.mark.nightly
@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
@pytest.mark.parametrize("fault", ["disk full", "clock jumps"])
def test_nothing_acknowledged_is_lost_by(fault: str, database: str, folder: Path) -> None:
    tally = hammered(folder, "--database", database, "--seconds", "60", "--fault", fault)
    assert tally.hits > 0
    assert tally.faults.keys() == {fault}
    if fault == "disk full":
        assert tally.failures["503 unavailable"] > 0
        assert re.search("unavailable: .*No space left on device", (folder / "run" / "web.log").read_text())
    assert not {"401", "403"} & {refusal[:3] for refusal in tally.refusals}, "tokens stay valid"


def hammered(folder: Path, *options: str) -> Tally:
    """Run `script/hammer`, which must report no error, and return its tally."""
    command = [sys.executable, "-m", "tests.hammer", *options, "--resume", str(folder / "run")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(done.stdout)  # noqa: T201 (the tally, with pytest -s)
    assert done.returncode == 0, done.stdout + done.stderr
    return sum_of(folder / "run")


@pytest.mark.nightly
@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
def test_a_run_can_be_continued(database: str, folder: Path) -> None:
    for length in (["--seconds", "5"], ["--requests", "600"]):
        hammered(folder, "--database", database, *length)
    assert sum_of(folder / "run").requests >= 600
    assert len(list((folder / "run" / "ledger").iterdir())) == 2


# The fault of each server, its database, and the lines of the tally that must report it.
BROKEN = [
    ("answer", "postgresql", {"answers"}),
    ("credit", "sqlite", {"credits"}),
    ("slot", "postgresql", {"HITs over their count", "slots held twice"}),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("fault", "database", "reported"), BROKEN, ids=[fault for fault, *_ in BROKEN])
def test_the_fault_of_a_broken_server_is_reported(fault: str, database: str, reported: set[str], folder: Path) -> None:
    command = [sys.executable, "-m", "tests.hammer", "--database", database, "--broken", fault]
    done = subprocess.run(
        [*command, "--no-faults", "--requests", "10000", "--resume", str(folder / "run")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    tally = dict(re.findall(r"^ *(\S.*?)  +(.+)$", done.stdout, re.MULTILINE))
    complete = {kind: "{0} of {0}".format(tally[kind].rpartition(" ")[2]) for kind in KINDS}
    wrong = {kind for kind in KINDS if tally[kind] != complete[kind]}
    wrong |= {name for name in ("HITs over their count", "slots held twice") if tally[name] != "0"}
    # A HIT without the lost answer is not submitted if its annotator was stopped in the meantime.
    unanswered = set(re.findall(r"lost: answer \('(\S+)',", done.stdout))
    if fault == "answer" and set(re.findall(r"lost: submission (\S+) is void", done.stdout)) <= unanswered:
        wrong.discard("submissions")
    assert wrong == reported, done.stdout
    assert tally["replies with status 500"] == tally["manual steps"] == "0"
    # A slot that is held twice opens again if one of its two leases ends, and its question gets a judgement too many.
    of_slots = r": [\d,]+ (?:open slots that somebody holds|cells of questions and groups with more judgements)"
    explained = len(re.findall(of_slots, done.stdout)) if fault == "slot" else 0
    assert tally["other inconsistencies"] == str(explained), done.stdout


def test_the_ledger_promises_the_last_acknowledged_answer(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, 1)
    for entry in (
        ("answer", "a", 1, "x"),
        ("change", "a", 1, "y"),
        ("answer", "a", 1, "y"),
        ("answer", "a", 2, "x"),
        ("change", "a", 2, "y"),
        ("kept", "a", 2),
        ("answer", "a", 3, "x"),
        ("change", "a", 3, "y"),
        ("draft", "a", 4, 2, "x"),
        ("unsure", "a", 4, 3),
        ("receipt", "b", False, {"1": "z"}),
    ):
        ledger.write(*entry)
    ledger.close()
    with (tmp_path / "0002.jsonl").open("w") as killed:
        killed.write('["answer","a",1,"z"]\n["answer","a"')
    sums = promised(tmp_path)
    assert sums.answers == {("a", 1): ["z"], ("a", 2): ["x"], ("a", 3): ["x", "y"], ("b", 1): ["z"]}
    assert sums.drafts == {("a", 4): (2, "x", 3)}
    assert (sums.submissions, sums.credits) == ({"b"}, set())


def test_the_tally_of_a_run_adds_up_its_sessions(tmp_path: Path) -> None:
    Tally(requests=3, recovery=2.0).save(tmp_path, 1)
    second = Tally(requests=4, recovery=1.0)
    second.faults["worker killed"] += 1
    second.save(tmp_path, 2)
    total = sum_of(tmp_path)
    assert (total.requests, total.recovery, total.faults) == (7, 2.0, {"worker killed": 1})


@pytest.mark.parametrize(
    "bad",
    [{"lost": ["lost: a draft"]}, {"over": 1}, {"twice": 1}, {"inconsistent": ["1 open slot"]}, {"jobs_done": 0}],
    ids=json.dumps,
)
def test_a_run_fails_by_any_loss_and_any_manual_step(bad: dict[str, object]) -> None:
    assert clean(Tally(), GOOD)
    assert not clean(Tally(), GOOD | bad)
    assert not clean(Tally(stuck=1), GOOD)
    assert not clean(Tally(errors=1), GOOD)


def test_a_job_that_failed_after_three_kills_needs_as_many_kills() -> None:
    comparison = GOOD | {"jobs_done": 0, "jobs_killed": 1}
    assert clean(Tally(faults=Counter({"worker killed": 3})), comparison)
    assert not clean(Tally(faults=Counter({"worker killed": 2})), comparison)
