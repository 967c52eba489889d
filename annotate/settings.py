"""Settings, all of them from the environment: DATABASE_URL, REDIS_URL, SECRET_KEY and ACCORD_*.

With none of them set the application is *embedded*: SQLite below `ACCORD_DATA`, and a Celery worker thread on an
in-memory broker inside the one web process. `docs/settings.md` describes each.
"""

import secrets
import sys
from pathlib import Path

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from environs import env, validate

from annotate.private import private_file, private_folder

BASE_DIR = Path(__file__).resolve().parent.parent
# Templates, static files, translations and examples: a wheel contains them in the package, a checkout beside it.
IN_WHEEL = (BASE_DIR / "annotate" / "shared").is_dir()
SHARED_DIR = BASE_DIR / "annotate" / "shared" if IN_WHEEL else BASE_DIR
OWN_DIR = Path.cwd() if IN_WHEEL else BASE_DIR  # files that Accord writes are not stored among installed packages
DATA_DIR = env.path("ACCORD_DATA", OWN_DIR / ".accord")
REDIS_URL = env.str("REDIS_URL", "")
EMBEDDED = not REDIS_URL
SECRET_KEY_LENGTH, SECRET_KEY_VARIETY = 50, 10  # characters, and different ones among them


def _own_secret_key() -> str:
    """A key made once and kept beside the data, so that an embedded installation needs no configuration."""
    path = DATA_DIR / "secret-key"
    if not path.exists():
        private_folder(DATA_DIR)
        private_file(path).write_text(secrets.token_urlsafe(48), encoding="ascii")
    return path.read_text(encoding="ascii")


def _secret_key() -> str:
    """The key from the environment or, without Redis, the installation's own key."""
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
SITE_URL = env.str("ACCORD_SITE_URL", "http://127.0.0.1:8000")
SECURE = SITE_URL.startswith("https://")
PROXIES = env.int("ACCORD_PROXIES", 0)  # read by annotate/addresses.py

INSTALLED_APPS = [
    "annotate.apps.AnnotateConfig",
    "alignment_ui.chunks.apps.ChunksConfig",
    "alignment_ui.words.apps.WordsConfig",
    "bws.apps.BwsConfig",
    "evaluation.apps.EvaluationConfig",
    "paraphrase.apps.ParaphraseConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "annotate.apps.RecordsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "annotate.apps.CollectedFilesConfig",
]

MIDDLEWARE = [
    "annotate.requests.recorded",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "annotate.middleware.plain_cookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotate.middleware.not_stored",
    "annotate.middleware.known_methods",
    "annotate.body_limits.BodyLimits",  # before CSRF protection, which reads forms
    "annotate.middleware.PlainText",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotate.sessions.time_limited",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "annotate.urls"
WSGI_APPLICATION = "annotate.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SHARED_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    },
]

# ── data ──────────────────────────────────────────────────────────────────────────────────────────────────────
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
        # FULL: an answer that was acknowledged survives a power cut, which WAL with NORMAL does not promise.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536;",
    }
