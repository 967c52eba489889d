"""The annotators' pages."""

from django.urls import URLPattern

app_name = "annotator"

urlpatterns: list[URLPattern] = []
