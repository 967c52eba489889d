"""The URLs of the API operations for programs, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import api

urlpatterns = [
    path("programs", api.ProgramsView.as_view(), name="programs"),
    path("programs/comparison", api.ProgramComparisonView.as_view(), name="program-comparison"),
]
