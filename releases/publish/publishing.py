"""The steps that publish a release: reserve its address, write the address into its files, send the files, and make
them public.

The place of each draft is recorded in a file beside the release, such as `relatedness-1.0.published.json`. With it, the
same command continues an interrupted upload, or publishes a draft.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from releases.contents.address import with_address
from releases.contents.archive import SUMS
from releases.contents.folder import METADATA, opened
from releases.publish.client import CannotPublish, Client
from releases.publish.services import Dataset, Place, Service
from releases.services.releases import Release, as_zip

DOI = "https://doi.org/"


@dataclass(frozen=True)
class Outcome:
    """The result of publishing: the place, the names of sent files and of files already there, and the files of the
    release with its address.
    """

    place: Place
    sent: list[str]
    already: list[str]
    files: Mapping[str, bytes]


def dataset_of(name: str, files: Mapping[str, bytes]) -> Dataset:
    """Return a release in the form in which services receive it."""
    _, data, about, _ = opened(files)
    described = json.loads(files[METADATA])
    return Dataset(name, data.facts["title"], about, described["description"], files)


def uploads_of(service: Service, dataset: Dataset) -> Mapping[str, bytes]:
    """Return the files that the service gets: the release in a zip file and its data card to read, or all files."""
    if not service.packs:
        return dataset.files
    return {f"{dataset.name}.zip": zip_of(dataset.name, dataset.files), "README.md": dataset.files["README.md"]}


def zip_of(name: str, files: Mapping[str, bytes]) -> bytes:
    """Return the zip file of a release."""
    return as_zip(Release(name, files, hashlib.sha256(files[SUMS]).hexdigest()))


def publish_release(
    service: Service,
    client: Client,
    name: str,
    files: Mapping[str, bytes],
    record: Path,
    *,
    store: Callable[[Mapping[str, bytes]], None],
    public: bool,
    say: Callable[[str], None],
) -> Outcome:
    """Upload a release as a draft, and make it public if `public` is true.

    `store` receives the files with their new address before they are sent. Raises `CannotPublish`, whose message
    states where the draft is and which files it contains.
    """
    dataset = dataset_of(name, files)
    service.check(dataset)
    place = _recorded(record, client.address)
    if place is None:
        place = service.reserve(client, dataset)
        _record(record, client.address, place)
        say(f"Created a draft: {place.page}")
    dataset = _addressed(dataset, place)
    if dataset.files != files:
        store(dataset.files)
    uploads = uploads_of(service, dataset)
    sent: list[str] = []
    try:
        missing = service.missing(client, place, uploads)
        for stored in service.upload(client, place, {each: uploads[each] for each in missing}, dataset):
            sent.append(stored)
            say(f"Sent {stored} ({len(uploads[stored]):,} bytes)")
        if public:
            service.publish(client, place, dataset)
            place = replace(place, published=True)
            _record(record, client.address, place)
    except CannotPublish as error:
        raise CannotPublish(f"{error} {_state(place, sent, uploads)}") from error
    return Outcome(place, sent, [each for each in uploads if each not in sent], dataset.files)


def _addressed(dataset: Dataset, place: Place) -> Dataset:
    """Write the address into the files. A DOI replaces any URL, and another address only fills in a missing one."""
    url = dataset.about.url
    if url == place.url or (url and not place.url.startswith(DOI)):
        return dataset
    return dataset_of(dataset.name, with_address(dataset.files, place.url))


def _state(place: Place, sent: list[str], uploads: Mapping[str, bytes]) -> str:
    done = f"Sent so far: {', '.join(sent)}. " if sent else ""
    visible = "published" if place.published else "a draft that only you can see"
    return (
        f"{done}The release is {visible} at {place.page}. Run the same command again to continue: files that are "
        f"already there are not sent again."
    )


def _recorded(record: Path, address: str) -> Place | None:
    places = _places(record)
    try:
        return Place(**places[address]) if address in places else None
    except TypeError as error:
        raise CannotPublish(f"{record} does not list drafts. Remove it to create a new draft.") from error


def _record(record: Path, address: str, place: Place) -> None:
    record.write_text(json.dumps({**_places(record), address: place.as_dict()}, indent=1) + "\n")


def _places(record: Path) -> dict[str, Any]:
    try:
        places = json.loads(record.read_text())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise CannotPublish(f"{record} is not JSON. Remove it to create a new draft.") from error
    if not isinstance(places, dict):
        raise CannotPublish(f"{record} does not list drafts. Remove it to create a new draft.")
    return places
