"""The types of the JSON in requests and responses. `script/client` writes this file."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AcknowledgementShapeRequest(TypedDict):
    disputed: NotRequired[bool]
    note: NotRequired[str]


class AddedShape(TypedDict):
    added: int
    repeated: int
    annotators: list[str]


class AdjudicationShape(TypedDict):
    """A question in the adjudication queue."""

    question: str
    judgements: int
    agreement: float | None
    seconds: float | None
    expected_repairs: float | None
    decided: bool


AdmissionEnum: TypeAlias = "Literal['anonymous', 'account', 'named']"


class AmountsShape(TypedDict):
    planned: float | None
    so_far: float | None
    expected: float | None


class AnnotatorAnswerShape(TypedDict):
    """An annotator's answer, with figures that help researchers to judge it."""

    question: str
    kind: QuestionKindEnum
    annotator: str
    assignment: str
    position: int
    shown: NotRequired[list[Any]]
    value: Value | None
    answered_at: str | None
    seconds: NotRequired[float | None]
    passed: NotRequired[bool | None]
    disputed: NotRequired[bool]
    dispute_note: NotRequired[str]
    repeat: NotRequired[bool]
    excluded: NotRequired[str]
    skipped: NotRequired[str]
    skipped_at: NotRequired[str | None]
    guidelines_version: NotRequired[int | None]
    state: AssignmentStateEnum
    reason: str
    words: str
    counts: bool
    reason_not_counted: str
    agreement: float | None
    others: int
    usual_seconds: float | None


AnnotatorPlatformEnum: TypeAlias = (
    "Literal['web', 'account', 'named', 'mturk', 'prolific', 'panel', 'simulated', 'system', 'try']"
)


class AnnotatorShape(TypedDict):
    pseudonym: str
    platform: AnnotatorPlatformEnum
    is_program: bool
    standing: NotRequired[StandingEnum]
    standing_reason: NotRequired[str]
    graded: NotRequired[int]
    tallies: NotRequired[dict[str, float]]
    joined_at: str


class AnnotatorSignsShape(TypedDict):
    annotator: str
    answers: int
    calculated_at: str
    signs: list[IntegritySignShape]
    agreement_over_time: list[float]


class AnswerShape(TypedDict):
    question: str
    kind: QuestionKindEnum
    annotator: str
    assignment: str
    position: int
    shown: NotRequired[list[Any]]
    value: Value | None
    answered_at: str | None
    seconds: NotRequired[float | None]
    passed: NotRequired[bool | None]
    disputed: NotRequired[bool]
    dispute_note: NotRequired[str]
    repeat: NotRequired[bool]
    excluded: NotRequired[str]
    skipped: NotRequired[str]
    skipped_at: NotRequired[str | None]
    guidelines_version: NotRequired[int | None]
    state: AssignmentStateEnum
    reason: str


AssignmentKindEnum: TypeAlias = "Literal['regular', 'practice', 'try', 'program']"


class AssignmentRow(TypedDict):
    id: str
    annotator: str
    hit: NotRequired[int | None]
    kind: AssignmentKindEnum
    state: AssignmentStateEnum
    reason: NotRequired[str]
    source: SourceEnum
    claimed_at: str
    lease_until: str
    submitted_at: NotRequired[str | None]
    seconds: NotRequired[float | None]
    reward: NotRequired[str]
    credited: NotRequired[bool]


class AssignmentShape(TypedDict):
    id: str
    kind: AssignmentKindEnum
    state: AssignmentStateEnum
    lease_until: str
    longest_lease: str
    reward: str
    currency: str
    questions: list[ShownQuestion]
    study: ShownStudy
    guidelines: GuidelinesState


AssignmentStateEnum: TypeAlias = "Literal['leased', 'lapsed', 'done', 'surplus', 'void']"


class AssistedRequestRequest(TypedDict):
    program: str


class AssistedShape(TypedDict):
    report: ReportShape | None


class AuthorAnswersShape(TypedDict):
    answers: dict[str, str]


class BaselineShape(TypedDict):
    name: str
    measures: list[MeasureShape]
    kind: NotRequired[str]


class BatchResultsDraftRequest(TypedDict):
    """A file in a request: its text in JSON, or the file itself in a multipart form."""

    skip_faulty: NotRequired[bool]
    changes: NotRequired[ChangesEnum]
    filename: NotRequired[str]
    content: NotRequired[str]
    file: NotRequired[bytes]
    encoding: NotRequired[EncodingEnum | None]
    batch: NotRequired[str]
    dry_run: NotRequired[bool]


class BatchResultsShape(TypedDict):
    assignments: int
    answers: int
    repeats: int
    surplus: int
    stopped: int
    known: int
    rejected: int
    faulty: int
    gold_left_out: int
    gold_added: int
    changed: int
    replaced: int


BlankEnum: TypeAlias = "Literal['']"


class BonusDraftRequest(TypedDict):
    annotator: str
    amount: str
    reason: str


class BonusListShape(TypedDict):
    number: int
    state: BonusListShapeStateEnum
    error: str
    payment: NotRequired[int | None]
    created_at: str
    shares: list[BonusShareShape]


BonusListShapeStateEnum: TypeAlias = "Literal['open', 'paying', 'paid', 'cancelled']"


class BonusShareShape(TypedDict):
    annotator: str
    amount: str


class CandidateAnswerRequest(TypedDict):
    value: Answer
    explanation: NotRequired[str]


class CandidateShape(TypedDict):
    """A gold candidate. Other authors' answers are hidden until you have answered the candidate."""

    id: str
    ref: str
    payload: Payload
    authors: int
    own: str
    own_explanation: str
    others: list[OtherAuthorShape]
    agreed: bool


class ChangeShape(TypedDict):
    line: int
    assignment: str
    differences: list[ChangedColumnShape]


class ChangedColumnShape(TypedDict):
    column: ColumnEnum
    imported: str
    in_file: str


ChangesEnum: TypeAlias = "Literal['stop', 'take', 'keep']"


class ChoiceShape(TypedDict):
    known: ChoiceShapeKnownEnum
    adds: int
    changes: int
    removes: int
    possible: bool
    locked: int
    faults: list[FaultShape]


ChoiceShapeKnownEnum: TypeAlias = "Literal['add', 'update', 'replace']"


class ChosenDesignShape(TypedDict):
    """A design of a plan."""

    per_question: int
    design: dict[str, Any]


class ChosenRoundRequest(TypedDict):
    """The report with the chosen questions."""

    report: int


class ClaimedShape(TypedDict):
    assignment: AssignmentShape | None
    why: WhyEnum | BlankEnum
    resumed: bool
    free_by: str | None


CodeEnum: TypeAlias = "Literal['archived', 'authentication_failed', 'budget', 'busy', 'cannot-build', 'changed', 'claimed', 'conflict', 'consent', 'draft', 'empty', 'ended', 'faults', 'graded', 'group', 'imported', 'in-use', 'incomplete', 'internal', 'invalid', 'joined', 'key-reused', 'kind', 'known-id', 'last-owner', 'later-hits', 'linked', 'locked', 'mail', 'member', 'memory', 'method_not_allowed', 'no-api', 'no-design', 'no-extension', 'no-rows', 'no-items', 'no-labels', 'no-measure', 'no-reason', 'no-report', 'no-skip', 'no-undo', 'no-unopened', 'not-allowed', 'not-counted', 'not-excluded', 'not-failed', 'not-imported', 'not-latest', 'not-leased', 'not-read', 'nothing-to-check', 'not-ready', 'not-stopped', 'not_acceptable', 'not_authenticated', 'not_found', 'nothing-due', 'off', 'one-answer', 'parse_error', 'people', 'permission_denied', 'practice', 'prolific', 'put-aside', 'people-share', 'quotas', 'repeated', 'returned', 'screening', 'settings', 'stale', 'state', 'stopped', 'submitted', 'task-type', 'throttled', 'time', 'too-few', 'too-large', 'too-many', 'unacknowledged', 'unavailable', 'unchanged', 'ungraded', 'unknown', 'unknown-question', 'unknown-report', 'unsupported_media_type', 'answered-again', 'changes', 'paid', 'impossible-plan', 'no-plans', 'unknown-design', 'unknown-pilot', 'too-few-answers', 'no-programs', 'inactive', 'unreadable-release', 'cannot-compare']"


