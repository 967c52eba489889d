"""Settings for applications, middleware, templates and languages."""

from .base import EMBEDDED, SHARED_DIR
from .installed import task_type_applications

INSTALLED_APPS = [
    "annotate.apps.AnnotateConfig",
    "alignment_ui.chunks.apps.ChunksConfig",
    "alignment_ui.words.apps.WordsConfig",
    "bws.apps.BwsConfig",
    "annotate.mturk.apps.MturkConfig",
    "annotate.planning.apps.PlanningConfig",
    "annotate.programs.apps.ProgramsConfig",
    "annotate.webhooks.apps.WebhooksConfig",
    "evaluation.apps.EvaluationConfig",
    "layouts.apps.LayoutsConfig",
    "paraphrase.apps.ParaphraseConfig",
    "releases.apps.ReleasesConfig",
    "reporting.apps.ReportingConfig",
    "reporting.preregistration.apps.PreregistrationConfig",
    *task_type_applications(),
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "csp",
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

# The rooms of `annotate` that register jobs and listeners (see annotate/tasktypes/extensions.py). Rooms that can be
# removed are applications and are not listed here. Listeners are called in this order: after a report, the target
# pauses a study before other work on the report begins.
ROOMS = [
    "studies",
    "annotator",
    "data",
    "questions",  # before gold, so that Disagreements is the first tab of Review
    "gold",
    "integrity",
    "prolific",
    "recruiting",
    "results",
]

MIDDLEWARE = [
    "annotate.server.requests.recorded",
    "django.middleware.security.SecurityMiddleware",
    "annotate.server.static_files.EmbeddedStaticFiles" if EMBEDDED else "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotate.server.middleware.Compression",
    "csp.middleware.CSPMiddleware",
    "annotate.server.middleware.plain_cookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "annotate.server.languages.InterfaceLanguage",
    "django.middleware.common.CommonMiddleware",
    "annotate.server.middleware.not_stored",
    "annotate.server.middleware.known_methods",
    "annotate.web.body_limits.BodyLimits",  # before CSRF protection, which reads forms
    "annotate.server.middleware.PlainText",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotate.accounts.sessions.time_limited",
    "annotate.accounts.sso.local_accounts.LocalAccounts",
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

LANGUAGE_CODE = "en"
# The languages of annotators' pages, see “Translations” in CONTRIBUTING.md
LANGUAGES = [("en", "English"), ("de", "German"), ("es", "Spanish"), ("ar", "Arabic")]
UNREVIEWED_LANGUAGES = ["es", "ar"]  # no speaker has corrected the translation yet
FORMAT_MODULE_PATH = "annotate.formats"
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [SHARED_DIR / "locale"]
