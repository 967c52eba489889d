"""The interface of services that publish releases: they reserve a place, receive files, and publish them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from releases.contents.folder import About
from releases.publish.client import Client


@dataclass(frozen=True)
class Dataset:
    """A release to publish on a service. `name` is the name of its folder."""

    name: str
    title: str
    about: About
    description: str
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Place:
    """A place on a service that belongs to a release. `url` is its permanent address, which can be a DOI, and `page`
    is where its owner sees the draft. `links` contains what later requests need.
    """

    id: str
    url: str
    page: str
    links: Mapping[str, str] = field(default_factory=dict)
    published: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "url": self.url,
            "page": self.page,
            "links": dict(self.links),
            "published": self.published,
        }


class Service(Protocol):
    """A service. Its methods raise `CannotPublish`."""

    name: ClassVar[str]
    address: ClassVar[str]
    sandbox: ClassVar[str]  # empty if the service has none
    variable: ClassVar[str]  # the environment variable with the token
    access: ClassVar[str]  # which token it needs, and where to create it
    packs: ClassVar[bool]  # whether it gets one zip file, because it has no folders

    def check(self, dataset: Dataset) -> None:
        """Check the information that the service requires, before any request."""

    def reserve(self, client: Client, dataset: Dataset) -> Place:
        """Create a private draft, whose permanent address is already known."""

    def missing(self, client: Client, place: Place, uploads: Mapping[str, bytes]) -> list[str]:
        """Return the names of the files that the draft does not contain yet, in their order."""

    def upload(self, client: Client, place: Place, uploads: Mapping[str, bytes], dataset: Dataset) -> Iterator[str]:
        """Upload files, and yield the name of each file as soon as the service has stored it. Files with the same names
        are replaced.
        """

    def publish(self, client: Client, place: Place, dataset: Dataset) -> None:
        """Make the draft public."""
