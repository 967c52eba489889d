"""Researchers' accounts: sign-in with its limits and its log, second factors, API tokens, and the admin site."""
