"""The synchronous and the asynchronous client. They differ only in how they carry out the steps of a flow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self, TypeVar, Unpack

import httpx

from .generated import models, operations
from .operation import Listing, Operation
from .session import Flow, Gather, Pause, Session, Step
from .study import AsyncStudy, Study

T = TypeVar("T")
Row = TypeVar("Row")

PATIENCE = TIMEOUT = 60.0


class Accord:
    """An Accord server, with the token of a researcher.

    Requests are repeated for `patience` seconds if the server asks for it or if the connection is lost, and only if a
    repetition is safe. `timeout` is the maximum number of seconds without data. Use the client in a `with` statement,
    or call `close`, to close all connections.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        patience: float = PATIENCE,
        timeout: float = TIMEOUT,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.session = Session(address, f"Token {token}", patience)
        self._http = httpx.Client(timeout=timeout, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def create_study(self, **settings: Unpack[models.StudyDraftRequest]) -> Study:
        """Create a draft study with these settings, and return it. You become its owner."""
        return self.study(self.send(operations.studies_create(settings))["id"])

    def study(self, id: str) -> Study:  # noqa: A002 - the name of the attribute
        """Return the study with this ID, without a request."""
        return Study(self, id)

    def studies(self) -> Iterator[models.StudyShape]:
        """Return all your studies, newest first."""
        return self.rows(operations.studies_list())

    def send(self, operation: Operation[T]) -> T:
        """Send a request that a function in `operations` describes, and return its result. Raises `AccordError`."""
        return self.run(self.session.send(operation))

    def with_etag(self, operation: Operation[T]) -> tuple[T, str]:
        """Send a request, and return its result with the `ETag`, which the argument `if_match` of changes expects."""
        response = self.run(self.session.respond(operation))
        return response.json(), response.headers["ETag"]

    def rows(self, listing: Listing[Row]) -> Iterator[Row]:
        """Iterate over the rows of all pages. Each page is requested when it is needed."""
        following: Listing[Row] | None = listing
        while following:
            page = self.send(following)
            yield from page["results"]
            following = following.after(page)

    def run(self, flow: Flow[T]) -> T:
        """Carry out all steps of a flow, and return its result."""
        try:
            step = next(flow)
            while True:
                try:
                    result = self._carry_out(step)
                except httpx.TransportError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    def _carry_out(self, step: Step) -> Any:
        if isinstance(step, httpx.Request):
            return self._http.send(step)
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        raise TypeError("The program's answers are awaitable. Use AsyncAccord.")


class AsyncAccord:
    """The asynchronous variant of `Accord`, with the same methods. Use it in an `async with` statement."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        patience: float = PATIENCE,
        timeout: float = TIMEOUT,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.session = Session(address, f"Token {token}", patience)
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def create_study(self, **settings: Unpack[models.StudyDraftRequest]) -> AsyncStudy:
        """Create a draft study with these settings, and return it. You become its owner."""
        return self.study((await self.send(operations.studies_create(settings)))["id"])

    def study(self, id: str) -> AsyncStudy:  # noqa: A002 - the name of the attribute
        """Return the study with this ID, without a request."""
        return AsyncStudy(self, id)

    def studies(self) -> AsyncIterator[models.StudyShape]:
        """Return all your studies, newest first."""
        return self.rows(operations.studies_list())

    async def send(self, operation: Operation[T]) -> T:
        """Send a request that a function in `operations` describes, and return its result. Raises `AccordError`."""
        return await self.run(self.session.send(operation))

    async def with_etag(self, operation: Operation[T]) -> tuple[T, str]:
        """Send a request, and return its result with the `ETag`, which the argument `if_match` of changes expects."""
        response = await self.run(self.session.respond(operation))
        return response.json(), response.headers["ETag"]

    async def rows(self, listing: Listing[Row]) -> AsyncIterator[Row]:
        """Iterate over the rows of all pages. Each page is requested when it is needed."""
        following: Listing[Row] | None = listing
        while following:
            page = await self.send(following)
            for row in page["results"]:
                yield row
            following = following.after(page)

    async def run(self, flow: Flow[T]) -> T:
        """Carry out all steps of a flow, and return its result."""
        try:
            step = next(flow)
            while True:
                try:
                    result = await self._carry_out(step)
                except httpx.TransportError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _carry_out(self, step: Step) -> Any:
        if isinstance(step, httpx.Request):
            return await self._http.send(step)
        if isinstance(step, Pause):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Gather):
            return await asyncio.gather(*step.results)
        return None
