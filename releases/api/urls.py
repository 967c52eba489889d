"""The URLs of the API operations for releases, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import releases

urlpatterns = [path("releases", releases.ReleasesView.as_view(), name="releases")]
