"""The console's pages."""

from django.urls import URLPattern

app_name = "console"

urlpatterns: list[URLPattern] = []
