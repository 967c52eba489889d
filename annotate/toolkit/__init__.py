"""The toolkit for pages and API operations that task types and other applications add to studies.

A page is a function of (request, study). `request.user` is the researcher, and `request.console.may` states for each
action whether the researcher's role allows the action. Everything that such a page needs can be imported from here:
access to the study, forms, files, jobs, charts, tables, pages of long lists, and messages. The module
`annotate.toolkit.api` contains everything that API operations need. Applications do not import other modules of
`annotate`, because those can change without notice.
"""

from django.contrib import messages

from accord_core.exchange.arrays import pack, unpack
from annotate.core.permissions import Action, Actor, locked_study, permitted_study
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.jobs import request_job
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.selectors.design import gold_cover
from annotate.data.services.reading import is_large, read_bounded
from annotate.data.services.uploads import receive
from annotate.models import Job, Report, Study, Upload, User
from annotate.questions.selectors.data import study_data
from annotate.questions.selectors.questions import ItemText, item_texts
from annotate.results.selectors.exports import report_document
from annotate.server.refusals import Refused
from annotate.server.software import versions
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import Headline, Panel, Shown
from annotate.web.attachments import attachment
from annotate.web.body_limits import body_limit
from annotate.web.forms import ConsoleForm, TextFilesForm, option_field
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.charts import Chart, band_chart, forecast_sentence, people_chart
from annotate.web.pages.figures import Figure, basis, main_figure

from .files import FAULTS_SHOWN, ItemsFile, ItemsFileForm, items_from_files
from .rows import columns_of, contents_of, gold_of, page_of, questions_of, with_questions

__all__ = [
    "FAULTS_SHOWN",
    "Action",
    "Actor",
    "Chart",
    "ConsoleForm",
    "ConsoleRequest",
    "Figure",
    "Headline",
    "ItemText",
    "ItemsFile",
    "ItemsFileForm",
    "Job",
    "Panel",
    "Refused",
    "Report",
    "Shown",
    "Study",
    "TextFilesForm",
    "Upload",
    "User",
    "attachment",
    "band_chart",
    "basis",
    "body_limit",
    "change_settings",
    "columns_of",
    "contents_of",
    "forecast_sentence",
    "gold_cover",
    "gold_of",
    "is_large",
    "item_texts",
    "items_from_files",
    "locked_study",
    "main_figure",
    "messages",
    "option_field",
    "pack",
    "page_of",
    "people_chart",
    "permitted_study",
    "questions_of",
    "read_bounded",
    "receive",
    "record",
    "refuse_if_archived",
    "report_document",
    "request_job",
    "study_data",
    "study_page",
    "unpack",
    "versions",
    "with_questions",
    "write",
]
