"""The URLs of the page Programs, below `<study>/`."""

from django.urls import path

from . import pages

urlpatterns = [
    path("programs/", pages.programs, name="programs"),
    path("programs/compare/", pages.compare, name="compare-programs"),
    path("programs/<int:number>/<slug:table>.csv", pages.table_file, name="programs-table"),
    path("programs/<int:number>/comparison.json", pages.report_file, name="programs-report"),
]
