"""The URLs of documents about a study, below its page *Report it*."""

from django.urls import path

from . import methods, report_it

urlpatterns = [
    path("x/reporting/methods.zip", methods.methods_archive, name="report-methods"),
    path("x/reporting/documents.zip", report_it.archive, name="report-documents"),
    path("x/reporting/<slug:document>/", report_it.document, name="report-document"),
]
