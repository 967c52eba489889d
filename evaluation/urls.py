"""Pages of evaluation for everybody."""

from django.urls import path

from . import views

app_name = "evaluation"

urlpatterns = [path("systems/<str:study>/", views.systems, name="systems")]
