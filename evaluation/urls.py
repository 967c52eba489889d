"""The public URLs of evaluation."""

from django.urls import path

from . import views

app_name = "evaluation"

urlpatterns = [path("systems/<str:study>/", views.systems, name="systems")]