class CodeShape(TypedDict):
    code: str
    expires_at: str | None


ColumnEnum: TypeAlias = "Literal['status', 'worker', 'HIT', 'answers']"


class ComparedFigureShape(TypedDict):
    name: str
    first: FigureValueShape
    second: FigureValueShape
    difference: float | None


class ComparedTableShape(TypedDict):
    title: str
    rows: list[ComparedFigureShape]


class ComparisonRequestRequest(TypedDict):
    epsilon: NotRequired[float]
    fewest_questions: NotRequired[int]


class ComparisonShape(TypedDict):
    report: ReportShape | None


class CopyRequestRequest(TypedDict):
    title: NotRequired[str]
    items: NotRequired[bool]
    gold: NotRequired[bool]
    members: NotRequired[bool]


class CopyShape(TypedDict):
    study: StudyShape
    job: JobShape | None


class CorrectionDraftRequest(TypedDict):
    amount: str
    reason: str


class CorrectionRow(TypedDict):
    amount: str
    reason: str
    recorded_at: str


class CreatedShareShape(TypedDict):
    id: str
    created_at: str
    expires_at: str
    with_items: NotRequired[bool]
    url: str


class CurvePointShape(TypedDict):
    care: float
    accuracy: float
    stopped: float
    standard_error: float


class DecisionDraftRequest(TypedDict):
    value: NotRequired[Answer | None]
    keep_both: NotRequired[bool]
    note: NotRequired[str]


class DecisionShape(TypedDict):
    question: str
    value: Value | None
    keep_both: NotRequired[bool]
    note: NotRequired[str]
    user: str
    decided_at: str


DelimiterEnum: TypeAlias = "Literal[',', ';', '\\t', ' ', 'json', 'other']"


class DeliveryShape(TypedDict):
    id: str
    webhook: str
    event: EventEnum
    data: NotRequired[dict[str, Any]]
    state: DeliveryShapeStateEnum
    attempts: NotRequired[int]
    status: NotRequired[int | None]
    error: NotRequired[str]
    created_at: str
    delivered_at: NotRequired[str | None]
    next_attempt_at: str | None


DeliveryShapeStateEnum: TypeAlias = "Literal['waiting', 'delivered', 'failed']"


