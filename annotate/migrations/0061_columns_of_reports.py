"""Hash the columns of reports, because the hash of a compressed file depends on the versions of zlib and NumPy."""

import hashlib
import io

import numpy as np
from django.db import migrations, models

from annotate.models import triggers


def hash_stored_columns(apps, schema_editor):
    connection, report = schema_editor.connection, apps.get_model("annotate", "Report")
    triggers.drop(connection)
    reports = report.objects.using(connection.alias).filter(input__isnull=False)
    for pk in list(reports.values_list("pk", flat=True)):
        stored = reports.filter(pk=pk).values_list("input", flat=True).get()
        reports.filter(pk=pk).update(columns_sha256=_hash(bytes(stored)))
    triggers.create(connection)


def _hash(data):
    sha256 = hashlib.sha256()
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        for name in sorted(archive.files):
            column = archive[name]
            sha256.update(f"{name} {column.dtype.str} {column.shape}\n".encode())
            sha256.update(column.tobytes())
    return sha256.hexdigest()


class Migration(migrations.Migration):
    dependencies = [("annotate", "0060_questions_of_files")]

    operations = [
        migrations.AddField(
            model_name="report",
            name="columns_sha256",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The SHA-256 hash of the columns without compression. Two reports on the same answers have "
                "the same hash, even if different versions of NumPy or zlib wrote their files.",
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(hash_stored_columns, migrations.RunPython.noop),
    ]
