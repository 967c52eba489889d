"""JSON columns with the type `json`, which stores JSON as it was written.

Django's own type, `jsonb`, sorts the keys of objects by their length. The columns of a table would then have another
order on PostgreSQL than on SQLite, and a report moved from one to the other would no longer match its input.

`json` has no equality, so that `distinct()` and `GROUP BY` do not work on these columns. Lookups compare as `jsonb`.
"""

from __future__ import annotations

import json
from typing import Any

from django.db.backends.postgresql import operations


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, with JSON as text whose type PostgreSQL takes from the context."""

    def adapt_json_value(self, value: Any, encoder: type[json.JSONEncoder] | None) -> str:
        return json.dumps(value, ensure_ascii=False, cls=encoder)

    def lookup_cast(self, lookup_type: str, internal_type: str | None = None) -> str:
        if internal_type == "JSONField" and lookup_type == "exact":
            return "%s::jsonb"
        return str(super().lookup_cast(lookup_type, internal_type))
