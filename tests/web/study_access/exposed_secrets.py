"""The secrets of a study, and those that a page shows."""

import re
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models
from django.urls import URLResolver, get_resolver

from annotate.core.services.credentials import INVITATION_LINKS, PERSONAL_LINKS, WAITING_LINKS, group_code
from annotate.models import Study
from annotate.server.encryption import decrypt
from tests.nested_objects import Objects
from tests.rooms import rows

SECRET_FIELD = re.compile(r"(^|_)(token|secret|codes?|key|hash)(_|$)")
# Fields whose names match, but whose values are not secrets: names of rows and of columns, and digests of files.
NOT_SECRET = {"annotate.Item.key", "annotate.ReportedSubmission.code", *rows("NOT_SECRET")}


def shown(text: str, secrets: dict[str, str | re.Pattern[str]]) -> list[str]:
    return [
        name for name, it in secrets.items() if (it in text if isinstance(it, str) else it.search(text) is not None)
    ]


def all_secrets(objects: Objects) -> dict[str, str | re.Pattern[str]]:
    """Return the stored secrets, the secrets that are calculated from IDs, and patterns of the links that contain any
    secret.
    """
    stored = stored_secrets(objects.study)
    assert {"annotate.Study.join_token", *(f"{label} decrypted" for label in rows("ENCRYPTED"))} <= stored.keys()
    return {**stored, **drawn_secrets(objects), **{link.pattern: link for link in secret_links()}}


def stored_secrets(study: Study) -> dict[str, str]:
    """Return the values of every column of the study's tables whose name says that it contains a secret."""
    found = {}
    for model in apps.get_models():
        owners = [each.name for each in model._meta.concrete_fields if each.related_model is Study]
        rows = [study] if model is Study else model._default_manager.filter(**{owners[0]: study}) if owners else []
        fields = [each.name for each in model._meta.concrete_fields if _may_be_secret(each)]
        for row in rows if fields else []:
            for name in fields:
                label = f"{model._meta.label}.{name}"
                found |= {f"{label}{at}": value for at, value in _texts(label, getattr(row, name))}
    return found


def _may_be_secret(field: Any) -> bool:
    is_text = isinstance(field, models.CharField | models.TextField | models.JSONField)
    label = f"{field.model._meta.label}.{field.name}"
    return is_text and SECRET_FIELD.search(field.name) is not None and label not in NOT_SECRET


def _texts(label: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield from ((f"[{name}]", str(part)) for name, part in value.items() if part)
    elif value:
        yield "", value
        if label in rows("ENCRYPTED"):
            yield " decrypted", decrypt(value)


def drawn_secrets(objects: Objects) -> dict[str, str]:
    """Return the secrets that are calculated from IDs."""
    ids, token = objects.ids, lambda path: path.strip("/").split("/")[1]
    return {
        "personal link": token(PERSONAL_LINKS.path(ids["named"])),
        "waiting link": token(WAITING_LINKS.path(ids["person"])),
        "group code": group_code(ids["group"]),
        "invitation": token(INVITATION_LINKS.path(ids["invitation"])),
    }


def secret_links(patterns: Any = None, prefix: str = "/") -> Iterator[re.Pattern[str]]:
    """Yield a pattern for every URL of the site that contains a token or code, and therefore opens a page without
    signing in.
    """
    for each in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from secret_links(each.url_patterns, route)
        elif {"token", "code"} & each.pattern.converters.keys() and "study" not in each.pattern.converters:
            yield re.compile(re.sub(r"<\w+:\w+>", "[A-Za-z0-9_:=.-]{8,}", route).rstrip("/"))
