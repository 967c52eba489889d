"""Limits on files, requests and imports, which the console shows to researchers."""

from .environment import env

LIMIT_UPLOAD_BYTES = env.number("ACCORD_LIMIT_UPLOAD_BYTES", 512 * 1024 * 1024)
LIMIT_PREVIEW_MEMORY = env.number("ACCORD_LIMIT_PREVIEW_MEMORY", 2 * 1024**3)
LIMIT_PREVIEW_SECONDS = env.number("ACCORD_LIMIT_PREVIEW_SECONDS", 600)
LIMIT_ROWS = env.number("ACCORD_LIMIT_ROWS", 2_000_000)
LIMIT_CELL = env.number("ACCORD_LIMIT_CELL", 2_000)
ROWS_AT_ONCE = env.number("ACCORD_ROWS_AT_ONCE", 5_000)  # jobs carry out larger imports and designs
LIMIT_FORM_BYTES = env.number("ACCORD_LIMIT_FORM_BYTES", 2 * 1024 * 1024)
LIMIT_ANSWER_BYTES = env.number("ACCORD_LIMIT_ANSWER_BYTES", 512 * 1024)
LIMIT_SUBMISSION_BYTES = env.number("ACCORD_LIMIT_SUBMISSION_BYTES", 2 * 1024 * 1024)
LIMIT_JSON_UPLOAD_BYTES = env.number("ACCORD_LIMIT_JSON_UPLOAD_BYTES", 16 * 1024 * 1024)
BODY_LIMITS = {  # bytes by kind of endpoint, see annotate/web/body_limits.py
    "small": 16 * 1024,
    "form": LIMIT_FORM_BYTES,
    "answer": LIMIT_ANSWER_BYTES,
    "submission": LIMIT_SUBMISSION_BYTES,
    "json": LIMIT_FORM_BYTES,
    "json_upload": LIMIT_JSON_UPLOAD_BYTES,
    "upload": LIMIT_UPLOAD_BYTES + LIMIT_FORM_BYTES,  # the form around the file
}
DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT_FORM_BYTES  # without the files, which wait on disk
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
