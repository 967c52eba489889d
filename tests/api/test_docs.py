"""Tests that run the examples in docs/api.md against a real server, and whole studies through the Python client."""

import asyncio
import io
import os
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accord_client import Accord, AsyncAccord
from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.models import Answer, Study
from tests.client.threads import in_a_thread
from tests.factories import UserFactory

DOCS = Path(__file__).parents[2] / "docs" / "api.md"
FILES = {
    "words": {
        "items": "id,source,target\ns1,A dog sleeps .,A puppy is asleep .\ns2,It rains .,The rain falls .\n",
        "gold": "id,source,target,gold,explanation\ng1,He left .,She left .,0-0 1-1 2-2,The verbs are the same.\n",
    },
    "chunks": {
        "items": "id,source,target\nc1,[ A dog ] [ sleeps ] [ . ],[ A puppy ] [ is asleep ] [ . ]\n",
        "gold": "id,source,target,links,explanation\n"
        "g1,[ He ] [ left ],[ She ] [ left ],1 <==> 1 // SIMI // 3;;2 <==> 2 // EQUI // 5,The verbs are the same.\n",
    },
    "paraphrase": {
        "items": "id,domain,sentence,phrase,start,paraphrases\n"
        "i1,news,The plant was closed.,plant,4,factory|works|shrub\n",
        "gold": "id,sentence,phrase,start,synonyms,random_words,explanation\n"
        "g1,The children were glad.,glad,18,happy|pleased|joyful,narrow|wooden|hourly,Glad means happy.\n",
    },
}

NOTICE = {"contact": "Ada Lovelace, ada@example.org", "privacy_notice": "We store your answers under a pseudonym."}

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def variables(live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> dict[str, str]:
    """Set the environment variables of the examples. The server runs each job immediately, and has no privacy notice
    and no contact for new studies, like a new installation.
    """
    settings.PRIVACY_NOTICE = settings.CONTACT = ""
    monkeypatch.setattr(jobs, "notify_worker", lambda job, kind: jobs.run(job))
    monkeypatch.chdir(tmp_path)
    variables = {"ACCORD": live_server.url, "TOKEN": new_api_token(UserFactory(), "script")[1]}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return variables


def write_files() -> None:
    """Write the files that the shell examples create."""
    for name, content in re.findall(r"^cat > (\S+) <<'END'\n(.*?)^END$", DOCS.read_text(), re.DOTALL | re.MULTILINE):
        Path(name).write_text(content)


async def run_script(script: str, names: dict[str, Any]) -> None:
    """Run an example in a thread without an event loop, because it can start one."""
    await asyncio.to_thread(exec, compile(script, str(DOCS), "exec"), names)


def test_the_python_examples_run(variables: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    write_files()
    names: dict[str, Any] = {"__name__": "example"}
    for script in blocks("python"):
        in_a_thread(run_script(script, names))
    names["accord"].close()  # the test server has a thread for each open connection
    study = Study.objects.get(public_id=names["study"].id)
    scores = names["scores"]
    assert sorted(scores["item"]) == [f"p{n}" for n in range(1, 9)]
    assert scores["score"].between(-1, 1).all()
    assert study.title == "Relatedness of pairs"
    assert capsys.readouterr().out == "['Relatedness of pairs']\n"
    answers = Answer.objects.filter(participation__annotator__external_id="length baseline 1.0")
    assert answers.filter(given_at=None).count() == 0
    assert answers.filter(question__kind="regular").count() == study.questions.filter(kind="regular").count()
    assert len(names["answers_of_programs"]) == answers.count()


def test_a_whole_study_takes_at_most_fifteen_lines() -> None:
    study = next(script for script in blocks("python") if "create_study" in script)
    assert len([line for line in study.splitlines() if line]) <= 15


def test_the_shell_examples_run(variables: dict[str, str], tmp_path: Path) -> None:
    shell = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks("bash"))],
        cwd=tmp_path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shell.returncode == 0, shell.stdout + shell.stderr
    study = Study.objects.get(title="Relatedness")
    people = Answer.objects.counting().filter(assignment__study=study)
    assert people.count() == study.questions.filter(kind="regular").count() * 2
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) >= people.count()
    assert (tmp_path / "scores.csv").read_text().count("\n") == 9
    for name in ("report.zip", "release.zip"):
        assert zipfile.ZipFile(io.BytesIO((tmp_path / name).read_bytes())).testzip() is None
    assert study.assignments.filter(participation__annotator__external_id="first position").count() == 1


@pytest.mark.parametrize("task_type", FILES)
def test_a_whole_study_of_each_kind_runs_through_the_client(variables: dict[str, str], task_type: Any) -> None:
    with Accord(variables["ACCORD"], variables["TOKEN"]) as accord:
        settings = {"task_type": task_type, "judgements": 2, "gold_block": 2, **NOTICE}
        study = accord.create_study(title="Example", **settings)
        study.import_file("items", FILES[task_type]["items"].encode())
        study.import_file("gold", FILES[task_type]["gold"].encode())
        study.build()
        study.set_state("open")
        study.simulate(3)
        report = study.calculate_results()
        with zipfile.ZipFile(io.BytesIO(study.release(creators="Ada Lovelace"))) as archive:
            assert f"{study.id}-1.0/SHA256SUMS" in archive.namelist()
    assert (report["kind"], report["number"]) == ("results", 1)


def test_the_asynchronous_client_runs_a_whole_study(variables: dict[str, str]) -> None:
    write_files()

    async def answer(question: Any) -> Any:
        await asyncio.sleep(0)
        return {"best": 1, "worst": len(question["items"])}

    async def whole_study() -> tuple[Any, Any, list[Any]]:
        async with AsyncAccord(variables["ACCORD"], variables["TOKEN"]) as accord:
            study = await accord.create_study(title="Twin", task_type="bws", judgements=2, gold_block=5, **NOTICE)
            await study.import_file("items", "items.csv")
            await study.import_file("gold", "gold.csv")
            await study.build()
            await study.set_state("open")
            annotated = await study.annotate("first position", answer)
            await study.simulate(3)
            await study.calculate_results()
            rows = [row async for row in study.answers(programs=True, page_size=3)]
            return annotated, await study.frame("scores.csv"), rows

    annotated, scores, rows = in_a_thread(whole_study())
    assert annotated.hits > 0
    assert sorted(scores["item"]) == [f"p{n}" for n in range(1, 9)]
    assert len({(row["assignment"], row["position"]) for row in rows}) == len(rows) > 3
    assert Study.objects.get(title="Twin").reports.filter(kind="results").count() == 1
