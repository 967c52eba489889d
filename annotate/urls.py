"""The URLs of the whole Accord site."""

from django.contrib import admin
from django.urls import include, path

from annotate import tasktypes
from annotate.accounts.pages import ActivateSecondFactorView, login_link, set_password
from annotate.accounts.sign_in_limits import too_many_requests
from annotate.accounts.sso.pages import again, callback, start
from annotate.api import schemas
from annotate.prolific.pages.hooks import prolific_hook
from annotate.results.pages.shares import shared, shared_file
from annotate.server.pages.health import healthz, readyz
from annotate.server.pages.may_upload import MayUploadView
from annotate.studies.pages.members import invitation
from annotate.tasktypes import extensions
from annotate.web.pages.metrics import metrics

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("may-upload", MayUploadView.as_view(), name="may-upload"),
    path("metrics", metrics, name="metrics"),
    path("login/<str:user>/<str:token>/", login_link, name="login-link"),
    path("invitation/<str:token>/", invitation, name="invitation"),
    path("shared/<str:token>/", shared, name="shared-report"),
    path("shared/<str:token>/<str:filename>", shared_file, name="shared-file"),
    path("hooks/prolific/", prolific_hook, name="prolific-hook"),
    path("accounts/2fa/totp/activate/", ActivateSecondFactorView.as_view()),  # instead of django-allauth's page
    path("accounts/password/set/", set_password, name="account_set_password"),
    path("accounts/sso/", start, name="sso"),
    path("accounts/sso/again/", again, name="sso-again"),
    path("accounts/sso/callback/", callback, name="sso-callback"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    # before the pages and operations of a study, whose ID could be any word
    *[path("", include(extension.site_urls)) for extension in extensions.registered() if extension.site_urls],
    path("console/", include("annotate.console.urls")),
    path("api/v1/", include("annotate.api.urls")),
    path("api/schemas/", schemas.index, name="file-schemas"),
    path("api/schemas/<path:schema_name>.json", schemas.schema, name="file-schema"),
    path("help/", include("annotate.help.urls")),
    path("records/", admin.site.urls),
    path("", include("annotate.annotator.urls")),
    *[path("", include(task.site_urls)) for task in tasktypes.installed() if task.site_urls],
]

handler400 = "annotate.web.error_pages.bad_request"
handler429 = too_many_requests  # of django-allauth's limits
handler500 = "annotate.server.unavailable.handle_error"
