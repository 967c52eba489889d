"""Zenodo: a deposition with a reserved DOI, files in its bucket, and publication.

The API is documented at https://developers.zenodo.org.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, ClassVar
from urllib.parse import quote

from releases.contents.card import LICENCES
from releases.publish.client import CannotPublish, Client
from releases.publish.services import Dataset, Place


class Zenodo:
    name: ClassVar[str] = "Zenodo"
    address: ClassVar[str] = "https://zenodo.org/api"
    sandbox: ClassVar[str] = "https://sandbox.zenodo.org/api"
    variable: ClassVar[str] = "ZENODO_TOKEN"
    access: ClassVar[str] = (
        "a personal access token with the scopes deposit:write and deposit:actions, from "
        "https://zenodo.org/account/settings/applications/"
    )
    packs: ClassVar[bool] = True

    def check(self, dataset: Dataset) -> None:
        if not dataset.about.creators.strip(" ;"):
            raise CannotPublish("Zenodo needs the authors. Create the release again with --creators.")
        if dataset.about.licence.lower() not in LICENCES:
            raise CannotPublish(
                f"Accord does not know the licence {dataset.about.licence} on Zenodo. Create the release again with "
                "an SPDX identifier such as CC-BY-4.0, or upload the zip file on Zenodo's page."
            )

    def reserve(self, client: Client, dataset: Dataset) -> Place:
        made = client.json("POST", "deposit/depositions", {"metadata": _metadata(dataset)})
        try:
            doi = made["metadata"]["prereserve_doi"]["doi"]
            links = {name: str(made["links"][name]) for name in ("bucket", "self", "publish")}
            return Place(str(made["id"]), f"https://doi.org/{doi}", made["links"]["html"], links)
        except (KeyError, TypeError) as error:
            raise CannotPublish("Zenodo's response contains no DOI. Check --address.") from error

    def missing(self, client: Client, place: Place, uploads: Mapping[str, bytes]) -> list[str]:
        deposition = client.json("GET", place.links["self"])
        stored = {each["filename"]: str(each["checksum"]).removeprefix("md5:") for each in deposition.get("files", ())}
        missing = [name for name, data in uploads.items() if stored.get(name) != _md5(data)]
        if missing and deposition.get("submitted"):
            raise CannotPublish(
                f"{place.url} is already published with other files, which cannot be changed. Create a release with "
                "another version, and publish it from another folder."
            )
        return missing

    def upload(self, client: Client, place: Place, uploads: Mapping[str, bytes], dataset: Dataset) -> Iterator[str]:
        for name, data in uploads.items():
            client.send("PUT", f"{place.links['bucket']}/{quote(name)}", data)
            yield name

    def publish(self, client: Client, place: Place, dataset: Dataset) -> None:
        if client.json("GET", place.links["self"]).get("submitted"):
            return  # by an earlier request whose response was lost
        client.json("PUT", place.links["self"], {"metadata": _metadata(dataset)})
        client.json("POST", place.links["publish"])


def _metadata(dataset: Dataset) -> dict[str, Any]:
    about = dataset.about
    return {
        "upload_type": "dataset",
        "title": dataset.title,
        "description": f"<p>{escape(dataset.description)}</p>",
        "creators": [{"name": name.strip()} for name in about.creators.split(";") if name.strip()],
        "version": about.version,
        "publication_date": about.published.isoformat(),
        "access_right": "open",
        "license": about.licence.lower(),
        "prereserve_doi": True,
    }


def _md5(data: bytes) -> str:
    """Return the checksum that Zenodo lists."""
    return hashlib.md5(data).hexdigest()  # noqa: S324 - not for security
