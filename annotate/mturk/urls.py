"""The URLs of the console pages for results files and files for hosts, below `<study>/`."""

from django.urls import path

from . import pages

urlpatterns = [
    path("host-files/mturk-results.csv", pages.results_file, name="mturk-results-file"),
    path("host-files/<str:filename>", pages.host_file, name="host-file"),
    path("results-files/", pages.result_files, name="result-files"),
    path("results-files/<str:result>/", pages.result_file, name="result-file"),
    path("results-files/<str:result>/import/", pages.import_, name="import-results"),
    path("results-files/<str:result>/undo/", pages.undo, name="undo-results"),
    path("results-files/<str:result>/discard/", pages.discard_, name="discard-results"),
]
