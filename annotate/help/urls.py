"""The URLs below /help/."""

from django.urls import path

from . import views

app_name = "help"

urlpatterns = [
    path("", views.guides, name="guides"),
    path("privacy-notice/", views.privacy_notice, name="privacy-notice"),
    path("<slug:slug>/", views.show_guide, name="guide"),
    path("img/<str:name>", views.picture, name="picture"),
]
