"""The Open Science Framework: a private project, files in its storage, and a public project.

The API is documented at https://developer.osf.io, and its file server at
https://waterbutler.readthedocs.io/en/latest/api.html.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from releases.publish.client import CannotPublish, Client, RequestFailed
from releases.publish.services import Dataset, Place


class Osf:
    name: ClassVar[str] = "the Open Science Framework"
    address: ClassVar[str] = "https://api.osf.io/v2"
    sandbox: ClassVar[str] = "https://api.test.osf.io/v2"
    variable: ClassVar[str] = "OSF_TOKEN"
    access: ClassVar[str] = "a personal access token with the scope osf.full_write, from https://osf.io/settings/tokens"
    packs: ClassVar[bool] = True

    def check(self, dataset: Dataset) -> None:
        """The service requires only a title."""

    def reserve(self, client: Client, dataset: Dataset) -> Place:
        attributes = {
            "title": f"{dataset.title}, version {dataset.about.version}",
            "category": "data",
            "description": dataset.description,
            "public": False,
        }
        made = client.json("POST", "nodes/", {"data": {"type": "nodes", "attributes": attributes}})
        try:
            node, page = str(made["data"]["id"]), str(made["data"]["links"]["html"])
        except (KeyError, TypeError) as error:
            raise CannotPublish("The response contains no project. Check --address.") from error
        return Place(node, page, page)

    def missing(self, client: Client, place: Place, uploads: Mapping[str, bytes]) -> list[str]:
        stored = {name: each["extra"]["hashes"].get("sha256") for name, each in _stored(client, place).items()}
        return [name for name, data in uploads.items() if stored.get(name) != hashlib.sha256(data).hexdigest()]

    def upload(self, client: Client, place: Place, uploads: Mapping[str, bytes], dataset: Dataset) -> Iterator[str]:
        storage = _storage(client, place)
        for name, data in uploads.items():
            try:
                client.send("PUT", f"{storage}?{urlencode({'kind': 'file', 'name': name})}", data)
            except RequestFailed as error:
                if error.status != 409:  # the file exists, and a new version is stored under its own path
                    raise
                path = _stored(client, place)[name]["path"]
                client.send("PUT", f"{storage.rstrip('/')}{path}?kind=file", data)
            yield name

    def publish(self, client: Client, place: Place, dataset: Dataset) -> None:
        changed = {"type": "nodes", "id": place.id, "attributes": {"public": True}}
        client.json("PATCH", f"nodes/{place.id}/", {"data": changed})


def _storage(client: Client, place: Place) -> str:
    """Return the link to which new files are sent."""
    for each in client.json("GET", f"nodes/{place.id}/files/")["data"]:
        if each["attributes"]["provider"] == "osfstorage":
            return str(each["links"]["upload"])
    raise CannotPublish(f"The project {place.page} has no storage of the Open Science Framework.")


def _stored(client: Client, place: Place) -> dict[str, Any]:
    """Return the attributes of the files in the project, by name."""
    listed = client.json("GET", f"nodes/{place.id}/files/osfstorage/?page[size]=100")["data"]
    return {each["attributes"]["name"]: each["attributes"] for each in listed}
