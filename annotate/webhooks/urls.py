"""The URLs of the console pages for webhooks, below `<study>/`."""

from django.urls import path

from . import pages

urlpatterns = [
    path("webhooks/", pages.webhooks, name="webhooks"),
    path("webhooks/<str:webhook>/", pages.webhook, name="webhook"),
    path("webhooks/<str:webhook>/secret/", pages.replace_secret, name="webhook-secret"),
    path("webhooks/<str:webhook>/test/", pages.test, name="webhook-test"),
    path("webhooks/<str:webhook>/delete/", pages.delete, name="webhook-delete"),
]