class DifferenceShape(TypedDict):
    """The difference between two systems in one measure (first minus second)."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    note: str
    lower: bool
    p: float | None


DirectionEnum: TypeAlias = "Literal['auto', 'ltr', 'rtl']"


class DraftShapeRequest(TypedDict):
    draft: Any
    revision: int


class DraftSizesRequest(TypedDict):
    minutes: int
    places: int


class DrawRequestRequest(TypedDict):
    count: NotRequired[int]


class DrawnShape(TypedDict):
    drawn: int


class DueShapeRequest(TypedDict):
    annotator: str
    amount: str
    paid: str


class EffectsShape(TypedDict):
    """The effects of a new expected answer."""

    version: int
    graded: int
    changed: int
    now_correct: int
    now_wrong: int
    stopped: list[str]
    restorable: list[str]
    restored: list[str]
    job: str


EncodingEnum: TypeAlias = "Literal['utf-8', 'utf-16', 'utf-16-le', 'utf-16-be', 'utf-32', 'windows-1252', 'iso-8859-15', 'mac-roman', 'windows-1250', 'iso-8859-2', 'windows-1251', 'koi8-r', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']"


class EndedShape(TypedDict):
    opened: int


class EntryShape(TypedDict):
    id: str
    annotator: str
    amount: str
    recorded_amount: str
    reason: str
    recorded_at: str
    corrections: list[CorrectionRow]


class ErasedShape(TypedDict):
    studies: int


class ErrorSampleDraftRequest(TypedDict):
    """The sample that reviewers check."""

    wanted: float
    dry_run: NotRequired[bool]


class ErrorSampleShape(TypedDict):
    """A sample of final labels. Before all its labels are checked, `bound` is null."""

    report: int
    wanted: float
    labels: int
    checked: NotRequired[int]
    wrong: NotRequired[int]
    questions: NotRequired[list[str]]
    bound: NotRequired[float | None]


class ErrorShape(TypedDict):
    code: CodeEnum
    message: str
    fields: dict[str, list[str]]


EventEnum: TypeAlias = "Literal['hit.submitted', 'annotator.stopped', 'pilot.complete', 'study.complete', 'test']"


class EventShape(TypedDict):
    at: str
    verb: str
    user: NotRequired[str | None]
    annotator: NotRequired[str | None]
    reason: NotRequired[str]
    detail: NotRequired[dict[str, Any]]


EventsEnum: TypeAlias = "Literal['hit.submitted', 'annotator.stopped', 'pilot.complete', 'study.complete']"


class ExcludedGoldShape(TypedDict):
    annotators_to_review: int


class ExpectedAnswerDraftRequest(TypedDict):
    """A new expected answer to a gold question."""

    value: Answer
    reason: str
    explanation: NotRequired[str]
    restore: NotRequired[list[str]]
    version: NotRequired[int]
    dry_run: NotRequired[bool]


class ExportRow(TypedDict):
    filename: str
    content_type: str
    description: str
    note: str
    schema: str


class ExtensionShape(TypedDict):
    items: int
    questions: int
    hits: int
    slots: int
    judgements: int
    cost: str
    currency: str
    files: list[str]


FailedGoldEnum: TypeAlias = "Literal['pay', 'return']"


class FaultShape(TypedDict):
    line: int | None
    column: str | None
    message: str


class FeedbackShape(TypedDict):
    position: int
    passed: bool
    expected: Answer | None
    given: Answer | None
    explanation: str
    message: str
    graded: int
    right: int


class FigureValueShape(TypedDict):
    value: float | None
    low: float | None
    high: float | None


class FiguresShapeRequest(TypedDict):
    figures: dict[str, str]


class FinishShape(TypedDict):
    at: str | None
    low: str | None
    high: str | None


FirstRowEnum: TypeAlias = "Literal['data', 'names', 'unclear']"


class GiveShapeRequest(TypedDict):
    value: NotRequired[Answer]
    skipped: NotRequired[str]
    seconds: NotRequired[float | None]
    activity: NotRequired[dict[str, Any] | None]


class GivenShape(TypedDict):
    feedback: list[FeedbackShape]
    stopped: bool
    final: bool


class GoldCountsShape(TypedDict):
    right: int
    graded: int


GoldEnum: TypeAlias = "Literal['sealed', 'open']"


GoldExhaustedEnum: TypeAlias = "Literal['continue', 'finish']"


class GoldRuleShape(TypedDict):
    reason: str
    rule_test: RuleFiguresShape | None


class GoldShape(TypedDict):
    id: str
    ref: str
    expected: str
    explanation: str
    explanation_warning: str
    version: int
    answered: int
    missed: float | None
    disputes: int
    doubtful: bool
    wrong_answers: list[WrongAnswerShape]


class GradesShape(TypedDict):
    """The effects of new expected answers on grades, if stored gold questions are changed."""

    graded: int
    changed: int
    stopped: list[str]
    restorable: list[str]


class GroupDraftRequest(TypedDict):
    name: str
    places: NotRequired[int | None]
    judgements: NotRequired[int | None]


class GroupShape(TypedDict):
    id: str
    name: str
    places: NotRequired[int | None]
    joined: int
    taken: int
    judgements: NotRequired[int | None]
    given: int
    planned: int
    population: NotRequired[float | None]
    link: str | None
    created_at: str
    revoked_at: NotRequired[str | None]


class GuidelinesShape(TypedDict):
    version: int
    instructions: NotRequired[str]
    examples: NotRequired[str]
    created_at: str


class GuidelinesState(TypedDict):
    version: int
    read: int


IdentityParameterEnum: TypeAlias = "Literal['pid', 'participantId', 'survey_code']"


class ImportDraftRequest(TypedDict):
    """A file in a request: its text in JSON, or the file itself in a multipart form."""

    filename: NotRequired[str]
    content: NotRequired[str]
    file: NotRequired[bytes]
    encoding: NotRequired[EncodingEnum | None]
    dry_run: NotRequired[bool]


class ImportOptionsRequest(TypedDict):
    skip_faulty: NotRequired[bool]
    changes: NotRequired[ChangesEnum]


class ImportShape(TypedDict):
    id: str | None
    added: int
    changed: int
    unchanged: int
    unmatched: int


ImportShapeKnownEnum: TypeAlias = "Literal['stop', 'add', 'update', 'replace']"


class ImportShapeRequest(TypedDict):
    known: NotRequired[ImportShapeKnownEnum]


class IncludedShape(TypedDict):
    withdrawn: bool


class IntegritySignShape(TypedDict):
    name: str
    value: float
    less_unusual: int
    others: int
    unusual: bool


class IntervalShape(TypedDict):
    value: float | None
    low: float | None
    high: float | None


class InvitationDraftRequest(TypedDict):
    email: str
    role: RoleEnum | BlankEnum


class InvitationShape(TypedDict):
    id: str
    email: str
    role: RoleEnum
    created_at: str
    expires_at: str
    has_expired: bool
    link: str | None


class ItemShape(TypedDict):
    id: str
    content: Content
    metadata: NotRequired[dict[str, Any]]
    held_out: NotRequired[bool]


class JobReportShape(TypedDict):
    """The report that a job created."""

    kind: str
    number: int


class JobShape(TypedDict):
    id: str
    kind: str
    state: NotRequired[JobStateEnum]
    progress: NotRequired[float]
    message: NotRequired[str]
    error: NotRequired[str]
    created_at: str
    started_at: NotRequired[str | None]
    finished_at: NotRequired[str | None]
    report: JobReportShape | None


JobStateEnum: TypeAlias = "Literal['waiting', 'running', 'done', 'failed']"


class JudgementsDraftRequest(TypedDict):
    """The questions that receive one more judgement."""

    scope: ScopeEnum
    questions: NotRequired[list[str]]
    per_question: NotRequired[int]
    group: NotRequired[str]
    dry_run: NotRequired[bool]


class JudgementsShape(TypedDict):
    questions: int
    assignments: int
    cost: str


class KeepRequestRequest(TypedDict):
    """The decision that the expected answer to a disputed gold question remains."""

    until: NotRequired[str]


class KeptShape(TypedDict):
    settled: int


class KindShape(TypedDict):
    name: str
    accuracy: float
    stopped: float
    standard_error: float
    gold_answers: float
    judgements_discarded: float | None
    judgements_left: float
    stopped_by: list[float]
    sprt: SequentialShape | None


class KnownShape(TypedDict):
    """The rows already in the study, and the effect of each option for them."""

    new: int
    unchanged: int
    changed: int
    absent: int
    choices: list[ChoiceShape]
    grades: GradesShape | None


class LayoutShape(TypedDict):
    """The settings that determine how a table is read."""

    sheet: NotRequired[str]
    encoding: NotRequired[EncodingEnum | None]
    delimiter: NotRequired[DelimiterEnum | BlankEnum | None]
    header: NotRequired[int | None]
    header_rows: NotRequired[int]
    columns: NotRequired[dict[str, str]]
    skipped: NotRequired[list[int]]


class LayoutShapeRequest(TypedDict):
    """The settings that determine how a table is read."""

    sheet: NotRequired[str]
    encoding: NotRequired[EncodingEnum | None]
    delimiter: NotRequired[DelimiterEnum | BlankEnum | None]
    header: NotRequired[int | None]
    header_rows: NotRequired[int]
    columns: NotRequired[dict[str, str]]
    skipped: NotRequired[list[int]]


class LeaderboardDraftRequest(TypedDict):
    heading: str


class LeaderboardShape(TypedDict):
    heading: str
    url: str
    published_at: str


LevelEnum: TypeAlias = "Literal['bad', 'warn', 'info']"


class LinkShape(TypedDict):
    text: str
    path: str


LinksEnum: TypeAlias = "Literal['all', 'sure']"


ListEnum: TypeAlias = "Literal['exclude', 'admit']"


class ListedShapeRequest(TypedDict):
    people: list[str]


class MainFigureShape(TypedDict):
    """The study’s main figure, as in the latest report. The values are `null` if the figure is undefined."""

    name: str
    low: float | None
    high: float | None
    target: float | None
    judgements: int
    calculated_at: str


MatchEnum: TypeAlias = "Literal['submission', 'participant', 'conflict', 'not_in_accord', 'not_on_prolific']"


class MatchShape(TypedDict):
    source: NotRequired[str]
    line: int
    matched_at: NotRequired[str | None]


class MeasureShape(TypedDict):
    name: str
    value: float | None
    low: float | None
    high: float | None
    note: str
    lower: bool


class MemberShape(TypedDict):
    id: str
    name: str
    email: str
    role: RoleEnum


class MessageShape(TypedDict):
    id: str
    kind: MessageShapeKindEnum
    annotator: str
    question: NotRequired[str | None]
    hit: int | None
    sent_at: str
    text: str
    state: str
    reply: str
    replied_by: str
    replied_at: str | None


MessageShapeKindEnum: TypeAlias = (
    "Literal['objection', 'problem', 'comment', 'skip', 'dispute', 'return', 'withdrawal']"
)


class MethodsShape(TypedDict):
    files: dict[str, str]
    open: list[str]


class MinimumShape(TypedDict):
    """The smallest minimum for a given number of gold questions per HIT."""

    gold_per_hit: int
    gold_answers: int
    minimum: int
    false_stops: float
    survivor: str
    survivors: float
    meets_targets: bool


class NamedShape(TypedDict):
    id: str
    name: str
    link: str | None
    email: str
    group: NotRequired[str | None]
    mail_state: str
    mail_fault: str
    pseudonym: NotRequired[str | None]
    reserved_hits: int
    submitted_hits: int
    expected_hits: int | None


class NamesShapeRequest(TypedDict):
    names: NotRequired[list[str]]
    people: NotRequired[list[PersonShapeRequest]]


class NeedsLookShape(TypedDict):
    pseudonym: str
    standing: StandingEnum
    signs: list[SignShape]
    agreement: NotRequired[float | None]
    median_seconds: NotRequired[float | None]


class NewWebhookShape(TypedDict):
    secret: str
    webhook: WebhookShape


NextStepEnum: TypeAlias = "Literal['approve', 'ask_return', 'bonus', 'contact', 'wait', 'none']"


class NoteShapeRequest(TypedDict):
    text: str


class OpenHitShape(TypedDict):
    """A HIT that was claimed but has not been submitted."""

    assignment: str
    annotator: str
    hit: int
    questions: int
    answers: int
    claimed_at: str
    active_at: str
    lease_until: str


class OpenQuestionShape(TypedDict):
    number: str
    question: str
    who: str


OrderEnum: TypeAlias = "Literal['rounds', 'hits']"


class OtherAuthorShape(TypedDict):
    user: str
    words: str
    explanation: str


OutcomeEnum: TypeAlias = "Literal['completed', 'no_consent', 'screened_out', 'failed_gold', 'incompatible_device']"


class PaidDraftRequest(TypedDict):
    paid_on: NotRequired[str]


class PartShape(TypedDict):
    name: str
    items: int
    sha256: str


class PatchedAuthorAnswersShapeRequest(TypedDict):
    answers: NotRequired[dict[str, str]]


class PatchedGroupChangeRequest(TypedDict):
    judgements: NotRequired[int | None]
    population: NotRequired[float | None]


class PatchedProlificChangeRequest(TypedDict):
    """The Prolific settings to change. Settings that are missing from the request keep their values."""

    hits_per_submission: NotRequired[int | None]
    submissions_per_participant: NotRequired[int]
    codes: NotRequired[dict[str, str]]
    failed_gold: NotRequired[FailedGoldEnum]
    screenout_reward: NotRequired[str | None]
    needs_computer: NotRequired[bool]
    secured: NotRequired[bool]


class PatchedQuestionnaireChangeShapeRequest(TypedDict):
    """The fields to change. Fields that are missing from the request keep their values."""

    revision: NotRequired[int]
    introduction: NotRequired[str]
    ending: NotRequired[str]
    stores_answers: NotRequired[bool]
    timing: NotRequired[TimingEnum]
    questions: NotRequired[list[PersonQuestionShapeRequest]]


class PatchedRoleShapeRequest(TypedDict):
    role: NotRequired[RoleEnum]


class PatchedStudyChangeRequest(TypedDict):
    """The settings to change. Settings that are missing from the request keep their values."""

    title: NotRequired[str]
    options: NotRequired[Options]
    consent: NotRequired[str]
    consent_pays_stopped: NotRequired[bool | None]
    consent_names_activity: NotRequired[bool]
    activity_summaries: NotRequired[bool]
    admission: NotRequired[AdmissionEnum]
    admitted_studies: NotRequired[list[str]]
    annotator_limit: NotRequired[int | None]
    break_minutes: NotRequired[int | None]
    budget_cap: NotRequired[str | None]
    claiming_ends_at: NotRequired[str | None]
    completion_code: NotRequired[str]
    contact: NotRequired[str]
    currency: NotRequired[str]
    direction: NotRequired[DirectionEnum]
    eligibility: NotRequired[str]
    examples: NotRequired[str]
    excluded_studies: NotRequired[list[str]]
    full_consent: NotRequired[bool]
    gold_block: NotRequired[int]
    gold_exhausted: NotRequired[GoldExhaustedEnum]
    gold_skips_allowed: NotRequired[int]
    hits_per_annotator: NotRequired[int | None]
    identity_parameter: NotRequired[IdentityParameterEnum]
    identity_signed: NotRequired[bool]
    instructions: NotRequired[str]
    joining_ends_at: NotRequired[str | None]
    judgements: NotRequired[int]
    language: NotRequired[str]
    lease_minutes: NotRequired[int]
    minimum_hourly_wage: NotRequired[str | None]
    network_check: NotRequired[bool]
    order: NotRequired[OrderEnum]
    pay_stopped: NotRequired[bool]
    payment_terms: NotRequired[str]
    pilot_counts: NotRequired[bool]
    pilot_hits: NotRequired[int]
    piloting: NotRequired[bool]
    planned_hourly_wage: NotRequired[str | None]
    practice: NotRequired[bool]
    privacy_notice: NotRequired[str]
    protocol_number: NotRequired[str]
    put_aside_allowed: NotRequired[int]
    qualification_mark: NotRequired[str | None]
    qualification_pay: NotRequired[str]
    qualification_tries: NotRequired[int]
    questions_per_hit: NotRequired[int]
    recruitment: NotRequired[RecruitmentEnum]
    repeat_after_hits: NotRequired[int]
    repeat_after_hours: NotRequired[int]
    repeat_share: NotRequired[str]
    retention_days: NotRequired[int]
    return_url: NotRequired[str]
    reward: NotRequired[str]
    rule_measure: NotRequired[str]
    rule_minimum: NotRequired[int]
    rule_threshold: NotRequired[str]
    rule_unit: NotRequired[RuleUnitEnum]
    seed: NotRequired[int]
    skips_allowed: NotRequired[bool]
    target_figure: NotRequired[str]
    target_minimum: NotRequired[int]
    target_pauses: NotRequired[bool]
    target_value: NotRequired[str | None]
    time_zone: NotRequired[str]
    waiting_list: NotRequired[bool]


class PatchedSystemChangeRequest(TypedDict):
    public: NotRequired[bool]


class PatchedWebhookChangeRequest(TypedDict):
    """The fields to change. Fields that are missing from the request keep their values."""

    url: NotRequired[str]
    events: NotRequired[list[EventsEnum]]
    active: NotRequired[bool]


class PayShape(TypedDict):
    annotator: str
    platform: AnnotatorPlatformEnum
    platform_id: str | None
    standing: StandingEnum
    state: PayShapeStateEnum
    hits: int
    credited: str
    bonus: str
    paid: str
    owed: str
    currency: str


PayShapeStateEnum: TypeAlias = "Literal['owed', 'paid', 'overpaid', 'nothing']"


class PaymentDraftRequest(TypedDict):
    reference: str
    paid_on: str
    annotators: list[DueShapeRequest]


class PaymentRow(TypedDict):
    number: int
    reference: str
    paid_on: str
    recorded_at: str
    recorded_by: NotRequired[str | None]
    annotators: int
    amount: str


class PaymentShape(TypedDict):
    number: int
    reference: str
    paid_on: str
    recorded_at: str
    recorded_by: NotRequired[str | None]
    annotators: int
    amount: str
    entries: list[EntryShape]


class PendingExtension(TypedDict):
    items: int
    job: JobShape


class PendingUpload(TypedDict):
    id: str
    purpose: UploadPurposeEnum
    filename: str
    job: JobShape


class PeopleListShape(TypedDict):
    list: ListEnum
    rows: int
    matched: list[MatchShape]


class PersonQuestionShape(TypedDict):
    name: str
    kind: PersonQuestionShapeKindEnum
    label: str
    help: NotRequired[str]
    required: NotRequired[bool]
    options: NotRequired[list[str]]
    minimum: NotRequired[int]
    maximum: NotRequired[int]
    low_label: NotRequired[str]
    high_label: NotRequired[str]
    admitted: NotRequired[list[str]]
    admitted_minimum: NotRequired[int]
    admitted_maximum: NotRequired[int]
    groups: NotRequired[list[str]]


PersonQuestionShapeKindEnum: TypeAlias = "Literal['single', 'multiple', 'number', 'short', 'long', 'scale']"


class PersonQuestionShapeRequest(TypedDict):
    name: str
    kind: PersonQuestionShapeKindEnum
    label: str
    help: NotRequired[str]
    required: NotRequired[bool]
    options: NotRequired[list[str]]
    minimum: NotRequired[int]
    maximum: NotRequired[int]
    low_label: NotRequired[str]
    high_label: NotRequired[str]
    admitted: NotRequired[list[str]]
    admitted_minimum: NotRequired[int]
    admitted_maximum: NotRequired[int]
    groups: NotRequired[list[str]]


class PersonShapeRequest(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str]
    group: NotRequired[str]


class PhraseReviewShape(TypedDict):
    """All reviewers' verdicts on a sample."""

    phrases: int
    reviewers: list[ReviewerShape]
    shares: list[VerdictShareShape]
    kappa: float | None


