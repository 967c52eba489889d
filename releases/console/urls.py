"""The URLs of the release page's actions, and of the differences between a repeat and its original."""

from django.urls import path

from . import release, repeat

urlpatterns = [
    path("x/release/split/", release.split, name="choose-split"),
    path("repeat/", repeat.differences, name="repeat"),
]
