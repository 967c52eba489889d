"""A server that answers as the documented APIs of Zenodo, the Hugging Face Hub and the Open Science Framework do.

It keeps what it receives in memory. `faults` contains the next faulty responses.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "token-of-a-test"


@dataclass
class Fault:
    """A faulty response to the next request whose method and path match. Status 0 cuts the connection after `carry_out`
    the request, or while its body arrives.
    """

    request: str  # a regular expression for “METHOD path”
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    carry_out: bool = False


@dataclass
class Services:
    """The contents of all services, and the requests so far."""

    address: str = ""
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    without_token: list[str] = field(default_factory=list)
    depositions: dict[str, dict[str, Any]] = field(default_factory=dict)
    stored: dict[str, dict[str, bytes]] = field(default_factory=dict)
    public: set[str] = field(default_factory=set)
    lfs: dict[str, bytes] = field(default_factory=dict)
    repositories: set[str] = field(default_factory=set)


@contextmanager
def dataset_services() -> Iterator[Services]:
    """Run the server on a free port."""
    services = Services()

    class Handler(_Handler):
        state = services

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    services.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield services
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    state: Services

    def log_message(self, *args: Any) -> None:
        """The tests read the list of requests instead."""

    def _answer(self) -> None:
        state = self.state
        request = f"{self.command} {unquote(self.path)}"
        state.requests.append(request)
        fault = next((each for each in state.faults if re.match(each.request, request)), None)
        if fault is not None:
            state.faults.remove(fault)
        size = int(self.headers.get("Content-Length") or 0)
        if fault is not None and not fault.status and not fault.carry_out:
            self.rfile.read(size // 2)
            self.connection.close()
            return
        body = self.rfile.read(size)
        token = self.headers.get("Authorization")
        if token is None:
            state.without_token.append(request)
        if fault is not None and fault.status:
            self._send(fault.status, {"message": f"fault for {token}"}, fault.headers)
            return
        signed = "/signed/" in self.path
        if token != f"Bearer {TOKEN}" and not signed:
            self._send(401, {"message": "The server could not verify that you are authorized."})
            return
        status, answer = self._carry_out(body)
        if fault is not None:
            self.connection.close()
            return
        self._send(status, answer)

    do_GET = do_POST = do_PUT = do_PATCH = _answer  # noqa: N815 - the names that the library calls

    def _send(self, status: int, answer: Any, headers: dict[str, str] | None = None) -> None:
        content = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _carry_out(self, body: bytes) -> tuple[int, Any]:
        path = unquote(urlsplit(self.path).path)
        for pattern, carry_out in (
            (r"/zenodo/", self._zenodo),
            (r"/hub/", self._hub),
            (r"/osf/", self._osf),
        ):
            if path.startswith(pattern):
                return carry_out(path[len(pattern) :], body)
        return 404, {"message": path}

    # ── Zenodo ────────────────────────────────────────────────────────────────────────────────────────────────────
    def _zenodo(self, path: str, body: bytes) -> tuple[int, Any]:
        state, root = self.state, f"{self.state.address}/zenodo"
        if self.command == "POST" and path == "deposit/depositions":
            number = str(542201 + len(state.depositions))
            metadata = json.loads(body)["metadata"] | {"prereserve_doi": {"doi": f"10.5072/zenodo.{number}"}}
            links = {
                "bucket": f"{root}/files/{number}",
                "self": f"{root}/deposit/depositions/{number}",
                "publish": f"{root}/deposit/depositions/{number}/actions/publish",
                "html": f"https://zenodo.org/deposit/{number}",
            }
            state.depositions[number] = {
                "id": int(number),
                "metadata": metadata,
                "links": links,
                "submitted": False,
                "state": "unsubmitted",
            }
            state.stored[number] = {}
            return 201, self._deposition(number)
        if found := re.fullmatch(r"files/(\d+)/(.+)", path):
            number, name = found.groups()
            if state.depositions[number]["submitted"]:
                return 403, {"message": "Bucket is locked"}
            state.stored[number][name] = body
            return 201, {"key": name, "size": len(body), "checksum": f"md5:{_md5(body)}"}
        number = path.split("/")[2]
        if path.endswith("/actions/publish"):
            if not state.stored[number]:
                return 400, {"message": "Minimum one file must be provided."}
            state.depositions[number] |= {"submitted": True, "state": "done"}
            return 202, self._deposition(number)
        if self.command == "PUT":
            state.depositions[number]["metadata"] |= json.loads(body)["metadata"]
        return 200, self._deposition(number)

    def _deposition(self, number: str) -> dict[str, Any]:
        files = [
            {"filename": name, "filesize": len(data), "checksum": _md5(data)}
            for name, data in self.state.stored[number].items()
        ]
        return {**self.state.depositions[number], "files": files}

    # ── Hugging Face Hub ──────────────────────────────────────────────────────────────────────────────────────────
    def _hub(self, path: str, body: bytes) -> tuple[int, Any]:
        state, root = self.state, f"{self.state.address}/hub"
        if path == "api/whoami-v2":
            return 200, {"name": "ada", "type": "user"}
        if path == "api/repos/create":
            wanted = json.loads(body)
            repository = f"{wanted.get('organization', 'ada')}/{wanted['name']}"
            assert wanted["type"] == "dataset"
            assert wanted["private"]
            if repository in state.repositories:
                return 409, {"error": "You already created this dataset repo"}
            state.repositories.add(repository)
            state.stored[repository] = {".gitattributes": b""}
            return 200, {"url": f"{root}/datasets/{repository}"}
        if found := re.fullmatch(r"signed/(\w+)", path):
            assert self.command == "PUT"
            assert hashlib.sha256(body).hexdigest() == found[1]
            state.lfs[found[1]] = body
            return 200, None
        if found := re.fullmatch(r"datasets/(.+)\.git/info/lfs/objects/batch", path):
            assert self.headers["Accept"] == "application/vnd.git-lfs+json"
            return 200, {
                "transfer": "basic",
                "objects": [self._lfs_object(each) for each in json.loads(body)["objects"]],
            }
        if path == "verify":
            return 200, {}
        _, _, owner, name, action = path.split("/", 4)
        repository = f"{owner}/{name}"
        if action == "preupload/main":
            files = json.loads(body)["files"]
            modes = [
                {"path": each["path"], "uploadMode": "lfs" if each["path"].endswith(".jsonl") else "regular"}
                for each in files
            ]
            return 200, {"files": modes}
        if action == "commit/main":
            return self._commit(repository, body)
        if action == "settings":
            if not json.loads(body)["private"]:
                state.public.add(repository)
            return 200, {"private": False}
        return 200, [{"type": "file", "path": path, **_git(data)} for path, data in state.stored[repository].items()]

    def _lfs_object(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if wanted["oid"] in self.state.lfs:
            return wanted
        root = f"{self.state.address}/hub"
        actions = {"upload": {"href": f"{root}/signed/{wanted['oid']}"}, "verify": {"href": f"{root}/verify"}}
        return {**wanted, "actions": actions}

    def _commit(self, repository: str, body: bytes) -> tuple[int, Any]:
        header, *lines = [json.loads(line) for line in body.decode().split("\n")]
        assert header["key"] == "header"
        assert header["value"]["summary"]
        for line in lines:
            value = line["value"]
            data = self.state.lfs.get(value["oid"]) if line["key"] == "lfsFile" else base64.b64decode(value["content"])
            if data is None:
                return 400, {"error": "LFS pointer pointed to a file that does not exist"}
            self.state.stored[repository][value["path"]] = data
        return 200, {"commitOid": "0" * 40, "commitUrl": "https://huggingface.co/", "success": True}

    # ── Open Science Framework ────────────────────────────────────────────────────────────────────────────────────
    def _osf(self, path: str, body: bytes) -> tuple[int, Any]:
        state, root = self.state, f"{self.state.address}/osf"
        if path == "nodes/":
            attributes = json.loads(body)["data"]["attributes"]
            assert attributes["public"] is False
            state.stored["abcde"] = {}
            return 201, {"data": {"id": "abcde", "type": "nodes", "links": {"html": "https://osf.io/abcde/"}}}
        if path == "nodes/abcde/":
            assert self.command == "PATCH"
            state.public |= {"abcde"} if json.loads(body)["data"]["attributes"]["public"] else set()
            return 200, {"data": {"id": "abcde", "attributes": {"public": True}}}
        if path == "nodes/abcde/files/":
            upload = f"{root}/v1/resources/abcde/providers/osfstorage/"
            return 200, {"data": [{"attributes": {"provider": "osfstorage"}, "links": {"upload": upload}}]}
        files = state.stored["abcde"]
        if path == "nodes/abcde/files/osfstorage/":
            listed = [
                {
                    "attributes": {
                        "name": name,
                        "kind": "file",
                        "path": f"/{place}",
                        "extra": {"hashes": {"sha256": hashlib.sha256(data).hexdigest(), "md5": _md5(data)}},
                    }
                }
                for place, (name, data) in enumerate(files.items())
            ]
            return 200, {"data": listed}
        query = parse_qs(urlsplit(self.path).query)
        assert query["kind"] == ["file"]
        file = path.rpartition("/")[2]
        if not file:
            if query["name"][0] in files:
                return 409, {"message": "Cannot complete action: file or folder already exists in this location"}
            files[query["name"][0]] = body
            return 201, {"data": {}}
        files[list(files)[int(file)]] = body
        return 200, {"data": {}}


def _md5(data: bytes) -> str:
    return hashlib.md5(data).hexdigest()  # noqa: S324 - as the services do


def _git(data: bytes) -> dict[str, Any]:
    return {"size": len(data), "oid": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()}  # noqa: S324
