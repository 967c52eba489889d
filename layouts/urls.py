"""The URL of the frame for layouts."""

from django.urls import path

from layouts.views import frame

urlpatterns = [path("layouts/frame/<str:token>/", frame, name="layouts-frame")]
