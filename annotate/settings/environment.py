"""Reads settings from the environment. A malformed value ends the program with one line that names the setting, its
value and an example.

Lines never show passwords: tokens and keys are hidden, and URLs are shown without the user and the query string.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import environs

EXIT_STATUS = 3  # with this exit status, gunicorn stops instead of restarting workers forever
_ADDRESS = re.compile(
    r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://(?P<place>([^\s/:@?#]*|\[[0-9a-fA-F:.]+\])(:\d*)?(/[^?#]*)?)"
)
_HOST = re.compile(r"\*|\.?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_-]+)*\.?|\[[0-9a-fA-F:.]+\]|[0-9.]+")
_RATE = re.compile(r"[1-9]\d*/(s|sec|second|m|min|minute|h|hour|d|day)")
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_MAIL = re.compile(r"[^\s<>@]+@[^\s<>@]+|[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>")
_TOKEN = re.compile(r"[!-~]*")


class SettingError(SystemExit):
    """Error raised if a setting is malformed. If nobody catches the error, the program prints the line and ends."""


class Environment:
    """The environment variables. Each method returns the value of one variable in the type that its name states."""

    def __init__(self) -> None:
        self._env = environs.Env()

    def refuse(self, name: str, problem: str, example: str, *, value: str | None = None) -> NoReturn:
        """Print the line about a setting, and raise `SettingError`. `value` is the part of the value that may be
        shown.
        """
        shown = name if value is None else f"{name}={value}"
        sys.stderr.write(f"accord: {' '.join(shown.split())}: {problem}. Example: {name}={example}\n")
        raise SettingError(EXIT_STATUS)

    def text(self, name: str, default: str = "") -> str:
        """Return a text, which can have any value."""
        return str(self._env.str(name, default))

    def secret(self, name: str) -> str:
        """Return a token or password, which is sent in a header or to a server."""
        value = self.text(name)
        if not _TOKEN.fullmatch(value):
            self.refuse(name, "the value contains spaces, line breaks or letters that are not ASCII", "8hG2kQ…")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name).strip()
        try:
            return bool(self._env.bool(name, default)) if value else default
        except environs.EnvError:
            self.refuse(name, "the value must be true or false", str(not default).lower(), value=value)

    def number(self, name: str, default: int, *, least: int = 1, most: int = 2**53) -> int:
        """Return a whole number between `least` and `most`."""
        value = self.text(name).strip()
        if not value:
            return default
        digits = re.fullmatch(r"[+-]?[0-9]{1,30}", value)
        if digits is None or not least <= int(value) <= most:
            above = f" of at least {least}" if most == 2**53 else f" between {least} and {most}"
            self.refuse(name, f"the value must be a whole number{above}", str(default), value=value)
        return int(value)

    def choice(self, name: str, default: str, choices: Sequence[str]) -> str:
        value = self.text(name) or default
        if value not in choices:
            self.refuse(name, f"the value must be one of {', '.join(choices)}", default, value=value)
        return value

    def entries(self, name: str, default: Sequence[str] = ()) -> list[str]:
        """Return texts separated by commas, without surrounding spaces."""
        return [entry.strip() for entry in self._env.list(name, list(default))]

    def secrets(self, name: str) -> list[str]:
        """Return tokens or keys separated by commas."""
        values = self.entries(name)
        if not all(values):
            self.refuse(name, "one of the keys is empty", "newest-key,older-key")
        return values

    def hosts(self, name: str, default: Sequence[str]) -> list[str]:
        problem = "each entry must be a host name without a port or https://"
        return self._each(name, default, lambda entry: bool(_HOST.fullmatch(entry)), problem)

    def host(self, name: str) -> str:
        """Return one host name, or an empty string."""
        value = self.text(name)
        if value and (not _HOST.fullmatch(value) or value == "*"):
            self.refuse(
                name, "the value must be a host name without a port or https://", "mail.example.org", value=value
            )
        return value

    def rates(self, name: str, default: Sequence[str]) -> list[str]:
        problem = "each rate must be a whole number followed by /sec, /min, /hour or /day"
        return self._each(name, default, lambda entry: bool(_RATE.fullmatch(entry)), problem)

    def rate(self, name: str, default: str) -> str:
        value = self.text(name) or default
        if not _RATE.fullmatch(value):
            problem = "the rate must be a whole number followed by /sec, /min, /hour or /day"
            self.refuse(name, problem, default, value=value)
        return value

    def origins(self, name: str, default: Sequence[str]) -> list[str]:
        problem = "each entry must be an origin such as https://www.mturk.com, without a path"
        return self._each(name, default, lambda entry: _is_url(entry, ("https", "http"), path=False), problem)

    def apps(self, name: str) -> list[str]:
        """Return dotted paths of applications."""
        example = "accord_fluency.apps.FluencyConfig"
        for entry in (values := self.entries(name)):
            if not _DOTTED.fullmatch(entry):
                self.refuse(name, f"“{entry}” is not the dotted path of an application", example)
            if find_spec(entry.partition(".")[0]) is None:
                self.refuse(name, f"the package of {entry} is not installed", example)
        return values

    def url(self, name: str, default: str, *, schemes: Sequence[str] = ("https", "http"), path: bool = True) -> str:
        """Return a URL with one of the schemes. With `path` false, the URL must end after the host and port."""
        value = self.text(name) or default
        if value and not _is_url(value, schemes, path=path):
            form = f"{' or '.join(f'{scheme}://' for scheme in schemes)} and a host{'' if path else ', without a path'}"
            example = default or f"{schemes[0]}://{'127.0.0.1:6379/0' if 'redis' in schemes else 'accord.example.org'}"
            self.refuse(name, f"the value must be a URL with {form}", example, value=without_secrets(value))
        return value

    def mail_address(self, name: str, default: str) -> str:
        value = self.text(name) or default
        if not _MAIL.fullmatch(value):
            self.refuse(name, "the value must be an e-mail address", "accord@example.org", value=value)
        return value

    def folder(self, name: str, default: Path) -> Path:
        """Return a folder, which need not exist."""
        value = self._env.path(name, default)
        if value.exists() and not value.is_dir():
            self.refuse(name, "the value must be a folder, but this is a file", "/var/lib/accord", value=str(value))
        return Path(value)

    def _each(self, name: str, default: Sequence[str], is_valid: Callable[[str], bool], problem: str) -> list[str]:
        for entry in (values := self.entries(name, default)):
            if not is_valid(entry):
                self.refuse(name, problem, ",".join(default), value=self.text(name))
        return values


def without_secrets(url: str) -> str:
    """Return a URL without its user, password and query string. A malformed URL is cut after its scheme, because any
    part of it could be a password.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url if re.fullmatch(r"[\w.-]+(:\d{1,5})?/?", url) else "…"
    place = rest.rpartition("@")[2].partition("?")[0]
    whole = _ADDRESS.fullmatch(f"{scheme}://{place}")
    return f"{scheme}://{'…@' if '@' in rest else ''}{place if whole else '…'}"


def _is_url(value: str, schemes: Sequence[str], *, path: bool) -> bool:
    try:
        parts = urlsplit(value)
        has_valid_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or "*"
    if re.search(r"\s", value) or parts.scheme not in schemes or host == "*" or not _HOST.fullmatch(host):
        return False
    has_only_host = parts.path in ("", "/") and not parts.query and not parts.fragment and "@" not in parts.netloc
    return has_valid_port and not parts.netloc.endswith(":") and (path or has_only_host)


env = Environment()
