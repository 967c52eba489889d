"""The URLs under /api/v1/: the annotation API for pages and programs, and the researchers' API for scripts."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from annotate import tasktypes
from annotate.annotator.api import annotation, simulations
from annotate.api import files
from annotate.data.api import additions, tryouts, uploads
from annotate.gold.api import candidates, gold
from annotate.gold.api import rule as gold_rule
from annotate.integrity import api as integrity_api
from annotate.messages import api as messages_api
from annotate.pay import api as pay_api
from annotate.people import api as people_api
from annotate.prolific.api import remote as prolific_remote
from annotate.prolific.api import settings as prolific
from annotate.prolific.api import submissions
from annotate.questions import api as questions_api
from annotate.recruiting.api import groups, listed, named, questionnaires
from annotate.results import api as results_api
from annotate.studies import api as studies_api
from annotate.tasktypes import extensions
from annotate.web.api import errors

from . import overview, reference, studies

app_name = "api"

# Applications and task types add operations below a study's address.
added = {application.api_urls for application in extensions.registered() if application.api_urls}
added |= {task.api_urls for task in tasktypes.installed() if task.api_urls}

SUBMISSIONS = "studies/<str:study>/prolific-submissions"

urlpatterns: list[URLPattern | URLResolver] = [
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
    path("pay", pay_api.AllPayView.as_view(), name="all-pay"),
    path("studies", studies.StudiesView.as_view(), name="studies"),
    path("studies/<str:study>", studies.StudyView.as_view(), name="study"),
    path("studies/<str:study>/copies", studies_api.CopiesView.as_view(), name="copies"),
    path("studies/<str:study>/settings-import", studies_api.SettingsImportView.as_view(), name="settings-import"),
    path("studies/<str:study>/unarchive", studies_api.UnarchiveView.as_view(), name="unarchive"),
    path("studies/<str:study>/state", studies.StateView.as_view(), name="state"),
    path("studies/<str:study>/items", studies.ItemsView.as_view(), name="items"),
    path("studies/<str:study>/questions", questions_api.QuestionsView.as_view(), name="questions"),
    path("studies/<str:study>/gold", gold.GoldView.as_view(), name="gold"),
    path(
        "studies/<str:study>/gold/<str:question>/exclude",
        candidates.GoldExclusionView.as_view(),
        name="exclude-gold",
    ),
    path("studies/<str:study>/gold/<str:question>/keep", gold.KeptAnswerView.as_view(), name="keep-answer"),
    path("studies/<str:study>/gold-rule", gold_rule.GoldRuleView.as_view(), name="gold-rule"),
    path("studies/<str:study>/gold-candidates", candidates.CandidatesView.as_view(), name="candidates"),
    path("studies/<str:study>/gold-candidates/promotion", candidates.PromotionView.as_view(), name="promotion"),
    path(
        "studies/<str:study>/gold-candidates/<str:question>/answer",
        candidates.CandidateAnswerView.as_view(),
        name="candidate-answer",
    ),
    path("studies/<str:study>/templates/<str:purpose>.csv", files.TemplateView.as_view(), name="template"),
    path(
        "studies/<str:study>/gold/<str:question>/expected-answer",
        gold.ExpectedAnswerView.as_view(),
        name="expected-answer",
    ),
    path("studies/<str:study>/uploads", uploads.UploadsView.as_view(), name="uploads"),
    path("studies/<str:study>/uploads/<str:upload>", uploads.UploadView.as_view(), name="upload"),
    path("studies/<str:study>/uploads/<str:upload>/import", uploads.ImportView.as_view(), name="import"),
    path("studies/<str:study>/guidelines", studies.GuidelinesView.as_view(), name="guidelines"),
    path("studies/<str:study>/design", studies.DesignView.as_view(), name="design"),
    path("studies/<str:study>/design/unopened", additions.UnopenedView.as_view(), name="unopened"),
    path("studies/<str:study>/design/extension", additions.ExtensionView.as_view(), name="extension"),
    path("studies/<str:study>/answers", results_api.AnswersView.as_view(), name="answers"),
    path("studies/<str:study>/assignments", results_api.AssignmentsView.as_view(), name="assignments"),
    path(
        "studies/<str:study>/answers/<str:assignment>/<int:position>/exclude",
        people_api.ExcludeView.as_view(),
        name="exclude-answer",
    ),
    path(
        "studies/<str:study>/answers/<str:assignment>/<int:position>/include",
        people_api.IncludeView.as_view(),
        name="include-answer",
    ),
    path("studies/<str:study>/progress", overview.ProgressView.as_view(), name="progress"),
    path("studies/<str:study>/judgements", questions_api.JudgementsView.as_view(), name="judgements"),
    path("studies/<str:study>/rounds", additions.RoundsView.as_view(), name="rounds"),
    path("studies/<str:study>/rounds/plan", additions.RoundPlanView.as_view(), name="round-plan"),
    path("studies/<str:study>/todo", overview.TodoView.as_view(), name="todo"),
    path("studies/<str:study>/todo-mail", overview.TodoMailView.as_view(), name="todo-mail"),
    path("studies/<str:study>/open-hits", overview.OpenHitsView.as_view(), name="open-hits"),
    path("studies/<str:study>/open-hits/<str:assignment>/end", overview.EndLeaseView.as_view(), name="end-lease"),
    path("studies/<str:study>/annotators", people_api.AnnotatorsView.as_view(), name="annotators"),
    path("studies/<str:study>/annotators.csv", files.AnnotatorsFileView.as_view(), name="annotators-file"),
    path("studies/<str:study>/annotators/needing-a-look", people_api.NeedsLookView.as_view(), name="needs-look"),
    path("studies/<str:study>/annotators/<str:pseudonym>/stop", people_api.StopView.as_view(), name="stop"),
    path("studies/<str:study>/annotators/<str:pseudonym>/restore", people_api.RestoreView.as_view(), name="restore"),
    path(
        "studies/<str:study>/annotators/<str:pseudonym>/answers",
        people_api.AnnotatorAnswersView.as_view(),
        name="annotator-answers",
    ),
    path(
        "studies/<str:study>/annotators/<str:pseudonym>/erase", people_api.EraseView.as_view(), name="erase-annotator"
    ),
    path("studies/<str:study>/annotators/<str:pseudonym>/notes", people_api.NoteView.as_view(), name="notes"),
    path("studies/<str:study>/annotators/<str:pseudonym>/review", people_api.ReviewView.as_view(), name="review"),
    path(
        "studies/<str:study>/questionnaires/<str:questionnaire>",
        questionnaires.QuestionnaireView.as_view(),
        name="questionnaire",
    ),
    path(
        "studies/<str:study>/questionnaires/<str:questionnaire>/answers.csv",
        questionnaires.QuestionnaireFileView.as_view(),
        name="questionnaire-file",
    ),
    path("studies/<str:study>/named-annotators", named.NamedListView.as_view(), name="named-annotators"),
    path("studies/<str:study>/named-annotators/mail", named.LinkMailView.as_view(), name="link-mail"),
    path("studies/<str:study>/named-annotators/<str:named>", named.NamedView.as_view(), name="named-annotator"),
    path(
        "studies/<str:study>/named-annotators/<str:named>/reservations",
        named.ReservationsView.as_view(),
        name="reservations",
    ),
    path("studies/<str:study>/groups", groups.GroupListView.as_view(), name="groups"),
    path("studies/<str:study>/groups/<str:group>", groups.GroupView.as_view(), name="group"),
    path("studies/<str:study>/people-lists", listed.PeopleListsView.as_view(), name="people-lists"),
    path("studies/<str:study>/people-lists/<slug:kind>", listed.PeopleListView.as_view(), name="people-list"),
    path("studies/<str:study>/waiting-list", groups.WaitingListView.as_view(), name="waiting-list"),
    path("studies/<str:study>/waiting-list/<str:person>", groups.WaitingPersonView.as_view(), name="waiting-person"),
    path("studies/<str:study>/shares", named.SharesView.as_view(), name="shares"),
    path("studies/<str:study>/simulations", simulations.SimulationsView.as_view(), name="simulations"),
    path("studies/<str:study>/try-outs", tryouts.TryOutsView.as_view(), name="try-outs"),
    path("studies/<str:study>/integrity-signs", integrity_api.IntegritySignsView.as_view(), name="integrity-signs"),
    path("studies/<str:study>/adjudication", questions_api.AdjudicationView.as_view(), name="adjudication"),
    path("studies/<str:study>/error-sample", results_api.ErrorSampleView.as_view(), name="error-sample"),
    path("studies/<str:study>/decisions", questions_api.DecisionsView.as_view(), name="decisions"),
    path("studies/<str:study>/decisions/<path:ref>/undo", questions_api.UndoView.as_view(), name="undo-decision"),
    path("studies/<str:study>/decisions/<path:ref>", questions_api.DecisionView.as_view(), name="decision"),
    path("studies/<str:study>/messages", messages_api.MessagesView.as_view(), name="messages"),
    path("studies/<str:study>/team-messages", messages_api.TeamMessagesView.as_view(), name="team-messages"),
    path("studies/<str:study>/messages/<str:message>/reply", messages_api.ReplyView.as_view(), name="reply"),
    path("studies/<str:study>/pay", pay_api.PayView.as_view(), name="pay"),
    path("studies/<str:study>/pay.csv", pay_api.PayFileView.as_view(), name="pay-file"),
    path("studies/<str:study>/spend", pay_api.SpendView.as_view(), name="spend"),
    path("studies/<str:study>/payments", pay_api.PaymentsView.as_view(), name="payments"),
    path("studies/<str:study>/payments.csv", pay_api.PaymentsFileView.as_view(), name="payments-file"),
    path("studies/<str:study>/payments.xlsx", pay_api.PaymentsWorkbookView.as_view(), name="payments-workbook"),
    path("studies/<str:study>/payments/<int:number>", pay_api.PaymentView.as_view(), name="payment"),
    path("studies/<str:study>/payments/<int:number>/undo", pay_api.UndoView.as_view(), name="undo-payment"),
    path("studies/<str:study>/bonuses", pay_api.BonusesView.as_view(), name="bonuses"),
    path(SUBMISSIONS, submissions.SubmissionsView.as_view(), name="submissions"),
    path(f"{SUBMISSIONS}/files/<str:filename>", submissions.ProlificFileView.as_view(), name="submissions-file"),
    path(f"{SUBMISSIONS}/imports", submissions.ImportsView.as_view(), name="submission-imports"),
    path(
        f"{SUBMISSIONS}/imports/<str:number>/undo",
        submissions.UndoImportView.as_view(),
        name="undo-submissions",
    ),
    path(f"{SUBMISSIONS}/fetch", prolific_remote.FetchView.as_view(), name="fetch-submissions"),
    path(f"{SUBMISSIONS}/approve", prolific_remote.ApproveView.as_view(), name="approve-submissions"),
    path("studies/<str:study>/prolific-study", prolific_remote.LinkView.as_view(), name="prolific-study"),
    path("studies/<str:study>/prolific-draft", prolific_remote.DraftView.as_view(), name="prolific-draft"),
    path(
        "studies/<str:study>/bonus-lists/<int:number>/pay",
        prolific_remote.PayBonusListView.as_view(),
        name="pay-bonuses",
    ),
    path(f"{SUBMISSIONS}/rewards", submissions.RewardsView.as_view(), name="record-rewards"),
    path(f"{SUBMISSIONS}/<str:submission>/rejection", submissions.RejectionView.as_view(), name="rejection"),
    path("studies/<str:study>/bonus-lists", submissions.BonusListsView.as_view(), name="bonus-lists"),
    path(
        "studies/<str:study>/bonus-lists/<int:number>.csv",
        submissions.BonusFileView.as_view(),
        name="bonus-file",
    ),
    path(
        "studies/<str:study>/bonus-lists/<int:number>/paid",
        submissions.PaidBonusListView.as_view(),
        name="pay-bonus-list",
    ),
    path(
        "studies/<str:study>/bonus-lists/<int:number>/cancel",
        submissions.CancelledBonusListView.as_view(),
        name="cancel-bonus-list",
    ),
    path("studies/<str:study>/pay-entries/<str:entry>/correction", pay_api.CorrectionView.as_view(), name="correction"),
    path("studies/<str:study>/reports", results_api.ReportsView.as_view(), name="reports"),
    path("studies/<str:study>/reports/<slug:kind>/<int:number>", results_api.ReportView.as_view(), name="report"),
    path(
        "studies/<str:study>/reports/results/<int:number>/files", files.ReportFilesView.as_view(), name="report-files"
    ),
    path(
        "studies/<str:study>/reports/results/<int:number>/files.zip", files.ReportZipView.as_view(), name="report-zip"
    ),
    path(
        "studies/<str:study>/reports/results/<int:number>/files/<str:filename>",
        files.ReportFileView.as_view(),
        name="report-file",
    ),
    path(
        "studies/<str:study>/reports/results/<int:number>/shares",
        results_api.SharesView.as_view(),
        name="report-shares",
    ),
    path(
        "studies/<str:study>/reports/results/<int:number>/shares/<str:share>",
        results_api.ShareView.as_view(),
        name="report-share",
    ),
    path(
        "studies/<str:study>/reports/results/<int:number>/comparison/<int:other>",
        results_api.ComparisonView.as_view(),
        name="compare-reports",
    ),
    path("studies/<str:study>/jobs", studies_api.JobsView.as_view(), name="jobs"),
    path("studies/<str:study>/jobs/<str:job>", studies_api.JobView.as_view(), name="job"),
    path("studies/<str:study>/jobs/<str:job>/again", studies_api.JobAgainView.as_view(), name="job-again"),
    path("studies/<str:study>/exports", results_api.ExportsView.as_view(), name="exports"),
    path("studies/<str:study>/exports/<str:filename>", results_api.ExportView.as_view(), name="export"),
    path("studies/<str:study>/members", studies_api.MembersView.as_view(), name="members"),
    path("studies/<str:study>/members/<str:member>", studies_api.MemberView.as_view(), name="member"),
    path("studies/<str:study>/invitations", studies_api.InvitationsView.as_view(), name="invitations"),
    path("studies/<str:study>/invitations/<str:invitation>", studies_api.InvitationView.as_view(), name="invitation"),
    path("studies/<str:study>/prolific", prolific.ProlificView.as_view(), name="prolific"),
    path("studies/<str:study>/events", results_api.EventsView.as_view(), name="events"),
    *(path("studies/<str:study>/", include(module)) for module in sorted(added)),
    re_path("", errors.UnknownView.as_view()),  # all other paths
]
