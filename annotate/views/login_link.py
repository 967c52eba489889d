"""The one-time link that signs a researcher in: printed by `script/demo` and `accord study login`."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache

from annotate.services.credentials import user_for_login


@never_cache
def login_link(request: HttpRequest, user_id: int, token: str) -> HttpResponse:
    user = user_for_login(user_id, token)
    if user is None:
        messages.error(request, "This link has been used or is too old. Sign in, or ask for a new one.")
        return redirect("account_login")
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("console:studies")
