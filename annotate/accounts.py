"""Researchers' accounts, as django-allauth asks about them."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from annotate.services.credentials import signup_is_open


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return signup_is_open()
