"""/api/v1/: annotation for pages and programs, and the console's deeds for researchers' scripts."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from . import annotation

app_name = "api"

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("", SpectacularSwaggerView.as_view(url_name="api:schema", template_name="api/docs.html"), name="docs"),
    path("claims", annotation.ClaimView.as_view(), name="claims"),
    path("resume-code", annotation.ResumeCodeView.as_view(), name="resume-code"),
    path("assignments/<str:assignment>", annotation.AssignmentView.as_view(), name="assignment"),
    path("assignments/<str:assignment>/submission", annotation.SubmissionView.as_view(), name="submission"),
    path("assignments/<str:assignment>/answers/<int:position>", annotation.AnswerView.as_view(), name="answer"),
    path("assignments/<str:assignment>/answers/<int:position>/draft", annotation.DraftView.as_view(), name="draft"),
    path(
        "assignments/<str:assignment>/answers/<int:position>/acknowledgement",
        annotation.AcknowledgementView.as_view(),
        name="acknowledgement",
    ),
]
