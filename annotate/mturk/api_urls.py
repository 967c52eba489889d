"""The URLs of the API operations for batches, below `/api/v1/studies/<study>/`."""

from django.urls import path

from .api import batches, host_files, imports

urlpatterns = [
    path("result-imports", imports.ResultImportsView.as_view(), name="result-imports"),
    path("result-imports/<str:result_import>", imports.ResultImportView.as_view(), name="result-import"),
    path("host-files/mturk-results.csv", host_files.HostResultsView.as_view(), name="mturk-results-file"),
    path("host-files/<str:filename>", host_files.HostFileView.as_view(), name="host-file"),
    path("mturk-results", batches.BatchResultsView.as_view(), name="mturk-results"),
]
