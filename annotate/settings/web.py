"""Settings for static files, the content security policy, cookies and TLS."""

from csp.constants import NONCE, NONE, SELF

from .base import BASE_DIR, EMBEDDED, OWN_DIR, SECURE, SHARED_DIR, SITE_URL
from .environment import env

STATIC_URL = "static/"
STATIC_ROOT = env.folder("ACCORD_STATIC", OWN_DIR / "staticfiles")
# Both alignment tasks use the editor in `pairs`, which is not a Django application.
STATICFILES_DIRS = [SHARED_DIR / "static", BASE_DIR / "alignment_ui" / "pairs" / "static"]
WHITENOISE_USE_FINDERS = EMBEDDED  # the embedded server reads static files from their source folders
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "annotate.server.static_files.HashedNames" if EMBEDDED else "annotate.server.storage.StaticFiles"
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
        "frame-src": [SELF],  # pages of task types in sandboxed frames; all other pages refuse to be framed
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
# If TLS is used, the prefix `__Host-` prevents other hosts from setting Accord's cookies.
COOKIE_PREFIX = "__Host-" if SECURE else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "annotate.web.error_pages.csrf_failure"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SECURE else []
HSTS_SECONDS = env.number("ACCORD_HSTS_SECONDS", 31_536_000, least=0)
if SECURE:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = HSTS_SECONDS
    # The proxy redirects HTTP to HTTPS. HSTS must not include other subdomains, because they do not belong to Accord.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
# If a batch page is not inside a host's form, it sends answers only to these origins and their subdomains.
BATCH_ORIGINS = env.origins(
    "ACCORD_BATCH_ORIGINS", ["https://www.mturk.com", "https://mturk.com", "https://mturksandbox.com"]
)
