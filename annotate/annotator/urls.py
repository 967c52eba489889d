"""The URLs of the annotators' pages."""

from django.urls import path

from annotate.annotator.pages import codes, hub, links, own_study
from annotate.console.pages import studies
from annotate.pay import pages as pay_pages
from annotate.prolific.pages import arrival as prolific
from annotate.recruiting.pages import survey
from annotate.recruiting.pages import waiting_place as waiting

from .pages import work as annotator

app_name = "annotator"

urlpatterns = [
    path("", studies.home, name="home"),
    path("join/<str:token>", links.join, name="join"),
    path("join/<str:token>/group", links.enter, name="enter-group"),
    path("join/<str:token>/group/<str:code>", links.group, name="group"),
    path("join/<str:token>/waiting", waiting.wait, name="wait"),
    path("waiting/<str:token>", waiting.waiting, name="waiting"),
    path("personal/<str:token>", links.personal, name="personal"),
    path("s/<str:study_id>", hub.hub, name="hub"),
    path("s/<str:study_id>/consent", hub.accept, name="accept"),
    path("s/<str:study_id>/objection", hub.object_, name="object"),
    path("s/<str:study_id>/study", own_study.about, name="study"),
    path("s/<str:study_id>/withdraw", own_study.withdraw, name="withdraw"),
    path("s/<str:study_id>/pay", pay_pages.own_pay, name="pay"),
    path("s/<str:study_id>/pay.csv", pay_pages.own_pay_file, name="pay-file"),
    path("s/<str:study_id>/guidelines", own_study.guidelines, name="guidelines"),
    path("s/<str:study_id>/survey", survey.survey, {"start": annotator.next_page}, name="survey"),
    path("s/<str:study_id>/start", annotator.start, name="start"),
    path("s/<str:study_id>/data", own_study.download, name="data"),
    path("s/<str:study_id>/finish", prolific.finish, name="finish"),
    path("s/<str:study_id>/code", codes.code, name="code"),
    path("s/<str:study_id>/code/mail", codes.mail_code, name="mail-code"),
    path("s/<str:study_id>/not-me", annotator.not_me, name="not-me"),
    path("a/worker.js", annotator.worker, name="worker"),
    path("a/<str:assignment_id>", annotator.work, name="work"),
    path("resume", codes.resume, name="resume"),
    path("resume/<str:code>", codes.resume, name="resume-link"),
]
