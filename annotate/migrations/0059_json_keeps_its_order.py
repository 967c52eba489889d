"""Change all `jsonb` columns on PostgreSQL to `json`, which keeps the order of keys (see annotate/server/postgres/operations.py).

New databases already have columns of the type `json`, and SQLite stores JSON as text.
"""

from django.db import migrations

from annotate.models import triggers

GENERATED = {"annotate_report": ("judgements", "headline", "people")}  # calculated from `result`


def keep_order(apps, schema_editor):
    connection = schema_editor.connection
    if connection.vendor != "postgresql":
        return
    columns = _jsonb_columns(connection)
    triggers.drop(connection)
    report = apps.get_model("annotate", "Report")
    generated = [report._meta.get_field(name) for name in GENERATED["annotate_report"]]
    if "annotate_report" in columns:
        for field in generated:
            schema_editor.remove_field(report, field)
    for table, names in columns.items():
        quoted = [schema_editor.quote_name(name) for name in names if name not in GENERATED.get(table, ())]
        changes = ", ".join(f"ALTER COLUMN {name} TYPE json USING {name}::json" for name in quoted)
        schema_editor.execute(f"ALTER TABLE {schema_editor.quote_name(table)} {changes}")
    if "annotate_report" in columns:
        for field in generated:
            schema_editor.add_field(report, field)
    triggers.create(connection)


def _jsonb_columns(connection):
    """Return the names of the columns by table."""
    own = set(connection.introspection.django_table_names())
    columns = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = current_schema() AND data_type = 'jsonb' ORDER BY table_name, ordinal_position"
        )
        for table, name in cursor.fetchall():
            if table in own:
                columns.setdefault(table, []).append(name)
    return columns


class Migration(migrations.Migration):
    dependencies = [("annotate", "0058_gold_sets")]

    operations = [migrations.RunPython(keep_order, migrations.RunPython.noop)]
