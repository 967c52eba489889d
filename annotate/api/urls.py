"""The URLs under /api/v1/: the annotation API for pages and programs, and the researchers' API for scripts."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from . import (
    annotation,
    copies,
    decisions,
    errors,
    integrity,
    messages,
    pay,
    people,
    programs,
    reference,
    results,
    studies,
)

app_name = "api"

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("", reference.reference, name="docs"),
    path(
        "swagger/",
        SpectacularSwaggerView.as_view(url_name="api:schema", template_name="api/docs.html"),
        name="swagger",
    ),
    path("claims", annotation.ClaimView.as_view(), name="claims"),
    path("resume-code", annotation.ResumeCodeView.as_view(), name="resume-code"),
    path("assignments/<str:assignment>", annotation.AssignmentView.as_view(), name="assignment"),
    path("guidelines-read", annotation.GuidelinesReadView.as_view(), name="guidelines-read"),
    path("assignments/<str:assignment>/return", annotation.ReturnView.as_view(), name="return"),
    path(
        "assignments/<str:assignment>/answers/<int:position>/remarks", annotation.RemarkView.as_view(), name="remarks"
    ),
    path("assignments/<str:assignment>/submission", annotation.SubmissionView.as_view(), name="submission"),
    path("assignments/<str:assignment>/answers/<int:position>", annotation.AnswerView.as_view(), name="answer"),
    path("assignments/<str:assignment>/answers/<int:position>/draft", annotation.DraftView.as_view(), name="draft"),
    path(
        "assignments/<str:assignment>/answers/<int:position>/acknowledgement",
        annotation.AcknowledgementView.as_view(),
        name="acknowledgement",
    ),
    path("studies", studies.StudiesView.as_view(), name="studies"),
    path("studies/<str:study>", studies.StudyView.as_view(), name="study"),
    path("studies/<str:study>/copies", copies.CopiesView.as_view(), name="copies"),
    path("studies/<str:study>/unarchive", copies.UnarchiveView.as_view(), name="unarchive"),
    path("studies/<str:study>/state", studies.StateView.as_view(), name="state"),
    path("studies/<str:study>/items", studies.ItemsView.as_view(), name="items"),
    path("studies/<str:study>/questions", studies.QuestionsView.as_view(), name="questions"),
    path("studies/<str:study>/uploads", studies.UploadsView.as_view(), name="uploads"),
    path("studies/<str:study>/uploads/<str:upload>", studies.UploadView.as_view(), name="upload"),
    path("studies/<str:study>/uploads/<str:upload>/import", studies.ImportView.as_view(), name="import"),
    path("studies/<str:study>/design", studies.DesignView.as_view(), name="design"),
    path("studies/<str:study>/answers", results.AnswersView.as_view(), name="answers"),
    path(
        "studies/<str:study>/answers/<str:assignment>/<int:position>/exclude",
        people.ExcludeView.as_view(),
        name="exclude-answer",
    ),
    path(
        "studies/<str:study>/answers/<str:assignment>/<int:position>/include",
        people.IncludeView.as_view(),
        name="include-answer",
    ),
    path("studies/<str:study>/annotators", results.AnnotatorsView.as_view(), name="annotators"),
    path("studies/<str:study>/annotators/needing-a-look", people.NeedsLookView.as_view(), name="needs-look"),
    path("studies/<str:study>/annotators/<str:pseudonym>/stop", results.StopView.as_view(), name="stop"),
    path("studies/<str:study>/annotators/<str:pseudonym>/restore", results.RestoreView.as_view(), name="restore"),
    path(
        "studies/<str:study>/annotators/<str:pseudonym>/answers",
        people.AnnotatorAnswersView.as_view(),
        name="annotator-answers",
    ),
    path("studies/<str:study>/annotators/<str:pseudonym>/notes", people.NoteView.as_view(), name="notes"),
    path("studies/<str:study>/annotators/<str:pseudonym>/review", people.ReviewView.as_view(), name="review"),
    path("studies/<str:study>/programs", programs.ProgramsView.as_view(), name="programs"),
    path("studies/<str:study>/integrity-signs", integrity.IntegritySignsView.as_view(), name="integrity-signs"),
    path("studies/<str:study>/adjudication", decisions.AdjudicationView.as_view(), name="adjudication"),
    path("studies/<str:study>/decisions", decisions.DecisionsView.as_view(), name="decisions"),
    path("studies/<str:study>/decisions/<path:ref>", decisions.DecisionView.as_view(), name="decision"),
    path("studies/<str:study>/messages", messages.MessagesView.as_view(), name="messages"),
    path("studies/<str:study>/team-messages", messages.TeamMessagesView.as_view(), name="team-messages"),
    path("studies/<str:study>/messages/<str:message>/reply", messages.ReplyView.as_view(), name="reply"),
    path("studies/<str:study>/pay", pay.PayView.as_view(), name="pay"),
    path("studies/<str:study>/pay.csv", pay.PayFileView.as_view(), name="pay-file"),
    path("studies/<str:study>/spend", pay.SpendView.as_view(), name="spend"),
    path("studies/<str:study>/payments", pay.PaymentsView.as_view(), name="payments"),
    path("studies/<str:study>/payments/<int:number>", pay.PaymentView.as_view(), name="payment"),
    path("studies/<str:study>/payments/<int:number>/undo", pay.UndoView.as_view(), name="undo-payment"),
    path("studies/<str:study>/bonuses", pay.BonusesView.as_view(), name="bonuses"),
    path("studies/<str:study>/pay-entries/<str:entry>/correction", pay.CorrectionView.as_view(), name="correction"),
    path("studies/<str:study>/reports", results.ReportsView.as_view(), name="reports"),
    path("studies/<str:study>/reports/<slug:kind>/<int:number>", results.ReportView.as_view(), name="report"),
    path("studies/<str:study>/jobs", results.JobsView.as_view(), name="jobs"),
    path("studies/<str:study>/jobs/<str:job>", results.JobView.as_view(), name="job"),
    path("studies/<str:study>/exports", results.ExportsView.as_view(), name="exports"),
    path("studies/<str:study>/exports/<str:filename>", results.ExportView.as_view(), name="export"),
    path("studies/<str:study>/events", results.EventsView.as_view(), name="events"),
    re_path("", errors.UnknownView.as_view()),  # all other paths
]
