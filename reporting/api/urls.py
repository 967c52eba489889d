"""The URLs of reporting's API operations, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import answers, methods

urlpatterns = [
    path("methods", methods.MethodsView.as_view(), name="methods"),
    path("report-form", answers.ReportFormView.as_view(), name="report-form"),
    path("report-documents", answers.ReportDocumentsView.as_view(), name="report-documents"),
]
