"""The admin site at /records/, with Accord's sign-in page and a second factor for staff."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator

from annotate.accounts.sso.adapter import used_single_sign_on


class RecordsSite(AdminSite):
    """Django's admin site without its sign-in and password pages, which lack a second factor and rate limits."""

    site_header = site_title = "Accord’s records"
    index_title = "Records"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not _lacks_second_factor(request)

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect staff to the records, or to the page for adding a second factor if they do not have one."""
        if _lacks_second_factor(request):
            messages.warning(request, "You need two-factor authentication to open the records. Activate it first.")
            return redirect("mfa_index")
        return redirect("admin:index")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        return redirect("account_change_password")


def _lacks_second_factor(request: HttpRequest) -> bool:
    if not settings.STAFF_SECOND_FACTOR or used_single_sign_on(request, request.user):
        return False
    return not is_mfa_enabled(request.user)
