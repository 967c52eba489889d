"""Store the file of each gold or practice question, so that removing a file removes only its own questions."""

import django.db.models.deletion
from django.db import migrations, models


KINDS = {"gold": ("gold", "retired"), "practice": ("practice",)}


def assign_files(apps, schema_editor):
    """Assign the questions to their files, which were imported one after the other. If the numbers of rows of several
    files do not match, for example after questions were copied, the questions remain without a file.
    """
    uploads = apps.get_model("annotate", "Upload").objects.filter(revealed_at__isnull=False)
    questions = apps.get_model("annotate", "Question").objects.filter(judgements=None)
    for study, purpose in uploads.filter(purpose__in=KINDS).values_list("study", "purpose").distinct():
        files = uploads.filter(study=study, purpose=purpose).order_by("revealed_at", "pk").values_list("pk", "rows")
        ids = list(questions.filter(study=study, kind__in=KINDS[purpose]).order_by("pk").values_list("pk", flat=True))
        if len(files) > 1 and sum(rows for _, rows in files) != len(ids):
            continue
        start = 0
        for file, rows in files:
            end = start + rows if len(files) > 1 else len(ids)
            for chunk in range(start, end, 500):
                questions.filter(pk__in=ids[chunk : min(chunk + 500, end)]).update(upload=file)
            start = end


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0059_json_keeps_its_order'),
    ]

    operations = [
        migrations.AddField(
            model_name='question',
            name='upload',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The file with gold or practice questions from which the question was imported.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='questions', to='annotate.upload'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(condition=models.Q(('upload__isnull', False)), fields=['upload'], name='question_of_file'),
        ),
        migrations.RunPython(assign_files, migrations.RunPython.noop),
    ]
