"""Settings for the database, the cache and sessions."""

from importlib.util import find_spec
from typing import Any

import dj_database_url

from annotate.server.private import private_file, private_folder

from .base import DATA_DIR, REDIS_URL, unusable_data_folder
from .environment import env, without_secrets

EXAMPLE = "postgresql://accord:password@127.0.0.1:5432/accord"
_DATABASE_URL = env.text("DATABASE_URL")


def _need(setting: str, example: str, package: str) -> None:
    """Stop if this setting needs a package of the extra `postgres` that is not installed."""
    if find_spec(package) is None:
        problem = f"{package} is not installed: pip install 'accord-annotation[postgres]'"
        env.refuse(setting, problem, example, value=without_secrets(env.text(setting)))


def _database() -> dict[str, Any]:
    """Return Django's settings for the database that `DATABASE_URL` names. The default is SQLite in `ACCORD_DATA`."""
    scheme = _DATABASE_URL.partition("://")[0]
    try:
        if _DATABASE_URL and scheme not in ("postgresql", "postgres", "sqlite"):
            raise ValueError
        database = dict(dj_database_url.parse(_DATABASE_URL or f"sqlite:///{DATA_DIR / 'accord.sqlite3'}"))
        if not database["NAME"]:
            raise ValueError
        return database
    except ValueError:  # also `ParseError`, for a port without a number
        problem = "the value must be postgresql:// or sqlite:/// with the name of a database"
        if "@" in _DATABASE_URL:
            problem += ", and all characters of the password except letters and digits must be percent-encoded"
        env.refuse("DATABASE_URL", problem, EXAMPLE, value=without_secrets(_DATABASE_URL))


DATABASES = {"default": _database()}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    try:
        private_folder(DATA_DIR)
        if not _DATABASE_URL:
            private_file(DATA_DIR / "accord.sqlite3")
    except OSError as error:
        unusable_data_folder(error)
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 30,
        "transaction_mode": "IMMEDIATE",
        # With `synchronous=FULL`, acknowledged answers survive a power failure. With `synchronous=NORMAL`, a power
        # failure could destroy some acknowledged answers.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536;",
    }
else:
    _need("DATABASE_URL", EXAMPLE, "psycopg")
    DATABASES["default"]["ENGINE"] = "annotate.server.postgres"
    # The query string of `DATABASE_URL` can contain options of the connection, such as `sslmode=require`.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        "keepalives_idle": 30,
        "tcp_user_timeout": 15_000,
        **DATABASES["default"].get("OPTIONS", {}),
    }
    if env.flag("ACCORD_DB_PREPARE", True):
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 3}
    else:  # a transaction pooler can send the next statement over another connection
        DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    if env.flag("ACCORD_DB_PERSISTENT", False):
        DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
if REDIS_URL:
    _need("REDIS_URL", "redis://127.0.0.1:6379/0", "redis")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {"BACKEND": "annotate.server.cache.FailOpenRedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    # The cache counts attempts. If the cache were small, clients could displace the counts of their own attempts.
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
