"""Settings of a small Turkle site for tests and benchmarks. The environment contains the settings of the database."""

import json
import os

SECRET_KEY = "for one test on this machine"
DEBUG = True  # serves static files
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "tests.turkle.urls"
USE_TZ = True
TIME_ZONE = "America/New_York"
DATABASES = {"default": json.loads(os.environ["TURKLE_DATABASE"])}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "guardian.backends.ObjectPermissionBackend"]
LOGIN_REDIRECT_URL = "/"
STATIC_URL = "/static/"
X_FRAME_OPTIONS = "SAMEORIGIN"
TURKLE_AUTO_ACCEPT_DEFAULT = False
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.BasicAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
}
INSTALLED_APPS = [
    "turkle",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "guardian",
    "djaa_list_filter2",
    "rest_framework",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.request",
                "turkle.utils.turkle_vars",
            ]
        },
    }
]
