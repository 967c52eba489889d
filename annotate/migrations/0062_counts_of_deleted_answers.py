"""Create the count triggers again, because the trigger for deleted answers now runs only for graded answers."""

from django.db import migrations

from annotate.models import count_triggers


def create_triggers(apps, schema_editor):
    count_triggers.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0061_columns_of_reports")]

    operations = [migrations.RunPython(create_triggers, migrations.RunPython.noop)]
