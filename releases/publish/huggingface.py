"""The Hugging Face Hub: a private dataset repository, one commit with all files, and a public repository.

Small files are part of the commit. The Hub decides which files are stored by Git LFS; these are uploaded first. The API
is documented at https://huggingface.co/docs/hub/api.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from releases.publish.client import CannotPublish, Client, RequestFailed
from releases.publish.services import Dataset, Place

SAMPLE = 512  # bytes by which the Hub recognises binary files
FILES_AT_ONCE = 200
LFS = "application/vnd.git-lfs+json"


class HuggingFace:
    name: ClassVar[str] = "the Hugging Face Hub"
    address: ClassVar[str] = "https://huggingface.co"
    sandbox: ClassVar[str] = ""
    variable: ClassVar[str] = "HF_TOKEN"
    access: ClassVar[str] = "a token that can write, from https://huggingface.co/settings/tokens"
    packs: ClassVar[bool] = False

    def __init__(self, repository: str = "") -> None:
        """`repository` is OWNER/NAME. By default, the owner is the token's, and the name is the release's."""
        self.repository = repository

    def check(self, dataset: Dataset) -> None:
        if self.repository and len(list(filter(None, self.repository.split("/")))) != 2:
            raise CannotPublish("--repository must have the form OWNER/NAME.")

    def reserve(self, client: Client, dataset: Dataset) -> Place:
        user = client.json("GET", "api/whoami-v2")["name"]
        owner, _, name = (self.repository or f"{user}/{dataset.name}").partition("/")
        wanted = {"name": name, "type": "dataset", "private": True}
        repository = f"{owner}/{name}"
        url = f"{client.address}datasets/{repository}"
        try:
            client.json("POST", "api/repos/create", wanted | ({"organization": owner} if owner != user else {}))
        except RequestFailed as error:
            if error.status != 409:
                raise
            raise CannotPublish(f"{url} already exists. Choose another name with --repository OWNER/NAME.") from error
        return Place(repository, url, url)

    def missing(self, client: Client, place: Place, uploads: Mapping[str, bytes]) -> list[str]:
        listed = client.json("GET", f"api/datasets/{place.id}/tree/main?recursive=true")
        stored = {each["path"]: each.get("lfs", {}).get("oid") or each.get("oid") for each in listed}
        return [
            name
            for name, data in uploads.items()
            if stored.get(name) not in (_git_oid(data), hashlib.sha256(data).hexdigest())
        ]

    def upload(self, client: Client, place: Place, uploads: Mapping[str, bytes], dataset: Dataset) -> Iterator[str]:
        if not uploads:
            return
        by_lfs = _by_lfs(client, place, uploads)
        _upload_lfs(client, place, {name: data for name, data in uploads.items() if name in by_lfs})
        lines: list[dict[str, Any]] = [
            {"key": "header", "value": {"summary": f"Version {dataset.about.version}", "description": ""}}
        ]
        for name, data in uploads.items():
            if name in by_lfs:
                entry = {"path": name, "algo": "sha256", "oid": hashlib.sha256(data).hexdigest(), "size": len(data)}
                lines.append({"key": "lfsFile", "value": entry})
            else:
                content = base64.b64encode(data).decode()
                lines.append({"key": "file", "value": {"path": name, "encoding": "base64", "content": content}})
        commit = "\n".join(map(json.dumps, lines)).encode()
        client.send("POST", f"api/datasets/{place.id}/commit/main", commit, content_type="application/x-ndjson")
        yield from uploads

    def publish(self, client: Client, place: Place, dataset: Dataset) -> None:
        client.json("PUT", f"api/datasets/{place.id}/settings", {"private": False})


def _by_lfs(client: Client, place: Place, uploads: Mapping[str, bytes]) -> set[str]:
    """Return the names of the files that the Hub stores by Git LFS."""
    found: set[str] = set()
    for names in _batches(list(uploads)):
        samples = [
            {"path": name, "size": len(uploads[name]), "sample": base64.b64encode(uploads[name][:SAMPLE]).decode()}
            for name in names
        ]
        answer = client.json("POST", f"api/datasets/{place.id}/preupload/main", {"files": samples}, repeatable=True)
        found |= {each["path"] for each in answer["files"] if each["uploadMode"] == "lfs"}
    return found


def _upload_lfs(client: Client, place: Place, uploads: Mapping[str, bytes]) -> None:
    """Upload files to the storage of Git LFS. The Hub names no action for files that it already has."""
    by_oid = {hashlib.sha256(data).hexdigest(): data for data in uploads.values()}
    for oids in _batches(list(by_oid)):
        wanted = {
            "operation": "upload",
            "transfers": ["basic"],
            "hash_algo": "sha256",
            "objects": [{"oid": oid, "size": len(by_oid[oid])} for oid in oids],
        }
        content, address = json.dumps(wanted).encode(), f"datasets/{place.id}.git/info/lfs/objects/batch"
        answer = client.send("POST", address, content, content_type=LFS, headers={"Accept": LFS}, repeatable=True)
        for each in answer["objects"]:
            if "error" in each:
                raise CannotPublish(f"The Hugging Face Hub refuses a file: {each['error'].get('message')}")
            actions, oid = each.get("actions") or {}, each["oid"]
            if "upload" in actions:
                # The link is signed and can lead to another host, which must not receive the token.
                headers = actions["upload"].get("header") or {}
                client.send("PUT", actions["upload"]["href"], by_oid[oid], headers=headers, with_token=False)
            if "verify" in actions:
                client.json("POST", actions["verify"]["href"], {"oid": oid, "size": len(by_oid[oid])}, repeatable=True)


def _batches(names: list[str]) -> Iterable[list[str]]:
    return (names[start : start + FILES_AT_ONCE] for start in range(0, len(names), FILES_AT_ONCE))


def _git_oid(data: bytes) -> str:
    """Return the object ID that Git gives to a file."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()  # noqa: S324 - Git's object ID
