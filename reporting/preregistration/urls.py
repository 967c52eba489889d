"""The URLs of the preregistration page and of its files, below `/console/<study>/`."""

from django.urls import path

from . import pages

urlpatterns = [
    path("preregistration/", pages.preregistration, name="preregistration"),
    path("preregistration/freeze/", pages.freeze_plan, name="freeze-plan"),
    path("preregistration/<str:filename>", pages.preregistration_file, name="preregistration-file"),
]