else:
    DATABASES["default"]["ENGINE"] = "annotate.postgres"
    DATABASES["default"]["OPTIONS"] = {"connect_timeout": 5, "keepalives_idle": 30, "tcp_user_timeout": 15_000}
    if env.bool("ACCORD_DB_PREPARE", True):
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 3}
    else:  # behind a pooler of transactions, the next statement may meet another connection
        DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    if env.bool("ACCORD_DB_PERSISTENT", False):
        DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {"BACKEND": "annotate.cache.FailOpenRedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    # The cache counts attempts. If it were small, a client could evict its own count.
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# ── annotators ────────────────────────────────────────────────────────────────────────────────────────────────
RESUME_DAYS = env.int("ACCORD_RESUME_DAYS", 30)
UNSTARTED_MINUTES = env.int("ACCORD_UNSTARTED_MINUTES", 15)
THROTTLE_JOIN = env.list("ACCORD_THROTTLE_JOIN", ["20/min", "100/hour"])
THROTTLE_RESUME = env.list("ACCORD_THROTTLE_RESUME", ["60/min"])

# ── mail ──────────────────────────────────────────────────────────────────────────────────────────────────────
EMAIL_HOST = env.str("ACCORD_SMTP_HOST", "")
EMAIL_PORT = env.int("ACCORD_SMTP_PORT", 587)
EMAIL_HOST_USER = env.str("ACCORD_SMTP_USER", "")
EMAIL_HOST_PASSWORD = env.str("ACCORD_SMTP_PASSWORD", "")
EMAIL_USE_TLS = env.bool("ACCORD_SMTP_TLS", True)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = env.str("ACCORD_EMAIL_FROM", "accord@localhost")
EMAIL_TIMEOUT = 10  # seconds

# ── researchers' accounts ─────────────────────────────────────────────────────────────────────────────────────
AUTH_USER_MODEL = "annotate.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {"user_attributes": ("email", "name")}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
    )
] + [{"NAME": "annotate.passwords.MaximumLengthValidator"}]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = env.str(
    "ACCORD_EMAIL_VERIFICATION",
    "mandatory" if EMAIL_HOST else "none",
    validate=validate.OneOf(["none", "optional", "mandatory"]),
)
ACCOUNT_ADAPTER = "annotate.accounts.AccountAdapter"
ACCOUNT_RATE_LIMITS = {"login_failed": None}  # see annotate/sign_in_limits.py, which cannot lock out other people
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before changes of the e-mail address and of second factors
ACCOUNT_EMAIL_NOTIFICATIONS = bool(EMAIL_HOST)  # of changes of the address; see annotate/accounts.py
ACCOUNT_SESSION_REMEMBER = False  # the session ends with the browser, at the latest after the limits below
MFA_ADAPTER = "annotate.accounts.MFAAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION == "none"
MFA_FORMS = {
    "authenticate": "annotate.accounts.LimitedAuthenticateForm",
    "reauthenticate": "annotate.accounts.LimitedReauthenticateForm",
}
ENCRYPTION_KEYS: list[str] = env.list("ACCORD_ENCRYPTION_KEYS", [])
STAFF_SECOND_FACTOR = env.bool("ACCORD_STAFF_SECOND_FACTOR", True)
SESSION_IDLE = env.int("ACCORD_SESSION_IDLE_MINUTES", 30) * 60
SESSION_LONGEST = SESSION_COOKIE_AGE = env.int("ACCORD_SESSION_HOURS", 12) * 3600
SIGNUP_OPEN = env.bool("ACCORD_SIGNUP_OPEN", False)
SIGN_IN_LOG_DAYS = env.int("ACCORD_SIGN_IN_LOG_DAYS", 90)
INVITATION_DAYS = env.int("ACCORD_INVITATION_DAYS", 7)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "console:studies"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

# ── the web ───────────────────────────────────────────────────────────────────────────────────────────────────
STATIC_URL = "static/"
STATIC_ROOT = env.path("ACCORD_STATIC", OWN_DIR / "staticfiles")
STATICFILES_DIRS = [SHARED_DIR / "static"]
WHITENOISE_USE_FINDERS = EMBEDDED  # one process, no build step: files are served from where they are
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "annotate.storage.StaticFiles"
    },
}
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
# With TLS, the prefix `__Host-` prevents other hosts from setting these cookies.
COOKIE_PREFIX = "__Host-" if SECURE else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SECURE else []
if SECURE:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = env.int("ACCORD_HSTS_SECONDS", 31_536_000)
    # The proxy redirects HTTP to HTTPS. HSTS must not cover other subdomains, which do not belong to Accord.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]

LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [SHARED_DIR / "locale"]

THROTTLE_ANNOTATE = env.str("ACCORD_THROTTLE_ANNOTATE", "1200/min")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotate.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "annotate.api.authentication.WithinScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "annotate.api.pagination.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {
        "research": env.str("ACCORD_THROTTLE_RESEARCH", "600/min"),
    },
    "EXCEPTION_HANDLER": "annotate.api.errors.handle",
    "COERCE_DECIMAL_TO_STRING": True,
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%S.%fZ",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Accord API",
    "DESCRIPTION": "Annotation itself, and all that the console can do.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
}

