"""The console's pages. Inside a study every path begins with its public id."""

from django.urls import path

from . import studies, tokens

app_name = "console"

urlpatterns = [
    path("", studies.studies, name="studies"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:token>/revoke/", tokens.revoke, name="revoke-token"),
]
