"""The deletion of all rows after a test that commits."""

import functools

from django.db import connection, transaction

UNCHANGED_TABLES = {"django_content_type", "auth_permission"}  # no test changes these rows


def empty_tables() -> None:
    """Delete the rows of all tables. The triggers are off meanwhile, because they reject DELETE."""
    from annotate.models import installed_triggers  # models can be imported only after Django has been set up

    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica; " + _deletions())
            return
        installed_triggers.drop(connection)
        for statement in _deletions().split(";"):
            cursor.execute(statement)
        installed_triggers.create(connection)


@functools.cache
def _deletions() -> str:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return ";".join(f'DELETE FROM "{table}"' for table in tables if table not in UNCHANGED_TABLES)  # noqa: S608
