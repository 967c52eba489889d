"""Functions that request JSON from other servers. Each request goes to a public address, has a time
limit for the whole response and follows no redirects.
"""

from __future__ import annotations

import http.client
import json
from typing import Any

from annotate.server.outgoing import connection_to
from annotate.server.public_addresses import NotPublic

SECONDS = 5.0
LARGEST = 100_000  # bytes of a response


class NoResponse(Exception):
    """Error raised if the server does not return valid JSON. The error message names the host."""


def get_json(url: str, *, seconds: float = SECONDS) -> Any:
    """Return the JSON at the URL. Raise `NoResponse` if the request fails, or if the response is too large or
    invalid.
    """
    try:
        connection, path = connection_to(url, seconds)
    except NotPublic as error:
        raise NoResponse(str(error)) from error
    try:
        with connection.deadline():
            connection.request("GET", path, headers={"Accept": "application/json"})
            with connection.getresponse() as response:
                content = response.read(LARGEST + 1)
        if response.status != http.client.OK:
            raise NoResponse(f"{connection.host} responded with status {response.status}.")
        if len(content) > LARGEST:
            raise NoResponse(f"The response from {connection.host} is larger than {LARGEST} bytes.")
        return json.loads(content)
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        raise NoResponse(f"The request to {connection.host} failed: {error}") from error
    finally:
        connection.close()
