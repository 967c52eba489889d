"""The settings that other settings depend on, which are folders, the secret key and the address of the site."""

import secrets
import sys
from pathlib import Path

from environs import env

from annotate.private import private_file, private_folder
from annotate.site_address import DEFAULT, recorded_address

BASE_DIR = Path(__file__).resolve().parents[2]
# In a wheel, the shared templates, static files, translations and examples are inside the package. In a Git checkout,
# these shared folders are next to the package. See setup.py.
IN_WHEEL = (BASE_DIR / "annotate" / "shared").is_dir()
SHARED_DIR = BASE_DIR / "annotate" / "shared" if IN_WHEEL else BASE_DIR
OWN_DIR = Path.cwd() if IN_WHEEL else BASE_DIR  # Accord must not write files among installed packages
DATA_DIR = env.path("ACCORD_DATA", OWN_DIR / ".accord")
REDIS_URL = env.str("REDIS_URL", "")
EMBEDDED = not REDIS_URL
SECRET_KEY_LENGTH, SECRET_KEY_VARIETY = 50, 10  # minimum number of characters, and of different characters


def _own_secret_key() -> str:
    """Return the secret key in the data folder, creating it if needed, so that an embedded installation needs no
    settings.
    """
    path = DATA_DIR / "secret-key"
    if not path.exists():
        private_folder(DATA_DIR)
        private_file(path).write_text(secrets.token_urlsafe(48), encoding="ascii")
    return path.read_text(encoding="ascii")


def _secret_key() -> str:
    """Return the secret key from the environment or, if Redis is not used, from the data folder."""
    key = env.str("SECRET_KEY", "")
    if not key and EMBEDDED:
        return _own_secret_key()
    if not EMBEDDED and (len(key) < SECRET_KEY_LENGTH or len(set(key)) < SECRET_KEY_VARIETY):
        sys.stderr.write(
            f"accord: SECRET_KEY is missing or too simple. Set it to at least {SECRET_KEY_LENGTH} random characters, "
            "for example from: openssl rand -hex 32\n"
        )
        sys.exit(3)  # with this exit status, gunicorn stops instead of restarting workers forever
    return key


SECRET_KEY = _secret_key()
DEBUG = env.bool("ACCORD_DEBUG", False)
ALLOWED_HOSTS = env.list("ACCORD_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
_SITE_URL = env.str("ACCORD_SITE_URL", "") or recorded_address(DATA_DIR)
SITE_URL = _SITE_URL or DEFAULT
SITE_URL_KNOWN = _SITE_URL is not None
SECURE = SITE_URL.startswith("https://")
PROXIES = env.int("ACCORD_PROXIES", 0)  # read by annotate/addresses.py
