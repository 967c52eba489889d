# ruff: noqa: S310 (addresses of our own servers)
"""Measure how much it takes from nothing to the first stored answer, with Accord and with other tools.

    script/bench first_answer FOLDER [TOOL ...]

Each tool is installed with pip into an environment of its own in FOLDER, which is kept, and gets the same 40 sentence
pairs. The package of Accord is a wheel that is built from this checkout. The installation needs network access. Printed
are the CPU time and the time of the installation, the time from starting the tool to the first stored answer over HTTP,
and the configuration.

Pearmut needs Python 3.12, for example `PEARMUT_PYTHON=python3.12`.
"""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qsl, urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener, urlopen

from tests import servers
from tests.trying import AnnotatorInBrowser, trying

ROOT = Path(__file__).resolve().parent.parent
PAIRS = 40
WAIT = 300.0  # seconds until a tool answers


def main(folder: Path, names: list[str]) -> None:
    """Print one line per tool."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or TOOLS:
        package, start = TOOLS[name]
        processor, installed = install(folder / name, package or wheel(folder))
        start_of_clock = time.monotonic()
        facts = start(folder / name)
        print(
            f"{name:<14} pip install {installed:6.1f} s ({processor:5.1f} s of CPU time), first answer "
            f"{time.monotonic() - start_of_clock:5.1f} s, {facts}"
        )


def wheel(folder: Path) -> str:
    """Build the wheel of this checkout, and return its path."""
    sources = folder / "sources"
    sources.mkdir(exist_ok=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", sources], input=archive, check=True)
    command = [str(ROOT / ".uv/bin/uv"), "build", "-q", "--wheel", "--no-build-isolation", "--python", sys.executable]
    subprocess.run([*command, "--out-dir", folder / "wheel", sources], check=True)
    return str(next((folder / "wheel").glob("*.whl")))


def install(environment: Path, package: str) -> tuple[float, float]:
    """Install the package into a new environment, and return the CPU time and the time of pip, in seconds."""
    python = os.environ.get("PEARMUT_PYTHON", "python3.12") if package == "pearmut" else sys.executable
    subprocess.run([python, "-m", "venv", "--clear", environment], check=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([environment / "bin/pip", "install", "-q", "--disable-pip-version-check", package], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, time.monotonic() - began


def pairs() -> list[tuple[str, str]]:
    """Return the sentence pairs that all tools get."""
    with (ROOT / "examples/relatedness/items.csv").open(encoding="utf-8", newline="") as rows:
        return [(row["sentence1"], row["sentence2"]) for row in csv.DictReader(rows)][:PAIRS]


def write_pairs(file: Path, header: tuple[str, ...]) -> None:
    """Write the pairs as CSV, with an ID if the header asks for one."""
    with file.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(header)
        writer.writerows((number, *pair)[-len(header) :] for number, pair in enumerate(pairs(), start=1))


def send(opener: OpenerDirector, url: str, body: bytes | None = None, kind: str = "") -> str:
    """Send a request as the page does, and return the answer."""
    with opener.open(Request(url, body, {"Content-Type": kind} if kind else {}), timeout=WAIT) as reply:
        return str(reply.read().decode())


def study_folder(environment: Path, header: tuple[str, ...] = ()) -> Path:
    """Return a new folder with the pairs as CSV if they have a header. It replaces an earlier one."""
    folder = environment / "study"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if header:
        write_pairs(folder / "pairs.csv", header)
    return folder


@contextmanager
def accord_link(environment: Path) -> Iterator[str]:
    """Run `accord try`, and yield the link of its first annotator."""
    folder = study_folder(environment, ("sentence1", "sentence2"))
    with trying(folder, "pairs.csv", "--task", "bws", accord=environment / "bin/accord") as trial:
        yield trial.links["ann1"]


def accord(environment: Path) -> str:
    """Answer the first question of `accord try`."""
    with accord_link(environment) as link:
        AnnotatorInBrowser(link).answer(1, {"best": 1, "worst": 2})
    return "0 lines of configuration"


POTATO = """\
annotation_task_name: Pairs
task_dir: .
output_annotation_dir: output
output_annotation_format: jsonl
data_files: [pairs.csv]
item_properties: {id_key: id, text_key: sentence1}
instance_display:
  fields:
    - {key: sentence1, type: text}
    - {key: sentence2, type: text}
user_config: {allow_all_users: true, users: []}
annotation_schemes:
  - annotation_type: likert
    name: relatedness
    description: How closely are the sentences related?
    min_label: not at all
    max_label: completely
    size: 5
