"""The URLs of releases that belong to no stored study."""

from django.urls import path

from releases.api.repeat import RepeatsView
from releases.console.repeat import repeat

app_name = "releases"

urlpatterns = [
    path("console/repeat/", repeat, name="repeat-study"),
    path("api/v1/studies/repeat", RepeatsView.as_view(), name="repeats"),
]