class PhraseShape(TypedDict):
    """A phrase pair, without other reviewers' verdicts."""

    id: str
    question: str
    source: SentenceShape
    target: SentenceShape
    verdict: VerdictEnum | BlankEnum


class PilotShape(TypedDict):
    assignments: int
    done: int
    complete: bool


class PlanCheckShape(TypedDict):
    """The main figure of the answers at one time, and the prediction of the plan for the same answers."""

    at: str
    judgements: int
    measured: IntervalShape
    predicted: IntervalShape | None
    position: PositionEnum | None
    reason: str


class PlanComparison(TypedDict):
    comparison: PlanRealityShape | None


class PlanDraftRequest(TypedDict):
    """The parameters of a plan. The study determines the values of missing parameters, where possible."""

    design: NotRequired[dict[str, Any]]
    answers: NotRequired[list[int]]
    assumptions: NotRequired[dict[str, Any]]
    pilot: NotRequired[str | None]
    currency: NotRequired[str]
    items: NotRequired[int]
    annotators: NotRequired[int]
    price: NotRequired[float]
    per_hit: NotRequired[int]
    fee: NotRequired[float]
    gold: NotRequired[float]
    seconds: NotRequired[float]
    hours_per_day: NotRequired[float]
    caught: NotRequired[float]
    studies: NotRequired[int]
    seed: NotRequired[int]
    budget: NotRequired[float | None]
    target: NotRequired[float | None]
    days: NotRequired[float | None]


