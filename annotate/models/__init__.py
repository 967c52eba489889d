"""The database tables, one topic per module.

user ── membership ── study ─┬─ consent (versions)
  │                          ├─ invitation
  │                          ├─ named_annotator
  │                          ├─ annotator_group ── annotator_batch
  │                          ├─ waiting_person
  │                          ├─ listed_person
  │                          ├─ questionnaire (versions) ── screening, survey_response
  │                          ├─ prolific_settings
  ├─ api_token               ├─ upload ── item
  └─ sign_in_event           ├─ question (regular, gold, practice, candidate …) ─┬─ gold_judgement
                             │      └─ gold_count                                └─ decision (a researcher's)
                             ├─ gold_set ── gold_set_question
                             ├─ hit ── hit_question
                             │   └── slot (one wanted assignment; place in the queue)
                             ├─ prolific_submission
                             ├─ annotator ── participation ─┬─ network_sighting
                             │                              ├─ hour_count
                             │                              ├─ integrity_figures
                             │                              ├─ pay_entry (bonus, share of a payment, correction)
                             │                              └─ assignment ── answer ── activity_summary
                             ├─ report ── adaptive_round ── question
                             └─ report    job    event    payment ── pay_entry

A HIT that needs two assignments has two slots. A partial unique index prevents two assignments from holding the same
slot. An annotator belongs to one study, and identities are never shared between studies.
"""

from .activity import ActivitySummary, IntegrityFigures
from .adaptive_round import AdaptiveRound
from .agreement import FiguresState, QuestionFigures
from .annotator import Annotator, Participation, ParticipationKey
from .assignment import Answer, Assignment
from .batch import AnnotatorBatch
from .count import GoldCount, HourCount
from .decision import Decision
from .event import Event
from .group import AnnotatorGroup
from .hit import GoldSet, GoldSetQuestion, Hit, HitQuestion, Slot
from .invitation import Invitation
from .item import Item, Upload
from .listed import ListedPerson
from .membership import Membership
from .named import NamedAnnotator
from .network import NetworkSighting
from .pay import PayEntry, Payment
from .prolific import Outcome, ProlificSettings, ProlificSubmission
from .prolific_reports import BonusList, BonusShare, ProlificStudy, ReportedSubmission, SubmissionImport
from .question import GoldJudgement, Question
from .questionnaire import Questionnaire, Screening, SurveyResponse
from .remark import Remark
from .report import Job, Report
from .report_share import ReportShare
from .sign_in_event import SignInEvent
from .study import Study
from .study_texts import Consent, Guidelines
from .team_message import TeamMessage
from .tokens import ApiToken, IdempotencyKey
from .user import User
from .waiting import WaitingPerson

__all__ = [
    "ActivitySummary",
    "AdaptiveRound",
    "Annotator",
    "AnnotatorBatch",
    "AnnotatorGroup",
    "Answer",
    "ApiToken",
    "Assignment",
    "BonusList",
    "BonusShare",
    "Consent",
    "Decision",
    "Event",
    "FiguresState",
    "GoldCount",
    "GoldJudgement",
    "GoldSet",
    "GoldSetQuestion",
    "Guidelines",
    "Hit",
    "HitQuestion",
    "HourCount",
    "IdempotencyKey",
    "IntegrityFigures",
    "Invitation",
    "Item",
    "Job",
    "ListedPerson",
    "Membership",
    "NamedAnnotator",
    "NetworkSighting",
    "Outcome",
    "Participation",
    "ParticipationKey",
    "PayEntry",
    "Payment",
    "ProlificSettings",
    "ProlificStudy",
    "ProlificSubmission",
    "Question",
    "QuestionFigures",
    "Questionnaire",
    "Remark",
    "Report",
    "ReportShare",
    "ReportedSubmission",
    "Screening",
    "SignInEvent",
    "Slot",
    "Study",
    "SubmissionImport",
    "SurveyResponse",
    "TeamMessage",
    "Upload",
    "User",
    "WaitingPerson",
]
