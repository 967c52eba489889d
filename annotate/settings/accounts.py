"""Settings for annotators, e-mail and researchers' accounts."""

from urllib.parse import urlsplit

from .environment import env

# Annotators
RESUME_DAYS = env.number("ACCORD_RESUME_DAYS", 30)  # after the study was closed
UNSTARTED_MINUTES = env.number("ACCORD_UNSTARTED_MINUTES", 15)
THROTTLE_JOIN = env.rates("ACCORD_THROTTLE_JOIN", ["20/min", "100/hour"])
THROTTLE_RESUME = env.rates("ACCORD_THROTTLE_RESUME", ["60/min"])
THROTTLE_SHARED = env.rates("ACCORD_THROTTLE_SHARED", ["60/min"])
PROLIFIC_KEYS_URL = env.url("ACCORD_PROLIFIC_KEYS_URL", "https://api.prolific.com/.well-known/study/jwks.json")

# Mail
EMAIL_HOST = env.host("ACCORD_SMTP_HOST")
EMAIL_PORT = env.number("ACCORD_SMTP_PORT", 587, most=65_535)
EMAIL_HOST_USER = env.text("ACCORD_SMTP_USER")
EMAIL_HOST_PASSWORD = env.text("ACCORD_SMTP_PASSWORD")
EMAIL_USE_TLS = env.flag("ACCORD_SMTP_TLS", True)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = env.mail_address("ACCORD_EMAIL_FROM", "accord@localhost")
EMAIL_TIMEOUT = 10  # seconds

# Researchers' accounts
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
] + [{"NAME": "annotate.accounts.passwords.MaximumLengthValidator"}]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = env.choice(
    "ACCORD_EMAIL_VERIFICATION", "mandatory" if EMAIL_HOST else "none", ["none", "optional", "mandatory"]
)
ACCOUNT_ADAPTER = "annotate.accounts.allauth.AccountAdapter"
# See annotate/accounts/sign_in_limits.py, whose limits cannot lock out other people.
ACCOUNT_RATE_LIMITS = {"login_failed": None}
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # needed before changes of the e-mail address and of second factors
ACCOUNT_EMAIL_NOTIFICATIONS = bool(EMAIL_HOST)  # of changes of the address; see annotate/accounts/allauth.py
ACCOUNT_SESSION_REMEMBER = False  # the session ends with the browser, at the latest after the limits below
MFA_ADAPTER = "annotate.accounts.allauth.MFAAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION == "none"
MFA_FORMS = {
    "activate_totp": "annotate.accounts.allauth.ActivateOnceForm",
    "authenticate": "annotate.accounts.allauth.LimitedAuthenticateForm",
    "reauthenticate": "annotate.accounts.allauth.LimitedReauthenticateForm",
}
SOCIALACCOUNT_ADAPTER = "annotate.accounts.sso.adapter.SocialAdapter"
ENCRYPTION_KEYS = env.secrets("ACCORD_ENCRYPTION_KEYS")
STAFF_SECOND_FACTOR = env.flag("ACCORD_STAFF_SECOND_FACTOR", True)
SESSION_IDLE = env.number("ACCORD_SESSION_IDLE_MINUTES", 30) * 60
SESSION_LONGEST = SESSION_COOKIE_AGE = env.number("ACCORD_SESSION_HOURS", 12) * 3600
SIGNUP_OPEN = env.flag("ACCORD_SIGNUP_OPEN", False)
SIGN_IN_LOG_DAYS = env.number("ACCORD_SIGN_IN_LOG_DAYS", 90)
INVITATION_DAYS = env.number("ACCORD_INVITATION_DAYS", 7)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "console:studies"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

# Single sign-on
SSO_ISSUER = env.url("ACCORD_SSO_ISSUER", "")
if SSO_ISSUER.startswith("http:") and urlsplit(SSO_ISSUER).hostname not in ("localhost", "127.0.0.1", "::1"):
    env.refuse("ACCORD_SSO_ISSUER", "the URL must begin with https://", "https://login.example.org", value=SSO_ISSUER)
SSO_CLIENT_ID = env.text("ACCORD_SSO_CLIENT_ID")
if SSO_ISSUER and not SSO_CLIENT_ID:
    env.refuse("ACCORD_SSO_CLIENT_ID", "ACCORD_SSO_ISSUER needs a client ID", "accord")
SSO_CLIENT_SECRET = env.secret("ACCORD_SSO_CLIENT_SECRET")
SSO_NAME = env.text("ACCORD_SSO_NAME") or "single sign-on"
SSO_SCOPES = env.entries("ACCORD_SSO_SCOPES", ["openid", "profile", "email"])
SSO_GROUPS_CLAIM = env.text("ACCORD_SSO_GROUPS_CLAIM") or "groups"
SSO_GROUPS = env.entries("ACCORD_SSO_GROUPS")
SSO_STAFF_GROUPS = env.entries("ACCORD_SSO_STAFF_GROUPS")
SSO_TOKEN_DAYS = env.number("ACCORD_SSO_TOKEN_DAYS", 30)
SSO_CONNECT = env.flag("ACCORD_SSO_CONNECT", False)
SSO_TRUST_EMAIL = env.flag("ACCORD_SSO_TRUST_EMAIL", False)
SSO_ONLY = env.flag("ACCORD_SSO_ONLY", False)
if SSO_ONLY and not SSO_ISSUER:
    env.refuse("ACCORD_SSO_ONLY", "ACCORD_SSO_ISSUER is not set, so nobody could sign in", "false", value="true")