class PlanRealityShape(TypedDict):
    """The study's plan, compared with the study so far."""

    plan: int
    figure: str
    checks: list[PlanCheckShape]
    at_end: IntervalShape | None
    judgements: AmountsShape
    cost: AmountsShape
    days: AmountsShape


class PlanShape(TypedDict):
    """A stored plan. The figures have the form that `accord plan --json` prints."""

    number: int
    parameters: dict[str, Any]
    chosen: ChosenDesignShape | None
    created_at: str
    versions: NotRequired[dict[str, str]]
    result: dict[str, Any]


class PlanSummaryShape(TypedDict):
    """A stored plan without its figures. `chosen` is the study's chosen design, or null for other plans."""

    number: int
    parameters: dict[str, Any]
    chosen: ChosenDesignShape | None
    created_at: str


PositionEnum: TypeAlias = "Literal['below', 'inside', 'above']"


class PreregistrationDraftRequest(TypedDict):
    texts: dict[str, str]


class PreregistrationShape(TypedDict):
    version: int
    at: str
    sha256: str
    document: dict[str, Any]


class ProgramDraftRequest(TypedDict):
    platform: ProgramPlatformEnum
    name: str


ProgramPlatformEnum: TypeAlias = "Literal['simulated', 'system']"


class ProgramRow(TypedDict):
    pseudonym: str
    platform: ProgramPlatformEnum
    name: str
    joined_at: str
    submitted_hits: int


class ProgramShape(TypedDict):
    pseudonym: str
    platform: ProgramPlatformEnum
    name: str
    token: str
    token_expires_at: str


class ProgressShape(TypedDict):
    """A study's progress and pace."""

    judgements: int
    judgements_planned: int
    assignments: int
    assignments_done: int
    assignments_available: int
    open_hits: int
    gold_answers: int
    gold_right: int
    annotators: dict[str, int]
    simulated_annotators: int
    annotators_at_work: int
    judgements_last_day: int
    judgements_by_hour: list[int]
    finish: FinishShape | None
    forecast_at: str | None
    pilot: PilotShape | None
    main_figure: MainFigureShape | None
    target: TargetShape | None


class ProlificLinkShape(TypedDict):
    prolific_id: str


class ProlificLinkShapeRequest(TypedDict):
    prolific_id: str


class ProlificShape(TypedDict):
    """The Prolific settings to change. Settings that are missing from the request keep their values."""

    url: str | None
    hits_per_submission: NotRequired[int | None]
    submissions_per_participant: NotRequired[int]
    codes: NotRequired[dict[str, str]]
    failed_gold: NotRequired[FailedGoldEnum]
    screenout_reward: NotRequired[str | None]
    needs_computer: NotRequired[bool]
    secured: NotRequired[bool]


class PromotedShape(TypedDict):
    promoted: int


class PromotionRequestRequest(TypedDict):
    authors: NotRequired[int]


QuestionKindEnum: TypeAlias = "Literal['regular', 'gold', 'practice', 'candidate', 'retired', 'program', 'tried']"


class QuestionShape(TypedDict):
    ref: str
    kind: NotRequired[QuestionKindEnum]
    payload: Payload
    gold: Value | None
    explanation: NotRequired[str]


QuestionnairePurposeEnum: TypeAlias = "Literal['screening', 'survey']"


class QuestionnaireShape(TypedDict):
    purpose: QuestionnairePurposeEnum
    version: int
    revision: int
    introduction: NotRequired[str]
    ending: NotRequired[str]
    stores_answers: NotRequired[bool]
    timing: NotRequired[TimingEnum]
    questions: list[PersonQuestionShape]
    counts: ScreeningCountsShape
    results: list[SurveyTableShape]


class ReasonShapeRequest(TypedDict):
    reason: str


class ReceiptShape(TypedDict):
    assignment: str
    state: AssignmentStateEnum
    credited: bool
    reward: str
    currency: str
    stopped: bool
    feedback: list[FeedbackShape]


RecruitmentEnum: TypeAlias = "Literal['links', 'prolific', 'panel']"


RejectionCategoryEnum: TypeAlias = "Literal['TOO_QUICKLY', 'TOO_SLOWLY', 'FAILED_INSTRUCTIONS', 'INCOMP_LONGITUDINAL', 'FAILED_CHECK', 'LOW_EFFORT', 'MALINGERING', 'NO_CODE', 'BAD_CODE', 'NO_DATA', 'UNSUPP_DEVICE', 'OTHER']"


class RejectionDraftRequest(TypedDict):
    category: RejectionCategoryEnum
    participant_message: str


class ReleaseDraftRequest(TypedDict):
    version: NotRequired[str]
    licence: NotRequired[str]
    creators: NotRequired[str]
    citation: NotRequired[str]
    url: NotRequired[str]
    gold: NotRequired[GoldEnum]
    statement: NotRequired[dict[str, str]]


class ReleaseOriginShape(TypedDict):
    title: str
    version: str
    sha256: str


class ReleaseShape(TypedDict):
    version: str
    report: int
    sha256: str
    released_at: str
    user: str | None


RemarkShapeKindEnum: TypeAlias = "Literal['comment', 'problem']"


class RemarkShapeRequest(TypedDict):
    kind: NotRequired[RemarkShapeKindEnum]
    text: str


class RemovedQuestions(TypedDict):
    removed: int


class RemovedShape(TypedDict):
    removed: int


class RepeatComparisonRequestRequest(TypedDict):
    other: NotRequired[str]
    file: NotRequired[bytes]
    is_original: NotRequired[bool]


class RepeatComparisonShape(TypedDict):
    number: int
    created_at: str
    conclusion: str
    result: dict[str, Any]


class RepeatDifferenceShape(TypedDict):
    part: str
    text: str
    original: str | None
    repeat: str | None


class RepeatDraftRequest(TypedDict):
    file: bytes
    key: NotRequired[str]
    title: NotRequired[str]
    changes: NotRequired[dict[str, Any]]


class RepeatShape(TypedDict):
    release: ReleaseOriginShape
    differences: list[RepeatDifferenceShape]


class RepeatedStudyShape(TypedDict):
    release: ReleaseOriginShape
    differences: list[RepeatDifferenceShape]
    study: StudyShape


class ReplyShapeRequest(TypedDict):
    text: str


class ReportDocumentShape(TypedDict):
    name: str
    title: str
    questions: int
    answered: int
    open: list[OpenQuestionShape]
    markdown: str


class ReportFileShape(TypedDict):
    filename: str
    content_type: str
    description: str
    note: str


class ReportRequestRequest(TypedDict):
    kind: NotRequired[str]


class ReportRow(TypedDict):
    kind: str
    number: int
    created_at: str
    parameters: NotRequired[dict[str, Any]]
    seed: int
    versions: NotRequired[dict[str, str]]
    input_sha256: NotRequired[str]


class ReportShape(TypedDict):
    kind: str
    number: int
    created_at: str
    parameters: NotRequired[dict[str, Any]]
    seed: int
    versions: NotRequired[dict[str, str]]
    input_sha256: NotRequired[str]
    result: dict[str, Any]
    by_group: dict[str, Any] | None


class RequestedPlan(TypedDict):
    plan: PlanShape | None
    job: JobShape | None


class ReservationShapeRequest(TypedDict):
    hits: NotRequired[list[int]]
    questions: NotRequired[list[str]]


