"""The URLs of the console. All paths for a study start with the study's public ID."""

from django.urls import URLPattern, URLResolver, include, path

from annotate.accounts import pages as accounts_pages
from annotate.console.pages import design, downloads, find, overview, setup, studies
from annotate.data.pages import additions, items, tryout, uploads
from annotate.gold.pages import disputes, expected_answer, gold
from annotate.messages import pages as messages_pages
from annotate.pay import pages as pay_pages
from annotate.people.pages import annotators, answers
from annotate.prolific.pages import settings as prolific
from annotate.prolific.pages import submissions
from annotate.questions import pages as questions_pages
from annotate.questions import problem_reports
from annotate.recruiting.pages import panel, people, questionnaires, recruit
from annotate.results.pages import error_sample
from annotate.results.pages import reports as report_pages
from annotate.results.pages import shares as share_pages
from annotate.studies.pages import history, members, new_study, settings, states
from annotate.tasktypes import extensions
from annotate.web.pages import panels

app_name = "console"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", studies.studies, name="studies"),
    path("new/", new_study.new, name="new"),
    path("new/file/", new_study.recognise, name="recognise"),
    path("find/", find.find, name="find"),
    path("pay/", pay_pages.all_pay, name="all-pay"),
    path("tokens/", accounts_pages.tokens, name="tokens"),
    path("tokens/<str:token>/revoke/", accounts_pages.revoke, name="revoke-token"),
]

# Pages that set up a study: data, design, gold, settings and members.
urlpatterns += [
    path("<str:study>/items/", items.items, name="items"),
    path("<str:study>/items/add/", items.add_data, name="add-data"),
    path("<str:study>/bring/<str:purpose>/", uploads.upload, name="upload"),
    path("<str:study>/bring/<str:purpose>/template.csv", uploads.template, name="template"),
    path("<str:study>/uploads/<str:upload>/", uploads.show, name="upload-preview"),
    path("<str:study>/uploads/<str:upload>/layout/", uploads.layout, name="upload-layout"),
    path("<str:study>/uploads/<str:upload>/import/", uploads.import_, name="import"),
    path("<str:study>/uploads/<str:upload>/remove/", uploads.remove, name="remove-import"),
    path("<str:study>/uploads/<str:upload>/restore/", uploads.restore, name="restore-import"),
    path("<str:study>/copy/", new_study.copy, name="copy"),
    path("<str:study>/delete/", new_study.delete, name="delete-draft"),
    path("<str:study>/design/", design.design, name="design"),
    path("<str:study>/design/build/", design.build, name="build-design"),
    path("<str:study>/design/unopened/", design.update_unopened, name="update-unopened"),
    path("<str:study>/design/extension/", additions.add_later_items, name="add-items"),
    path("<str:study>/design/extension/plan/", additions.plan, name="plan-items"),
    path("<str:study>/design/extension/undo/", additions.undo, name="undo-items"),
    path("<str:study>/open/", setup.open_, name="open"),
    path("<str:study>/who-answers/<slug:audience>/", setup.who_answers, name="who-answers"),
    path("<str:study>/try/", tryout.try_, name="try"),
    path("<str:study>/gold/", gold.gold, name="gold"),
    path("<str:study>/gold/draw/", gold.draw, name="draw"),
    path("<str:study>/gold/promote/", gold.promote, name="promote"),
    path("<str:study>/gold/promote/undo/", gold.undo_promotion, name="undo-promotion"),
    path("<str:study>/gold/disputes/", disputes.disputes, name="disputes"),
    path("<str:study>/gold/disputes/<str:question>/", disputes.disputes, name="dispute"),
    path("<str:study>/gold/disputes/<str:question>/keep/", disputes.keep, name="keep-expected-answer"),
    path("<str:study>/gold/disputes/<str:question>/reopen/", disputes.reopen, name="reopen-disputes"),
    path("<str:study>/gold/candidates/<str:question>/", gold.judge, name="candidate"),
    path("<str:study>/gold/<str:question>/expected/", expected_answer.expected_answer, name="expected-answer"),
    path("<str:study>/gold/<str:question>/set-aside/", gold.set_aside, name="set-aside"),
    path("<str:study>/gold/<str:question>/restore/", gold.restore, name="restore-gold"),
    path("<str:study>/settings/", settings.settings, name="settings"),
    path("<str:study>/settings/import/", states.import_, name="import-settings"),
    path("<str:study>/settings/prolific/", prolific.prolific, name="prolific"),
    path("<str:study>/panel/", panel.panel, name="other-panel"),
    path("<str:study>/settings/<slug:step>/", settings.settings, name="settings-step"),
    path("<str:study>/state/", states.states, name="states"),
    path("<str:study>/state/<str:action>/", states.change_state, name="change-state"),
    path("<str:study>/members/", members.members, name="members"),
    path("<str:study>/members/invite/", members.invite_member, name="invite-member"),
    path(
        "<str:study>/members/invitations/<str:invitation>/withdraw/",
        members.withdraw_invitation,
        name="withdraw-invitation",
    ),
    path("<str:study>/members/todo-mail/", studies.todo_mail, name="todo-mail"),
    path("<str:study>/members/<str:member>/role/", members.set_role, name="set-role"),
    path("<str:study>/members/<str:member>/remove/", members.remove, name="remove-member"),
    path("<str:study>/history/", history.history, name="history"),
    path("<str:study>/history/guidelines/<int:number>/", history.guidelines, name="guidelines"),
    path("<str:study>/x/<slug:panel>/", panels.panel, name="panel"),
]

