"""Examples for the OpenAPI schema. The examples are derived from the schema, so they always match it.

If the examples of the task types differ, an operation has one example for each task type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Schema = dict[str, Any]
ID, TIME, URL = "Vd3cOsg1Q6qk1n1o2yqZ0g", "2026-11-22T14:05:31.482000Z", "https://accord.example.org/api/v1/"
SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
# This mapping contains examples by property name. All other examples are derived from the types of the properties.
BY_NAME: dict[str, Any] = {
    "activity": "/static/js/annotate/signs.js",
    "actual": "18.20",
    "amount": "2.50",
    "annotations": SHA256,
    "advice": "With 1 gold question per HIT, the smallest minimum that meets your targets is 10 gold answers.",
    "after": "at dusk",
    "annotator": "quiet-heron",
    "answer": "Yes",
    "assignment": ID,
    "batch": "second server",
    "before": "the ferry",
    "citation": "Lovelace (2026). Relatedness of sentence pairs.",
    "code": "7KQ2-M9XC-4TRB",
    "column": "sentence1",
    "completion_code": "C1A2B3D4",
    "conclusion": "3 of 4 orders of the original hold in the repeat.",
    "consent": "I agree to take part in this study.",
    "contact": "Ada Lovelace, ada@example.org",
    "content": "id,text\nitem-1,A dog sleeps.\n",
    "content_type": "text/csv; charset=utf-8",
    "creators": "Ada Lovelace; Mara Lindqvist",
    "currency": "USD",
    "description": "A baseline without training data.",
    "detail": "9 of 12 answers are at the first position.",
    "direction": "auto",
    "dispute_note": "Both answers are possible.",
    "eligibility": "I am 18 or older.",
    "email": "ada@example.org",
    "ending": "Thank you for your answers.",
    "error": "",
    "examples": "A dog and a puppy are closely related.",
    "excluded": "",
    "expected": "best: A dog sleeps. worst: A car is red.",
    "explanation": "A puppy is a young dog.",
    "explanation_warning": "",
    "figure": "reliability",
    "filename": "items.csv",
    "from_study": ID,
    "group": "Class 7b",
    "heading": "Systems for relatedness",
    "id": ID,
    "imported": "Submitted",
    "in_file": "Approved",
    "input_sha256": SHA256,
    "instruction": "All HITs are submitted.",
    "instructions": "Choose the most and the least related pair.",
    "introduction": "Please answer a few questions about yourself.",
    "job": "",
    "join_token": "tY5nHeR4TLYC5TaX72IHmA",
    "key": "gold-doubtful-1",
    "kind": "results",
    "language": "en",
    "link": "https://accord.example.org/invitation/Q1w2E3r4T5",
    "mail_fault": "",
    "mail_state": "sent",
    "markdown": "# Datasheet\n",
    "message": "The study is not open.",
    "module": "/static/bws/dist/bws.js",
    "name": "baseline 1.0",
    "next_attempt_at": TIME,
    "note": "Reviewed together with Mara.",
    "notes": "2 items without answers are excluded.",
    "number": "3.1",
    "open": "Who paid for the study?",
    "original": "3",
    "other": ID,
    "own": "best: A dog sleeps. worst: A car is red.",
    "own_explanation": "A puppy is a young dog.",
    "participant_id": "5f8a1c2b9d3e4f6071829304",
    "participant_message": "Your submission contains no answers to the questions of the study. Please contact us if "
    "you think that this is a mistake.",
    "part": "judgements",
    "path": f"/console/{ID}/gold/",
    "payment_terms": "You are paid by bank transfer within one week.",
    "people": "ada@example.org",
    "phrase": "left",
    "pilot": ID,
    "platform_id": "5f8a1c2b9d3e4f6071829304",
    "privacy_notice": "We store your answers under a pseudonym.",
    "prolific_id": "671b8ae84509b9a624b95e13",
    "protocol_number": "IRB-2026-0042",
    "program": "quiet-heron",
    "pseudonym": "quiet-heron",
    "repeat_share": "0.05",
    "repeat": "5",
    "return_url": "https://panel.example.org/done?code={code}",
    "question": "tuple-01",
    "reason": "The answers were given too fast.",
    "reason_not_counted": "",
    "recorded_by": "ada@example.org",
    "ref": "tuple-01",
    "reference": "Transfer 2026-11-22",
    "replied_by": "ada@example.org",
    "reply": "Thank you, we have changed the expected answer.",
    "reward": "0.5000",
    "rule_measure": "accuracy",
    "schema": "/api/schemas/bws/scores.csv.json",
    "secret": "whsec_4jKq0b2gWm7yXc1nVd8sRt5u",
    "sent_by": "ada@example.org",
    "sha256": SHA256,
    "sheet": "Sheet1",
    "skipped": "",
    "source": "people.csv",
    "standing_reason": "",
    "state": "unanswered",
    "study": ID,
    "subcorpus": "news",
    "submission_id": "671b8e95b17f88050648883e",
    "survivor": "half-careless",
    "system": "word overlap",
    "target_figure": "",
    "target_value": "0.85",
    "text": "Thank you for your careful work.",
    "time_zone": "Europe/Berlin",
    "title": "Relatedness of sentence pairs",
    "token": "eyJwIjoiVmQzY09zZyJ9:1uXyZ2:5m0fQ",
    "unreadable": "Assignment 3A1: line 4: a question is answered twice",
    "url": "https://example.org/accord",
    "user": "ada@example.org",
    "verb": "stopped an annotator",
    "verdict": "correct",
    "version": "1.0",
    "who": "authors",
    "words": "best: A dog sleeps. worst: A car is red.",
}
# This mapping contains examples of lists and objects by property name.
COMPOSITE: dict[str, Any] = {
    "admitted_studies": [],
    "answers": {"rationale": "The sentences come from news reports of 2026."},
    "codes": {"completed": "C1A2B3D4"},
    "changed": ["judgements", "reward"],
    "columns": ["source", "items", "value"],
    "excluded_studies": [],
    "files": [ID],
    "fields": {"title": ["This field may not be blank."]},
    "figures": {"ranking": "<svg xmlns='http://www.w3.org/2000/svg'/>"},
    "locked": ["options"],
    "measures": [
        {"name": "Spearman’s ρ", "value": 0.71, "low": 0.64, "high": 0.77, "note": "", "lower": False},
    ],
    "metadata": {"source": "news"},
    "names": ["Mara Lindqvist"],
    "restorable": ["quiet-heron"],
    "restore": ["quiet-heron"],
    "restored": ["quiet-heron"],
    "verdicts": {"4711": "correct"},
    "statement": {"rationale": "The sentences come from news reports of 2026."},
    "stopped": ["calm-otter"],
    "tallies": {"right": 9},
    "texts": {
        "description": "Are sentences that share words more related?",
        "hypotheses": "Sentences that share words are rated as more related.",
    },
    "versions": {"accord": "0.1.0"},
}
# The fields of a question depend on its kind, so an example with a value for each field would not be valid.
PERSON_QUESTION: Schema = {
    "name": "english",
    "kind": "single",
    "label": "Do you speak English fluently?",
    "help": "Choose one answer.",
    "required": True,
    "options": ["Yes", "No"],
    "admitted": ["Yes"],
}
BY_COMPONENT = {"PersonQuestionShape": PERSON_QUESTION, "PersonQuestionShapeRequest": PERSON_QUESTION}
BY_FORMAT = {
    "date-time": TIME,
    "date": "2026-11-22",
    "uri": URL,
    "email": "ada@example.org",
    "decimal": "0.50",
    "uuid": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
}
# This mapping contains the code, message and invalid fields of a typical error, by status.
ERRORS: dict[str, tuple[str, str, dict[str, list[str]]]] = {
    "400": ("invalid", "title: This field may not be blank.", {"title": ["This field may not be blank."]}),
    "401": ("authentication_failed", "This token is unknown. Create a new token in the console.", {}),
    "403": ("permission_denied", "This token is read-only. Create a token that can also change studies.", {}),
    "404": ("not_found", "Not found.", {}),
    "406": ("not_acceptable", "Could not satisfy the request Accept header.", {}),
    "409": ("state", "This action is not possible while the study is closed: pause.", {}),
    "413": ("too-large", "The request is larger than the limit of 1 MB.", {}),
    "415": ("unsupported_media_type", "Unsupported media type “text/plain” in request.", {}),
    "422": ("key-reused", "This Idempotency-Key has already been used for a different request. Use a new key.", {}),
    "429": ("throttled", "Request was throttled. Expected available in 12 seconds.", {}),
    "503": (
        "unavailable",
        "The database is currently unavailable. The request may not have been stored. Try again.",
        {},
    ),
}


def add_examples(schema: Schema, task_types: Sequence[str]) -> None:
    """Add examples to the JSON request and response bodies of all operations."""
    for name, value in BY_COMPONENT.items():
        schema["components"]["schemas"][name]["example"] = value
    for methods in schema["paths"].values():
        for operation in methods.values():
            bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
            for status, body in bodies.items():
                media_type = body.get("content", {}).get("application/json")
                if media_type is None:
                    continue
                if status in ERRORS:
                    media_type["example"] = dict(zip(("code", "message", "fields"), ERRORS[status], strict=True))
                else:
                    media_type.update(_examples(schema, media_type["schema"], task_types))


def _examples(schema: Schema, part: Schema, task_types: Sequence[str]) -> Schema:
    values = {task_type: example(schema, part, task_type) for task_type in task_types}
    first, *others = values.values()
    if all(value == first for value in others):
        return {"example": first}
    return {"examples": {task_type: {"value": value} for task_type, value in values.items()}}


def example(schema: Schema, part: Schema, task_type: str, name: str = "") -> Any:
    """Return an example that matches this part of the schema. `name` is the name of the property."""
    part = resolved(schema, part)
    if "x-task-types" in part:
        chosen = part["x-task-types"].index(task_type) if task_type in part["x-task-types"] else 0
        return example(schema, part["anyOf"][chosen], task_type)
    if "example" in part:
        return part["example"]
    if "enum" in part:
        return task_type if name == "task_type" and task_type in part["enum"] else part["enum"][0]
    for choice in ("anyOf", "oneOf"):
        if choice in part:
            return example(schema, part[choice][0], task_type, name)
    kind = part.get("type")
    if name in COMPOSITE and kind == ("array" if isinstance(COMPOSITE[name], list) else "object"):
        return COMPOSITE[name]
    if kind == "object" or "properties" in part:
        return _object(schema, part, task_type)
    if kind == "array":
        return [example(schema, part["items"], task_type, name.removesuffix("s"))] * max(1, part.get("minItems", 1))
    return _scalar(part, kind, name)


def _object(schema: Schema, part: Schema, task_type: str) -> Schema:
    properties = part.get("properties", {})
    if not properties and not part.get("additionalProperties"):
        return {}
    if not properties and isinstance(part.get("additionalProperties"), dict):
        return {"title": example(schema, part["additionalProperties"], task_type, "text")}
    return {
        name: example(schema, field, task_type, name)
        for name, field in properties.items()
        # Only a multipart form can contain a file, and only a file has an encoding.
        if field.get("format") != "binary" and not (name == "encoding" and "content" in properties)
    }


def _scalar(part: Schema, kind: str | None, name: str) -> Any:
    default = part.get("default")
    if kind == "boolean":
        return True if default is None else default
    if kind in ("integer", "number"):
        one = min(max(1, part.get("minimum", 1)), part.get("maximum", float("inf")))
        return one if default is None else default
    if kind == "string":
        known = (BY_NAME.get(name), BY_FORMAT.get(part.get("format", "")), default)
        return next((value for value in known if value is not None), "text")
    return {}  # any JSON


def resolved(schema: Schema, part: Schema) -> Schema:
    """Follow references. Entries next to a reference override the entries in its target."""
    while True:
        if "$ref" in part:
            part = schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[1]]
        elif len(part.get("allOf", ())) == 1:
            target = resolved(schema, part["allOf"][0])
            part = {**target, **{name: value for name, value in part.items() if name != "allOf"}}
        else:
            return part