class ReservedShape(TypedDict):
    hits: int


class RestoredShape(TypedDict):
    counted: int
    surplus: int
    resumable: int


class ResultFileDraftRequest(TypedDict):
    """A file in a request: its text in JSON, or the file itself in a multipart form."""

    filename: NotRequired[str]
    content: NotRequired[str]
    file: NotRequired[bytes]
    encoding: NotRequired[EncodingEnum | None]
    batch: NotRequired[str]


class ResultImportShape(TypedDict):
    id: str
    filename: str
    batch: NotRequired[str]
    size: int
    sha256: str
    state: ResultImportShapeStateEnum
    preview: ResultPreviewShape | None
    counts: BatchResultsShape | None
    job: JobShape | None
    created_at: str
    imported_at: NotRequired[str | None]
    undone_at: NotRequired[str | None]


ResultImportShapeStateEnum: TypeAlias = "Literal['waiting', 'imported', 'undone', 'discarded']"


class ResultPreviewShape(TypedDict):
    counts: BatchResultsShape
    has_statuses: bool
    changes: list[ChangeShape]
    unreadable: list[str]


class ReturnShapeRequest(TypedDict):
    put_aside: NotRequired[bool]


class ReviewerShape(TypedDict):
    name: str
    verdicts: int


class RevisionShape(TypedDict):
    revision: int


RoleEnum: TypeAlias = "Literal['owner', 'manager', 'reviewer', 'viewer']"


class RoundDraftRequest(TypedDict):
    """The size of the next round."""

    questions: int


class RoundPlanShape(TypedDict):
    """The next round, whose questions have been chosen but not yet added."""

    report: int
    number: int
    questions: int
    hits: int
    assignments: int
    cost: str
    reason: str
    outdated: bool
    judgements: int
    created_at: str


class RoundShape(TypedDict):
    """An adaptive round that was added to the study."""

    number: int
    report: int
    questions: int
    first_hit: int
    last_hit: int
    judgements: int
    created_at: str


class RoundsShape(TypedDict):
    rounds: list[RoundShape]
    next: RoundPlanShape | None


class RuleFiguresShape(TypedDict):
    rule: RuleShape
    hits: int
    questions_per_hit: int
    gold_per_hit: int
    gold_questions: int
    gold_answers: int
    simulated_annotators: int
    annotators: list[KindShape]
    curve: list[CurvePointShape]
    false_stops: float
    survivors: float
    choices: list[MinimumShape]
    advice: str
    estimated_from: int


class RuleShape(TypedDict):
    threshold: float
    minimum: int
    window: int


RuleUnitEnum: TypeAlias = "Literal['gold', 'hits']"


class SampleDraftRequest(TypedDict):
    count: NotRequired[int]
    links: NotRequired[LinksEnum]
    subcorpus: NotRequired[str]


class SampleShape(TypedDict):
    number: int


class SampleSummaryShape(TypedDict):
    number: int
    phrases: int
    links: LinksEnum
    subcorpus: str


class SavedShape(TypedDict):
    saved: int


ScopeEnum: TypeAlias = "Literal['all', 'disputed', 'chosen']"


class ScoreShape(TypedDict):
    """A system's score. Some task types add further properties."""

    part: NotRequired[PartShape]
    measures: list[MeasureShape]
    baselines: list[BaselineShape]
    notes: list[str]
    tables: list[ScoreTableShape]


class ScoreTableShape(TypedDict):
    title: str
    columns: list[str]
    rows: list[list[Any]]


class ScreeningCountsShape(TypedDict):
    admitted: int
    joined: int
    screened_out: int


class SecretShape(TypedDict):
    secret: str


class SentShapeRequest(TypedDict):
    value: NotRequired[Answer]
    skipped: NotRequired[str]
    seconds: NotRequired[float | None]
    activity: NotRequired[dict[str, Any] | None]
    position: int


class SentenceShape(TypedDict):
    before: str
    phrase: str
    after: str


class SequentialShape(TypedDict):
    """The result of Wald's sequential test for one kind of annotator."""

    stopped: float
    accepted: float
    undecided: float
    gold_answers: float


class SettingsImportRequestRequest(TypedDict):
    from_study: str
    steps: list[StepsEnum]


class SettingsImportShape(TypedDict):
    changed: list[str]
    locked: list[str]


class ShareRequestRequest(TypedDict):
    days: NotRequired[int]
    with_items: NotRequired[bool]


class ShareShape(TypedDict):
    id: str
    created_at: str
    expires_at: str
    with_items: NotRequired[bool]


class ShownQuestion(TypedDict):
    position: int
    content: Question
    draft: Any
    revision: int
    value: Answer | None
    skipped: str
    final: bool
    feedback: FeedbackShape | None


class ShownStudy(TypedDict):
    title: str
    task_type: Literal["bws", "chunks", "layout", "paraphrase", "words"]
    module: str
    language: str
    direction: str
    skips: bool
    pass_mark: float
    activity: str | None
    break_minutes: int | None


class SignShape(TypedDict):
    title: str
    detail: str
    p: NotRequired[float | None]


class SimulationDraftRequest(TypedDict):
    annotators: NotRequired[int]
    careless: NotRequired[float]
    seed: NotRequired[int]
    hits: NotRequired[int | None]


SourceEnum: TypeAlias = "Literal['web', 'mturk', 'prolific', 'api']"


class SpendShape(TypedDict):
    currency: str
    credited: str
    bonuses: str
    open_hits: str
    committed: str
    budget_cap: str | None
    left: str | None
    paid: str
    median_seconds: float | None
    actual_hourly_wage: str | None
    planned_hourly_wage: str | None
    minimum_hourly_wage: str | None


class SplitShape(TypedDict):
    train: NotRequired[int]
    dev: NotRequired[int]
    test: NotRequired[int]
    seed: NotRequired[int]
    stratify: NotRequired[str]
    test_only: NotRequired[bool]


class SplitShapeRequest(TypedDict):
    train: NotRequired[int]
    dev: NotRequired[int]
    test: NotRequired[int]
    seed: NotRequired[int]
    stratify: NotRequired[str]
    test_only: NotRequired[bool]


StandingEnum: TypeAlias = "Literal['practising', 'active', 'stopped', 'done', 'withdrawn']"


class StateShapeRequest(TypedDict):
    state: StateShapeStateEnum


StateShapeStateEnum: TypeAlias = "Literal['open', 'paused', 'closed', 'archived']"


StatusEnum: TypeAlias = "Literal['RESERVED', 'ACTIVE', 'AWAITING REVIEW', 'APPROVED', 'PARTIALLY APPROVED', 'REJECTED', 'RETURNED', 'TIMED-OUT', 'SCREENED OUT', 'PROCESSING']"


StepsEnum: TypeAlias = "Literal['task', 'texts', 'people', 'pay', 'quality', 'pilot']"


