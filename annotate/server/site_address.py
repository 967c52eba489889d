"""The address of the site, which is ACCORD_SITE_URL or, if this setting is missing, the address at which `accord serve`
last started.

`accord serve` records its address in the data folder, so that commands in another terminal print links that work.
"""

from __future__ import annotations

from pathlib import Path

from annotate.server.own_names import bracketed
from annotate.server.private import private_file, private_folder

DEFAULT = "http://127.0.0.1:8000"
FILE = "site-address"


def address_of(host: str, port: int) -> str:
    """Return the URL of a server on this machine. A server that listens on all addresses also listens on the local
    address."""
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not listened on
    return f"http://{bracketed(local.get(host, host))}:{port}"


def record_address(folder: Path, address: str) -> None:
    """Store the address in the data folder."""
    private_folder(folder)
    private_file(folder / FILE).write_text(address, encoding="utf-8")


def recorded_address(folder: Path) -> str | None:
    """Return the address that was recorded last in the data folder, or None."""
    try:
        return (folder / FILE).read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
