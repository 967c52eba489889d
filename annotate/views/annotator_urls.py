"""The URLs of the annotators' pages."""

from django.urls import path

from . import annotator, own_data, pages

app_name = "annotator"

urlpatterns = [
    path("", pages.home, name="home"),
    path("join/<str:token>", annotator.join, name="join"),
    path("s/<str:study_id>", annotator.hub, name="hub"),
    path("s/<str:study_id>/start", annotator.start, name="start"),
    path("s/<str:study_id>/data", own_data.download, name="data"),
    path("s/<str:study_id>/code", annotator.code, name="code"),
    path("s/<str:study_id>/not-me", annotator.not_me, name="not-me"),
    path("a/worker.js", annotator.worker, name="worker"),
    path("a/<str:assignment_id>", annotator.work, name="work"),
    path("resume", annotator.resume, name="resume"),
]