# Pages about the progress and results of a study.
urlpatterns += [
    path("<str:study>/", overview.overview, name="overview"),
    path("<str:study>/find/", find.find_in_study, name="find-in-study"),
    path("<str:study>/pilot/end/", overview.end_pilot, name="end-pilot"),
    path("<str:study>/progress/compute/", overview.compute_progress, name="compute-progress"),
    path("<str:study>/judgements/", additions.judgements, name="judgements"),
    path("<str:study>/judgements/<str:scope>/", additions.add_judgements, name="add-judgements"),
    path("<str:study>/rounds/", additions.rounds, name="rounds"),
    path("<str:study>/rounds/<int:number>/add/", additions.add_next_round, name="add-round"),
    path("<str:study>/open-hits/", answers.open_hits, name="open-hits"),
    path("<str:study>/open-hits/<str:assignment>/end/", answers.end_lease, name="end-lease"),
    path("<str:study>/open-hits/<str:assignment>/restore/", answers.restore_lease, name="restore-lease"),
    path("<str:study>/named/", people.named, name="named"),
    path("<str:study>/named/add/", people.add_names, name="add-named"),
    path("<str:study>/named/file/", people.add_people, name="add-people"),
    path("<str:study>/named/links.csv", people.links_file, name="links-file"),
    path("<str:study>/named/mail/", people.mail_links, name="mail-links"),
    path("<str:study>/named/reserve/", people.reserve_hits, name="reserve-hits"),
    path("<str:study>/named/share/", people.share, name="share-hits"),
    path("<str:study>/named/<str:named>/remove/", people.remove_person, name="remove-named"),
    path("<str:study>/named/<str:named>/end/", people.end_reservations, name="end-reservations"),
    path("<str:study>/recruit/", recruit.recruit, name="recruit"),
    path("<str:study>/groups/", people.groups, name="groups"),
    path("<str:study>/groups/<str:group>/quota/", people.change_quota, name="set-quota"),
    path("<str:study>/groups/<str:group>/population/", people.change_population, name="set-population"),
    path("<str:study>/groups/<str:group>/revoke/", people.revoke, name="revoke-group"),
    path("<str:study>/groups/<str:group>/restore/", people.restore, name="restore-group"),
    path("<str:study>/questionnaires/<str:questionnaire>/", questionnaires.overview, name="questionnaire"),
    path("<str:study>/questionnaires/<str:questionnaire>/change/", questionnaires.change, name="change-questionnaire"),
    path("<str:study>/questionnaires/<str:questionnaire>/answers.csv", questionnaires.file, name="questionnaire-file"),
    path(
        "<str:study>/questionnaires/<str:questionnaire>/new/", questionnaires.new_question, name="new-person-question"
    ),
    path(
        "<str:study>/questionnaires/<str:questionnaire>/questions/<str:name>/",
        questionnaires.edit_question,
        name="person-question",
    ),
    path(
        "<str:study>/questionnaires/<str:questionnaire>/questions/<str:name>/move/",
        questionnaires.move,
        name="move-person-question",
    ),
    path(
        "<str:study>/questionnaires/<str:questionnaire>/questions/<str:name>/delete/",
        questionnaires.delete,
        name="delete-person-question",
    ),
    path("<str:study>/people-lists/", people.lists, name="people-lists"),
    path("<str:study>/people-lists/<slug:kind>/add/", people.extend_list, name="add-to-list"),
    path("<str:study>/people-lists/<slug:kind>/clear/", people.clear, name="clear-list"),
    path("<str:study>/waiting/", people.waiting_list, name="waiting"),
    path("<str:study>/waiting/<str:person>/remove/", people.remove_from_waiting_list, name="remove-waiting"),
    path("<str:study>/annotators/", annotators.annotators, name="annotators"),
    path("<str:study>/annotators/indicators/calculate/", annotators.calculate_indicators, name="calculate-indicators"),
    path("<str:study>/annotators/annotators.csv", annotators.annotators_file, name="annotators-file"),
    path("<str:study>/annotators/<str:pseudonym>/", annotators.annotator, name="annotator"),
    path("<str:study>/annotators/<str:pseudonym>/stop/", annotators.stop, name="stop-annotator"),
    path("<str:study>/annotators/<str:pseudonym>/restore/", annotators.restore, name="restore-annotator"),
    path("<str:study>/annotators/<str:pseudonym>/erase/", annotators.erase, name="erase-annotator"),
    path(
        "<str:study>/annotators/<str:pseudonym>/answers/<str:assignment>/<int:position>/exclude/",
        answers.exclude,
        name="exclude-answer",
    ),
    path(
        "<str:study>/annotators/<str:pseudonym>/answers/<str:assignment>/<int:position>/include/",
        answers.include,
        name="include-answer",
    ),
    path("<str:study>/annotators/<str:pseudonym>/message/", annotators.message, name="message-annotator"),
    path("<str:study>/annotators/<str:pseudonym>/note/", annotators.note, name="note-on-annotator"),
    path("<str:study>/annotators/<str:pseudonym>/review/", annotators.review, name="review-annotator"),
    path("<str:study>/messages/", messages_pages.inbox, name="messages"),
    path("<str:study>/messages/send/", messages_pages.send, name="message-all"),
    path("<str:study>/messages/<str:message>/reply/", messages_pages.reply, name="reply"),
    path("<str:study>/pay/", pay_pages.pay, name="pay"),
    path("<str:study>/pay/pay.csv", pay_pages.pay_file, name="pay-file"),
    path("<str:study>/pay/record/", pay_pages.record, name="record-payment"),
    path("<str:study>/pay/annotators/<str:pseudonym>/", pay_pages.annotator, name="pay-annotator"),
    path("<str:study>/pay/annotators/<str:pseudonym>/bonus/", pay_pages.bonus, name="give-bonus"),
    path("<str:study>/pay/entries/<str:entry>/correct/", pay_pages.correct, name="correct-entry"),
    path("<str:study>/pay/payments/", pay_pages.payments, name="payments"),
    path("<str:study>/pay/files/<str:filename>", pay_pages.payments_file, name="payments-file"),
    path("<str:study>/pay/payments/<int:number>/", pay_pages.payment, name="payment"),
    path("<str:study>/pay/payments/<int:number>/undo/", pay_pages.undo, name="undo-payment"),
    path("<str:study>/submissions/", submissions.submissions, name="submissions"),
    path("<str:study>/submissions/upload/", submissions.upload, name="submissions-upload"),
    path("<str:study>/submissions/imports/<str:number>/", submissions.preview, name="submissions-preview"),
    path("<str:study>/submissions/imports/<str:number>/import/", submissions.import_, name="submissions-import"),
    path("<str:study>/submissions/imports/<str:number>/undo/", submissions.undo, name="submissions-undo"),
    path("<str:study>/submissions/files/<str:filename>", submissions.file, name="submissions-file"),
    path("<str:study>/submissions/link/", prolific.link, name="link-prolific"),
    path("<str:study>/submissions/draft/", prolific.draft, name="draft-prolific"),
    path("<str:study>/submissions/fetch/", prolific.fetch, name="fetch-submissions"),
    path("<str:study>/submissions/approve/", prolific.approve, name="approve-submissions"),
    path("<str:study>/submissions/bonuses/<int:number>/pay/", prolific.pay_bonuses, name="pay-bonuses"),
    path("<str:study>/submissions/rewards/", submissions.record_rewards, name="record-rewards"),
    path("<str:study>/submissions/bonuses/", submissions.create_bonuses, name="create-bonuses"),
    path("<str:study>/submissions/bonuses/<int:number>.csv", submissions.bonus_file, name="bonus-file"),
    path("<str:study>/submissions/bonuses/<int:number>/paid/", submissions.confirm_bonuses, name="confirm-bonuses"),
    path("<str:study>/submissions/bonuses/<int:number>/cancel/", submissions.cancel_bonuses, name="cancel-bonuses"),
    path("<str:study>/submissions/<str:submission>/reject/", submissions.reject, name="reject-submission"),
    path("<str:study>/submissions/<str:submission>/keep/", submissions.keep, name="keep-submission"),
    path("<str:study>/questions/", questions_pages.questions, name="questions"),
    path("<str:study>/questions/<str:question>/", questions_pages.question, name="question"),
    path("<str:study>/problem-reports/", problem_reports.problem_reports, name="problem-reports"),
    path("<str:study>/adjudicate/", questions_pages.adjudicate, name="adjudicate"),
    path("<str:study>/adjudicate/sample/", error_sample.label_errors, name="label-errors"),
    path("<str:study>/adjudicate/<str:question>/", questions_pages.decide, name="decide"),
    path("<str:study>/adjudicate/<str:question>/undo/", questions_pages.undo, name="undo-decision"),
    path("<str:study>/questions/<str:question>/withdraw/", questions_pages.withdraw, name="withdraw-decision"),
    path("<str:study>/jobs/", history.jobs, name="jobs"),
    path("<str:study>/jobs/<str:job>/", history.job, name="job"),
    path("<str:study>/jobs/<str:job>/again/", history.again, name="job-again"),
    path("<str:study>/results/", report_pages.results, name="results"),
    path("<str:study>/results/all/", report_pages.reports, name="reports"),
    path("<str:study>/results/compute/", report_pages.compute, name="compute-results"),
    path("<str:study>/results/<int:number>/", report_pages.report, name="report"),
    path("<str:study>/results/<int:number>/compare/", report_pages.compare, name="compare-reports"),
    path("<str:study>/results/<int:number>/share/", share_pages.shares, name="report-shares"),
    path("<str:study>/results/<int:number>/share/<str:share>/revoke/", share_pages.revoke, name="revoke-report-share"),
    path(
        "<str:study>/results/<int:number>/share/<str:share>/restore/",
        share_pages.restore,
        name="restore-report-share",
    ),
    path("<str:study>/results/<int:number>/files.zip", downloads.report_zip, name="report-zip"),
    path("<str:study>/results/<int:number>/<slug:page>/", report_pages.report, name="report-page"),
    path("<str:study>/results/<int:number>/files/<str:filename>", downloads.report_file, name="report-file"),
    path("<str:study>/downloads/", downloads.downloads, name="downloads"),
    path("<str:study>/downloads/<str:filename>", downloads.download, name="download"),
]

# Pages that other applications add to a study.
urlpatterns += [
    path("<str:study>/", include(extension.console_urls))
    for extension in extensions.registered()
    if extension.console_urls
]