class StudyDraftRequest(TypedDict):
    """The settings to change. Settings that are missing from the request keep their values."""

    task_type: Literal["bws", "chunks", "layout", "paraphrase", "words"]
    annotators: NotRequired[list[str]]
    title: str
    options: NotRequired[Options]
    consent: NotRequired[str]
    consent_pays_stopped: NotRequired[bool | None]
    consent_names_activity: NotRequired[bool]
    activity_summaries: NotRequired[bool]
    admission: NotRequired[AdmissionEnum]
    admitted_studies: NotRequired[list[str]]
    annotator_limit: NotRequired[int | None]
    break_minutes: NotRequired[int | None]
    budget_cap: NotRequired[str | None]
    claiming_ends_at: NotRequired[str | None]
    completion_code: NotRequired[str]
    contact: NotRequired[str]
    currency: NotRequired[str]
    direction: NotRequired[DirectionEnum]
    eligibility: NotRequired[str]
    examples: NotRequired[str]
    excluded_studies: NotRequired[list[str]]
    full_consent: NotRequired[bool]
    gold_block: NotRequired[int]
    gold_exhausted: NotRequired[GoldExhaustedEnum]
    gold_skips_allowed: NotRequired[int]
    hits_per_annotator: NotRequired[int | None]
    identity_parameter: NotRequired[IdentityParameterEnum]
    identity_signed: NotRequired[bool]
    instructions: NotRequired[str]
    joining_ends_at: NotRequired[str | None]
    judgements: NotRequired[int]
    language: NotRequired[str]
    lease_minutes: NotRequired[int]
    minimum_hourly_wage: NotRequired[str | None]
    network_check: NotRequired[bool]
    order: NotRequired[OrderEnum]
    pay_stopped: NotRequired[bool]
    payment_terms: NotRequired[str]
    pilot_counts: NotRequired[bool]
    pilot_hits: NotRequired[int]
    piloting: NotRequired[bool]
    planned_hourly_wage: NotRequired[str | None]
    practice: NotRequired[bool]
    privacy_notice: NotRequired[str]
    protocol_number: NotRequired[str]
    put_aside_allowed: NotRequired[int]
    qualification_mark: NotRequired[str | None]
    qualification_pay: NotRequired[str]
    qualification_tries: NotRequired[int]
    questions_per_hit: NotRequired[int]
    recruitment: NotRequired[RecruitmentEnum]
    repeat_after_hits: NotRequired[int]
    repeat_after_hours: NotRequired[int]
    repeat_share: NotRequired[str]
    retention_days: NotRequired[int]
    return_url: NotRequired[str]
    reward: NotRequired[str]
    rule_measure: NotRequired[str]
    rule_minimum: NotRequired[int]
    rule_threshold: NotRequired[str]
    rule_unit: NotRequired[RuleUnitEnum]
    seed: NotRequired[int]
    skips_allowed: NotRequired[bool]
    target_figure: NotRequired[str]
    target_minimum: NotRequired[int]
    target_pauses: NotRequired[bool]
    target_value: NotRequired[str | None]
    time_zone: NotRequired[str]
    waiting_list: NotRequired[bool]


class StudyPayShape(TypedDict):
    study: str
    title: str
    state: StudyStateEnum
    currency: str
    earned: str
    paid: str
    owed: str
    annotators_owed: int


class StudyShape(TypedDict):
    id: str
    title: str
    task_type: Literal["bws", "chunks", "layout", "paraphrase", "words"]
    state: StudyStateEnum
    created_at: str
    opened_at: str | None
    join_token: str | None
    options: Options
    consent: str
    consent_pays_stopped: bool | None
    consent_names_activity: bool
    guidelines_version: int
    activity_summaries: bool
    admission: AdmissionEnum
    admitted_studies: list[str]
    annotator_limit: int | None
    break_minutes: int | None
    budget_cap: str | None
    claiming_ends_at: str | None
    completion_code: str
    contact: str
    currency: str
    direction: DirectionEnum
    eligibility: str
    examples: str
    excluded_studies: list[str]
    full_consent: bool
    gold_block: int
    gold_exhausted: GoldExhaustedEnum
    gold_skips_allowed: int
    hits_per_annotator: int | None
    identity_parameter: IdentityParameterEnum
    identity_signed: bool
    instructions: str
    joining_ends_at: str | None
    judgements: int
    language: str
    lease_minutes: int
    minimum_hourly_wage: str | None
    network_check: bool
    order: OrderEnum
    pay_stopped: bool
    payment_terms: str
    pilot_counts: bool
    pilot_hits: int
    piloting: bool
    planned_hourly_wage: str | None
    practice: bool
    privacy_notice: str
    protocol_number: str
    put_aside_allowed: int
    qualification_mark: str | None
    qualification_pay: str
    qualification_tries: int
    questions_per_hit: int
    recruitment: RecruitmentEnum
    repeat_after_hits: int
    repeat_after_hours: int
    repeat_share: str
    retention_days: int
    return_url: str
    reward: str
    rule_measure: str
    rule_minimum: int
    rule_threshold: str
    rule_unit: RuleUnitEnum
    seed: int
    skips_allowed: bool
    target_figure: str
    target_minimum: int
    target_pauses: bool
    target_value: str | None
    time_zone: str
    waiting_list: bool


StudyStateEnum: TypeAlias = "Literal['draft', 'open', 'paused', 'closed', 'archived']"


class SubmissionShape(TypedDict):
    submission_id: str
    participant_id: str
    status: StatusEnum | BlankEnum
    code: str
    started_at: NotRequired[str | None]
    completed_at: NotRequired[str | None]
    seconds: NotRequired[int | None]
    match: MatchEnum
    annotator: NotRequired[str | None]
    standing: NotRequired[StandingEnum | None]
    outcome: OutcomeEnum | BlankEnum
    hits: int
    hit_seconds: float
    gold_right: int
    gold_given: int
    bonus_due: str
    next_step: NextStepEnum
    instruction: str
    rejection_category: NotRequired[RejectionCategoryEnum | BlankEnum]


class SubmissionShapeRequest(TypedDict):
    answers: NotRequired[list[SentShapeRequest]]
    next: NotRequired[bool]
    left: NotRequired[bool]
    feedback_first: NotRequired[bool]


class SubmittedShape(TypedDict):
    receipt: ReceiptShape
    next: ClaimedShape | None
    left: int | None
    gold: GoldCountsShape | None


class SurveyCountShape(TypedDict):
    answer: str
    people: int | None


class SurveyTableShape(TypedDict):
    name: str
    people: int
    counts: list[SurveyCountShape]


class SystemDraftRequest(TypedDict):
    """A file in a request: its text in JSON, or the file itself in a multipart form."""

    filename: NotRequired[str]
    content: NotRequired[str]
    file: NotRequired[bytes]
    encoding: NotRequired[EncodingEnum | None]
    system: str
    description: NotRequired[str]
    options: NotRequired[dict[str, Any]]


class SystemRow(TypedDict):
    number: int
    system: str
    description: NotRequired[str]
    filename: str
    size: int
    sha256: str
    options: dict[str, Any]
    public: NotRequired[bool]
    created_at: str
    scored_at: NotRequired[str | None]
    annotations: NotRequired[str]
    measures: list[MeasureShape]


class SystemShape(TypedDict):
    number: int
    system: str
    description: NotRequired[str]
    filename: str
    size: int
    sha256: str
    options: dict[str, Any]
    public: NotRequired[bool]
    created_at: str
    scored_at: NotRequired[str | None]
    annotations: NotRequired[str]
    measures: list[MeasureShape]
    score: ScoreShape | None
    job: JobShape | None


class TargetShape(TypedDict):
    """The target of a study, and the predicted number of judgements until the study reaches it."""

    figure: str
    value: float
    reached: bool
    attained: NotRequired[float | None]
    low: NotRequired[float | None]
    high: NotRequired[float | None]
    judgements_needed: NotRequired[int | None]
    judgements_needed_low: NotRequired[int | None]
    judgements_needed_high: NotRequired[int | None]
    judgements_missing: int | None
    at_end: float | None
    paused_at: str | None


class TeamMessageDraftRequest(TypedDict):
    text: str
    annotator: NotRequired[str]


class TeamMessageShape(TypedDict):
    id: str
    annotator: NotRequired[str | None]
    text: str
    sent_by: str
    sent_at: str


TimingEnum: TypeAlias = "Literal['before', 'after']"


class TodoMailShape(TypedDict):
    wanted: bool


class TodoMailShapeRequest(TypedDict):
    wanted: bool


class TodoShape(TypedDict):
    """An entry in the to-do list."""

    key: str
    level: LevelEnum
    title: str
    detail: str
    links: list[LinkShape]


class TryOutShape(TypedDict):
    token: str
    token_expires_at: str


class UnopenedShape(TypedDict):
    unopened: int
    opened: int
    finished: int