"""


@contextmanager
def potato_site(environment: Path) -> Iterator[str]:
    """Run Potato, and yield its address."""
    folder = study_folder(environment, ("id", "sentence1", "sentence2"))
    (folder / "config.yaml").write_text(POTATO)
    port = servers.free_port()
    with serving(folder, environment / "bin/potato", "start", "config.yaml", "-p", port):
        yield wait_for(f"http://127.0.0.1:{port}")


def potato(environment: Path) -> str:
    """Register as an annotator of Potato, and answer the first question."""
    with potato_site(environment) as site:
        opener = build_opener(HTTPCookieProcessor())
        account = {"email": "ann1", "pass": "secret-1234", "action": "signup"}
        send(opener, f"{site}/register", urlencode(account).encode())
        assert pairs()[0][1] in send(opener, f"{site}/annotate")
        answer = {"instance_id": "1", "annotations": {"relatedness:3": "3"}}
        send(opener, f"{site}/updateinstance", json.dumps(answer).encode(), "application/json")
        assert '"relatedness"' in (environment / "study/output/ann1/user_state.json").read_text()
    return f"{len(POTATO.splitlines())} lines of configuration"


@contextmanager
def pearmut_link(environment: Path) -> Iterator[str]:
    """Run a Pearmut campaign, and yield the link of its annotator."""
    folder = study_folder(environment)
    items = [[{"src": one, "tgt": {"second": other}}] for one, other in pairs()]
    campaign = {"campaign_id": "pairs", "info": {"assignment": "task-based", "protocol": "DA"}, "data": [items]}
    (folder / "pairs.json").write_text(json.dumps(campaign))
    port = servers.free_port()
    site = f"http://127.0.0.1:{port}"
    added = [str(environment / "bin/pearmut"), "add", "pairs.json"]
    printed = subprocess.run(added, cwd=folder, check=True, capture_output=True, text=True).stdout
    found = re.search(r"/(annotate\?\S*user_id=\S+)", printed)
    assert found, printed
    with serving(folder, environment / "bin/pearmut", "run", "--port", port):
        yield f"{wait_for(site)}/{found[1]}"


def pearmut(environment: Path) -> str:
    """Answer the first item of a Pearmut campaign."""
    with pearmut_link(environment) as link:
        site, _, query = link.partition("/annotate?")
        opener, kind = build_opener(), "application/json"
        person: dict[str, object] = dict(parse_qsl(query))
        assert pairs()[0][1] in send(opener, f"{site}/get-next-item", json.dumps(person).encode(), kind)
        answer = {"item_i": 0, "payload": {"annotation": [{"second": {"score": 50, "error_spans": []}}]}}
        assert "ok" in send(opener, f"{site}/log-response", json.dumps(person | answer).encode(), kind)
    return "1 JSON file with all pairs"


LABELS = """\
<View>
  <Text name="first" value="$sentence1"/>
  <Text name="second" value="$sentence2"/>
  <Choices name="relatedness" toName="first" choice="single-radio">
    <Choice value="1"/>
    <Choice value="2"/>
    <Choice value="3"/>
    <Choice value="4"/>
    <Choice value="5"/>
  </Choices>
</View>
"""


def label_studio(environment: Path) -> str:
    """Sign up to Label Studio, create a project with the pairs, and answer the first task."""
    with label_studio_site(environment) as site:
        cookies = CookieJar()
        opener = build_opener(HTTPCookieProcessor(cookies))
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', send(opener, f"{site}/user/signup/"))
        assert token
        account = {"email": "ann1@example.org", "password": "secret-1234", "csrfmiddlewaretoken": token[1]}
        send(opener, f"{site}/user/signup/", urlencode(account).encode())

        def post(path: str, body: object) -> dict[str, Any]:
            (csrf,) = [cookie.value for cookie in cookies if cookie.name == "csrftoken"]
            opener.addheaders = [("X-CSRFToken", str(csrf))]
            return dict(json.loads(send(opener, f"{site}/api/{path}", json.dumps(body).encode(), "application/json")))

        project = post("projects/", {"title": "Pairs", "label_config": LABELS})["id"]
        post(f"projects/{project}/import", [{"sentence1": one, "sentence2": other} for one, other in pairs()])
        task = json.loads(send(opener, f"{site}/api/projects/{project}/next/"))
        assert task["data"]["sentence1"] == pairs()[0][0]
        choice = {"from_name": "relatedness", "to_name": "first", "type": "choices", "value": {"choices": ["3"]}}
        assert post(f"tasks/{task['id']}/annotations/", {"result": [choice]})["id"]
    return f"{len(LABELS.splitlines())} lines of configuration"


@contextmanager
def label_studio_site(environment: Path) -> Iterator[str]:
    """Run Label Studio with a new database, and yield its address."""
    folder = study_folder(environment, ("sentence1", "sentence2"))
    port = servers.free_port()
    start = ["start", "--no-browser", "--internal-host", "127.0.0.1", "--port", port, "--data-dir", folder / "data"]
    with serving(folder, environment / "bin/label-studio", *start):
        yield wait_for(f"http://127.0.0.1:{port}")


@contextmanager
def serving(folder: Path, *command: object) -> Iterator[None]:
    """Run a tool until the block ends."""
    with (folder / "log").open("wb") as log:
        silent = os.environ | {"COLLECT_ANALYTICS": "0"}  # otherwise Label Studio sends usage data
        process = subprocess.Popen(list(map(str, command)), cwd=folder, env=silent, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(WAIT)


def wait_for(url: str) -> str:
    """Wait until the tool answers at the address, and return the address."""
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        try:
            urlopen(url, timeout=WAIT).close()
        except (URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return url
    raise SystemExit(f"{url} does not answer")


TOOLS: dict[str, tuple[str, Callable[[Path], str]]] = {
    "accord": ("", accord),
    "potato": ("potato-annotation", potato),
    "pearmut": ("pearmut", pearmut),
    "label-studio": ("label-studio", label_studio),
}

if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]).resolve(), sys.argv[2:])
    else:
        print("first_answer installs other tools, so it needs a folder: script/bench first_answer FOLDER")
