"""The HITs of a program on an Accord server, through the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from .hits import Hit, HitError
from .lines import ProgramAnswer
from .server import NOT_ACCORD, Server, ServerError

UNAUTHORIZED = 401


class RemoteHits:
    """The HITs of the program with this name. `token` is the API token of a researcher who can add programs.

    Raises `HitError` if the program cannot join the study.
    """

    def __init__(self, server: Server, study: str, *, name: str, token: str) -> None:
        self._server = server
        self._study = study
        self._name = name
        self._researcher = f"Token {token}"
        self._join()

    def claim(self) -> Hit:
        return Hit.of(self._call("POST", "claims"))

    def answer(self, hit: Hit, position: int, answer: ProgramAnswer, seconds: float) -> None:
        given = {"skipped": answer.skipped} if answer.skipped else {"value": answer.value}
        self._call("PUT", f"assignments/{hit.id}/answers/{position}", {**given, "seconds": round(seconds, 3)})

    def submit(self, hit: Hit) -> Hit:
        following = self._call("POST", f"assignments/{hit.id}/submission", {"next": True})["next"]
        return Hit.of(following) if following else self.claim()

    def _join(self) -> None:
        body = {"platform": "system", "name": self._name}
        try:
            path = f"studies/{quote(self._study, safe='')}/programs"
            token = self._server.call("POST", path, body, authorization=self._researcher)["token"]
        except ServerError as error:
            raise HitError(str(error)) from error
        except (KeyError, TypeError) as error:
            raise HitError(f"The response contains no token. {NOT_ACCORD}") from error
        self._program = f"Participation {token}"

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a request as the program. The program's token expires after 12 hours, and joining again renews it."""
        try:
            return self._server.call(method, path, body, authorization=self._program)
        except ServerError as error:
            if error.status != UNAUTHORIZED:
                raise HitError(str(error)) from error
        self._join()
        try:
            return self._server.call(method, path, body, authorization=self._program)
        except ServerError as error:
            raise HitError(str(error)) from error