class UploadDraftRequest(TypedDict):
    """A file in a request: its text in JSON, or the file itself in a multipart form."""

    filename: NotRequired[str]
    content: NotRequired[str]
    file: NotRequired[bytes]
    encoding: NotRequired[EncodingEnum | None]
    purpose: UploadPurposeEnum


UploadPurposeEnum: TypeAlias = "Literal['items', 'gold', 'practice']"


class UploadRow(TypedDict):
    id: str
    purpose: UploadPurposeEnum
    filename: str
    size: int
    sha256: str
    rows: int
    created_at: str
    imported_at: str | None


class UploadShape(TypedDict):
    id: str
    purpose: UploadPurposeEnum
    filename: str
    rows: int
    importable: bool
    layout: LayoutShape | None
    first_row: FirstRowEnum | BlankEnum
    known: KnownShape | None
    faults: list[FaultShape]
    warnings: list[FaultShape]


class UsePlanDraftRequest(TypedDict):
    """A design of a plan."""

    per_question: int
    design: dict[str, Any]
    change_study: NotRequired[bool]


VerdictEnum: TypeAlias = "Literal['correct', 'incorrect', 'uncertain']"


class VerdictShareShape(TypedDict):
    verdict: VerdictEnum
    count: int
    share: float
    low: float
    high: float


class VerdictsDraftRequest(TypedDict):
    verdicts: dict[str, Literal["correct", "incorrect", "uncertain"]]


class VersionShape(TypedDict):
    version: int


class VersionShapeRequest(TypedDict):
    version: int


class WaitingShape(TypedDict):
    id: str
    position: int
    email: str
    created_at: str
    may_join: bool
    offer_ends_at: str | None


class WebhookDraftRequest(TypedDict):
    url: str
    events: list[EventsEnum]


class WebhookShape(TypedDict):
    id: str
    url: str
    events: list[EventsEnum]
    active: NotRequired[bool]
    created_at: str


WhyEnum: TypeAlias = "Literal['nothing', 'finished', 'limit', 'paused', 'closed', 'over', 'stopped', 'withdrawn', 'excluded', 'practice', 'consent']"


class WrongAnswerShape(TypedDict):
    words: str
    annotators: int


Content_bws: TypeAlias = "dict[str, Any]"


class Content_chunks(TypedDict):
    source: list[str]
    target: list[str]
    chunks: NotRequired[dict[str, Any] | None]
    links: NotRequired[list[dict[str, Any]] | None]
    left: NotRequired[list[dict[str, Any]] | None]


Content_layout: TypeAlias = "dict[str, str]"


class Content_paraphrase(TypedDict):
    sentence: str
    start: int
    phrase: str
    paraphrases: list[str]


class Content_words(TypedDict):
    source: list[str]
    target: list[str]
    prealignment: NotRequired[dict[str, Any]]
    _texts: NotRequired[list[str]]


Content: TypeAlias = "Content_bws | Content_chunks | Content_layout | Content_paraphrase | Content_words"


class Payload_bws(TypedDict):
    items: list[str]


class Payload_chunks(TypedDict):
    item: str
    source: list[str]
    target: list[str]
    chunks: NotRequired[dict[str, Any] | None]
    links: NotRequired[list[dict[str, Any]] | None]
    left: NotRequired[list[dict[str, Any]] | None]


Payload_layout: TypeAlias = "dict[str, Any]"


Payload_paraphrase: TypeAlias = "dict[str, Any]"


class Payload_words(TypedDict):
    item: str
    source: list[str]
    target: list[str]
    prealignment: NotRequired[dict[str, Any] | None]
    withheld: NotRequired[dict[str, Any]]
    round: NotRequired[int]
    starts: NotRequired[dict[str, dict[str, Any] | None]]


Payload: TypeAlias = "Payload_bws | Payload_chunks | Payload_layout | Payload_paraphrase | Payload_words"


class Question_bws(TypedDict):
    items: list[dict[str, Any]]
    ask: dict[str, Any]


class Question_chunks(TypedDict):
    source: list[str]
    target: list[str]
    many: bool
    f1: float
    offers: str
    chunks: dict[str, Any] | None
    links: list[dict[str, Any]] | None
    left: list[dict[str, Any]] | None
    languages: NotRequired[list[str]]


class Question_layout(TypedDict):
    frame: str
    html: str
    hosts: list[str]
    scripts: bool
    fields: list[dict[str, Any]]
    heading: str


class Question_paraphrase(TypedDict):
    before: str
    phrase: str
    after: str
    candidates: list[str]


class Question_words(TypedDict):
    source: list[str]
    target: list[str]
    prealignment: dict[str, Any] | None
    f1: float
    ignore_identical: bool
    offers: bool
    languages: NotRequired[list[str]]


Question: TypeAlias = "Question_bws | Question_chunks | Question_layout | Question_paraphrase | Question_words"


class Answer_bws(TypedDict):
    best: int
    worst: int


class Answer_chunks(TypedDict):
    chunks: dict[str, Any]
    links: list[dict[str, Any]]
    left: NotRequired[list[dict[str, Any]]]
    log: NotRequired[list[list[Any]]]


class Answer_layout(TypedDict):
    fields: dict[str, Any]


class Answer_paraphrase(TypedDict):
    votes: list[bool]


class Answer_words(TypedDict):
    sure: NotRequired[list[list[int]]]
    possible: NotRequired[list[list[int]]]
    log: NotRequired[list[list[Any]]]


Answer: TypeAlias = "Answer_bws | Answer_chunks | Answer_layout | Answer_paraphrase | Answer_words"


class Value_bws(TypedDict):
    best: str
    worst: str


class Value_chunks(TypedDict):
    chunks: dict[str, Any]
    links: list[dict[str, Any]]
    left: list[dict[str, Any]]
    log: NotRequired[list[list[Any]]]


class Value_layout(TypedDict):
    fields: dict[str, Any]


class Value_paraphrase(TypedDict):
    votes: list[bool]


class Value_words(TypedDict):
    sure: list[list[int]]
    possible: list[list[int]]
    log: NotRequired[list[list[Any]]]


Value: TypeAlias = "Value_bws | Value_chunks | Value_layout | Value_paraphrase | Value_words"


class Options_bws(TypedDict):
    size: NotRequired[int]
    factor: NotRequired[float]
    most: NotRequired[str]
    least: NotRequired[str]
    noun: NotRequired[str]
    target: NotRequired[float]


class Options_chunks(TypedDict):
    first_language: NotRequired[str]
    second_language: NotRequired[str]
    many: NotRequired[bool]
    begin: NotRequired[Literal["words", "chunks", "links"]]
    guidelines: NotRequired[Literal["refuse", "warn"]]
    dataset: NotRequired[str]
    offers: NotRequired[bool]
    f1: NotRequired[float]
    people_share: NotRequired[int]


class Options_layout(TypedDict):
    layout: NotRequired[str]
    scripts: NotRequired[bool]
    hosts: NotRequired[str]
    heading: NotRequired[str]
    people_share: NotRequired[int]


class Options_paraphrase(TypedDict):
    ties: NotRequired[Literal["undecided", "negative", "one more", "adjudicate"]]
    good_sentences: NotRequired[int]
    people_share: NotRequired[int]


class Options_words(TypedDict):
    first_language: NotRequired[str]
    second_language: NotRequired[str]
    tokenise: NotRequired[bool]
    longest: NotRequired[int]
    ratio: NotRequired[float]
    equivalent: NotRequired[str]
    subcorpus: NotRequired[str]
    sample: NotRequired[int]
    double: NotRequired[int]
    prealign: NotRequired[Literal["built-in", "given", "none"]]
    learn: NotRequired[bool]
    blank: NotRequired[float]
    offers: NotRequired[bool]
    doubtful: NotRequired[bool]
    f1: NotRequired[float]
    ignore_identical: NotRequired[bool]
    third_below: NotRequired[float]
    people_share: NotRequired[int]


Options: TypeAlias = "Options_bws | Options_chunks | Options_layout | Options_paraphrase | Options_words"
