"""Settings for Django REST framework and the OpenAPI schema."""

from .environment import env

PROLIFIC_API = env.url("ACCORD_PROLIFIC_API", "https://api.prolific.com/api/v1")
PROLIFIC_TOKEN = env.secret("ACCORD_PROLIFIC_TOKEN")
PROLIFIC_STUDIES = env.entries("ACCORD_PROLIFIC_STUDIES")
PROLIFIC_HOOK_SECRET = env.secret("ACCORD_PROLIFIC_HOOK_SECRET")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotate.web.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "annotate.web.api.authentication.WithinScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "annotate.web.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {
        "annotate": env.rate("ACCORD_THROTTLE_ANNOTATE", "1200/min"),
        "research": env.rate("ACCORD_THROTTLE_RESEARCH", "600/min"),
    },
    "EXCEPTION_HANDLER": "annotate.web.api.errors.handle",
    "COERCE_DECIMAL_TO_STRING": True,
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%S.%fZ",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Accord API",
    "DESCRIPTION": "The API for annotation and for all console actions.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "AnnotatorPlatformEnum": "annotate.models.Annotator.Platform",
        "AssignmentKindEnum": "annotate.models.Assignment.Kind",
        "AssignmentStateEnum": "annotate.models.Assignment.State",
        "QuestionKindEnum": "annotate.models.Question.Kind",
        "JobStateEnum": "annotate.models.Job.State",
        "StudyStateEnum": "annotate.models.Study.State",
        "RejectionCategoryEnum": "accord_core.exchange.prolific.RejectionCategory",
        "UploadPurposeEnum": "annotate.models.Upload.Purpose",
        "QuestionnairePurposeEnum": "annotate.models.Questionnaire.Purpose",
    },
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "annotate.api.openapi.complete"],
}
