"""The settings that other settings depend on: folders, the secret key and the address of the site."""

import fcntl
import secrets
import sys
from pathlib import Path
from typing import NoReturn

from annotate.server.private import private_file, private_folder
from annotate.server.site_address import DEFAULT, recorded_address

from .environment import EXIT_STATUS, SettingError, env

BASE_DIR = Path(__file__).resolve().parents[2]
# In a wheel, the shared templates, static files, translations and examples are inside the package. In a Git checkout,
# these shared folders are next to the package. See setup.py.
IN_WHEEL = (BASE_DIR / "annotate" / "shared").is_dir()
SHARED_DIR = BASE_DIR / "annotate" / "shared" if IN_WHEEL else BASE_DIR
OWN_DIR = Path.cwd() if IN_WHEEL else BASE_DIR  # Accord must not write files among installed packages
DATA_DIR = env.folder("ACCORD_DATA", OWN_DIR / ".accord")
REDIS_URL = env.url("REDIS_URL", "", schemes=("redis", "rediss"))
EMBEDDED = not REDIS_URL
SECRET_KEY_LENGTH, SECRET_KEY_VARIETY = 50, 10  # minimum number of characters, and of different characters


def unusable_data_folder(error: OSError) -> NoReturn:
    """Exit with an error message about `ACCORD_DATA`."""
    problem = f"the data folder cannot be used: {(error.strerror or str(error)).lower()} ({error.filename or DATA_DIR})"
    env.refuse("ACCORD_DATA", problem, "/var/lib/accord", value=str(DATA_DIR))


def _own_secret_key() -> str:
    """Return the secret key in the data folder, creating it if needed, so that an embedded installation needs no
    settings.
    """
    path = DATA_DIR / "secret-key"
    try:
        # An empty key is left over from a full disk, or another process has not written its key yet.
        return (path.read_text(encoding="ascii") if path.exists() else "") or _new_secret_key(path)
    except OSError as error:
        unusable_data_folder(error)


def _new_secret_key(path: Path) -> str:
    """Write a new key, and return it. If several processes start at the same time, all of them return the first key."""
    private_folder(path.parent)
    with private_file(path).open("r+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        key = file.read()
        if not key:
            key = secrets.token_urlsafe(48)
            file.write(key)
    return key


def _secret_key() -> str:
    """Return the secret key from the environment or, if Redis is not used, from the data folder."""
    key = env.text("SECRET_KEY")
    if not key and EMBEDDED:
        return _own_secret_key()
    if not EMBEDDED and (len(key) < SECRET_KEY_LENGTH or len(set(key)) < SECRET_KEY_VARIETY):
        sys.stderr.write(
            f"accord: SECRET_KEY is missing or too simple. Set it to at least {SECRET_KEY_LENGTH} random characters, "
            "for example from: openssl rand -hex 32\n"
        )
        raise SettingError(EXIT_STATUS)
    return key


SECRET_KEY = _secret_key()
DEBUG = env.flag("ACCORD_DEBUG", False)
ALLOWED_HOSTS = env.hosts("ACCORD_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
_SITE_URL = env.url("ACCORD_SITE_URL", "", schemes=("https", "http"), path=False).rstrip("/") or recorded_address(
    DATA_DIR
)
SITE_URL = _SITE_URL or DEFAULT
SITE_URL_KNOWN = _SITE_URL is not None
SECURE = SITE_URL.startswith("https://")
PROXIES = env.number("ACCORD_PROXIES", 0, least=0)  # read by annotate/server/addresses.py
