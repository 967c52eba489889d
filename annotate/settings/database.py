"""Settings for the database, the cache and sessions."""

import dj_database_url
from environs import env

from annotate.private import private_file, private_folder

from .base import DATA_DIR, REDIS_URL

DATABASES = {
    "default": dj_database_url.parse(env.str("DATABASE_URL", "") or f"sqlite:///{DATA_DIR / 'accord.sqlite3'}")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    private_folder(DATA_DIR)
    if not env.str("DATABASE_URL", ""):
        private_file(DATA_DIR / "accord.sqlite3")
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 30,
        "transaction_mode": "IMMEDIATE",
        # With `synchronous=FULL`, acknowledged answers survive a power failure. With `synchronous=NORMAL`, a power
        # failure could destroy some acknowledged answers.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536;",
    }
else:
    DATABASES["default"]["ENGINE"] = "annotate.postgres"
    DATABASES["default"]["OPTIONS"] = {"connect_timeout": 5, "keepalives_idle": 30, "tcp_user_timeout": 15_000}
    if env.bool("ACCORD_DB_PREPARE", True):
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 3}
    else:  # a transaction pooler can send the next statement over another connection
        DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    if env.bool("ACCORD_DB_PERSISTENT", False):
        DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {"BACKEND": "annotate.cache.FailOpenRedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    # The cache counts attempts. If the cache were small, a client could cause the count of its own attempts to be
    # evicted.
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
