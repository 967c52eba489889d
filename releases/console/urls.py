"""The URLs of the release page's actions."""

from django.urls import path

from . import release

urlpatterns = [path("x/release/split/", release.split, name="choose-split")]
