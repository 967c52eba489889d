"""The URLs of the API operations for releases, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import compare, releases, repeat

urlpatterns = [
    path("releases", releases.ReleasesView.as_view(), name="releases"),
    path("comparison", compare.ComparisonView.as_view(), name="comparison"),
    path("repeat", repeat.RepeatView.as_view(), name="repeat"),
]
