"""The URLs of the API operations for webhooks, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import api

urlpatterns = [
    path("webhooks", api.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/deliveries", api.DeliveriesView.as_view(), name="deliveries"),
    path("webhooks/<str:webhook>", api.OneWebhookView.as_view(), name="webhook"),
    path("webhooks/<str:webhook>/secret", api.SecretView.as_view(), name="webhook-secret"),
    path("webhooks/<str:webhook>/test", api.TestView.as_view(), name="webhook-test"),
]
