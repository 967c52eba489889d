"""The URLs of the API operations for preregistrations, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import api

urlpatterns = [path("preregistrations", api.PreregistrationsView.as_view(), name="preregistrations")]
