"""Compare systems with reports by the hash of their columns instead of the hash of a compressed file."""

from django.db import migrations, models


def hash_columns(apps, schema_editor):
    alias = schema_editor.connection.alias
    reports = apps.get_model("annotate", "Report").objects.using(alias).filter(kind="results")
    for submission in apps.get_model("evaluation", "Submission").objects.using(alias).exclude(annotations=""):
        report = reports.filter(study=submission.study_id, input_sha256=submission.annotations).first()
        if report is not None:
            submission.annotations = report.columns_sha256
            submission.save(update_fields=["annotations"])


class Migration(migrations.Migration):
    dependencies = [("annotate", "0061_columns_of_reports"), ("evaluation", "0002_split_settings")]

    operations = [
        migrations.AlterField(
            model_name="submission",
            name="annotations",
            field=models.CharField(
                blank=True,
                help_text="The SHA-256 hash of the annotations that were used to score the system. The hash equals the "
                "hash of the columns of a report on the same annotations.",
                max_length=64,
            ),
        ),
        migrations.RunPython(hash_columns, migrations.RunPython.noop),
    ]
