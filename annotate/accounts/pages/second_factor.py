"""The page on which researchers activate a second factor."""

from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.views import ActivateTOTPView
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import redirect


class ActivateSecondFactorView(ActivateTOTPView):
    """The page of django-allauth, except if another request has activated a second factor at the same moment."""

    def form_valid(self, form: ActivateTOTPForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:
            return redirect("mfa_index")