# ── jobs ──────────────────────────────────────────────────────────────────────────────────────────────────────
CELERY_BROKER_URL = REDIS_URL or "memory://localhost//"
# A Redis that hangs is noticed within about 10 s by workers and beat; `services/jobs.py` waits less for it.
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.05}
    if EMBEDDED
    else {
        "visibility_timeout": 4 * 3600,
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "health_check_interval": 4,
    }
)
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_PUBLISH_RETRY = False  # the row in `job` is the truth; beat rings again
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "annotate.celery:PrivateScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    # Tasks expire, so that workers that were busy for an hour do not run 720 of them afterwards.
    "notify-waiting-jobs": {"task": "annotate.tasks.notify_waiting_jobs", "schedule": 5.0, "options": {"expires": 30}},
    "remove-expired-personal-data": {"task": "annotate.tasks.remove_expired_personal_data", "schedule": 3600.0},
    "delete-old-sign-ins": {"task": "annotate.tasks.delete_old_sign_ins", "schedule": 3600.0},
    "forget-old-networks": {"task": "annotate.tasks.delete_old_networks", "schedule": 3600.0},
    "sum-counts": {"task": "annotate.tasks.sum_counts", "schedule": 60.0},
    "refresh-open-studies": {"task": "annotate.tasks.refresh_open_studies", "schedule": 60.0},
}

# ── limits, stated on the pages where they are met ────────────────────────────────────────────────────────────
LIMIT_UPLOAD_BYTES = env.int("ACCORD_LIMIT_UPLOAD_BYTES", 512 * 1024 * 1024)
LIMIT_PREVIEW_MEMORY = env.int("ACCORD_LIMIT_PREVIEW_MEMORY", 2 * 1024**3)
LIMIT_ROWS = env.int("ACCORD_LIMIT_ROWS", 2_000_000)
LIMIT_CELL = env.int("ACCORD_LIMIT_CELL", 2_000)
ROWS_AT_ONCE = env.int("ACCORD_ROWS_AT_ONCE", 5_000)  # larger imports and designs become jobs
LIMIT_FORM_BYTES = env.int("ACCORD_LIMIT_FORM_BYTES", 2 * 1024 * 1024)
LIMIT_ANSWER_BYTES = env.int("ACCORD_LIMIT_ANSWER_BYTES", 512 * 1024)
LIMIT_SUBMISSION_BYTES = env.int("ACCORD_LIMIT_SUBMISSION_BYTES", 2 * 1024 * 1024)
LIMIT_JSON_UPLOAD_BYTES = env.int("ACCORD_LIMIT_JSON_UPLOAD_BYTES", 16 * 1024 * 1024)
BODY_LIMITS = {  # bytes by kind of endpoint, see annotate/body_limits.py
    "small": 16 * 1024,
    "form": LIMIT_FORM_BYTES,
    "answer": LIMIT_ANSWER_BYTES,
    "submission": LIMIT_SUBMISSION_BYTES,
    "json": LIMIT_FORM_BYTES,
    "json_upload": LIMIT_JSON_UPLOAD_BYTES,
    "upload": LIMIT_UPLOAD_BYTES + LIMIT_FORM_BYTES,  # the form around the file
}
DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT_FORM_BYTES  # without the files, which wait on disk
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# ── privacy ───────────────────────────────────────────────────────────────────────────────────────────────────
PRIVACY_NOTICE = env.str("ACCORD_PRIVACY_NOTICE", "")

# ── log and metrics ───────────────────────────────────────────────────────────────────────────────────────────
LOG_FORMAT = env.str("ACCORD_LOG_FORMAT", "line" if EMBEDDED else "json", validate=validate.OneOf(["line", "json"]))
METRICS_TOKEN = env.str("ACCORD_METRICS_TOKEN", "")
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # workers log in the same form as web processes
CELERY_WORKER_REDIRECT_STDOUTS = False  # a traceback would become one line per character
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request": {"()": "annotate.logs.RequestContext"}},
    "formatters": {
        "line": {
            "()": "annotate.logs.LineFormatter",
            "format": "{asctime} {levelname} {name} [{request_id}] {message}",
            "style": "{",
        },
        "json": {
            "()": "annotate.logs.JsonLines",
            "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s %(request_id)s",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
        },
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["request"]}},
    "root": {"handlers": ["stderr"], "level": env.str("ACCORD_LOG_LEVEL", "WARNING")},
    "loggers": {
        "accord.access": {"level": "INFO" if env.bool("ACCORD_LOG_ACCESS", not EMBEDDED) else "WARNING"},
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"level": "ERROR"},  # refused requests are in the access lines
    },
}
