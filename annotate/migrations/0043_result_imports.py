"""Imports of results files that can be undone, and IDs of assignments that are unique within a batch of a study."""

import annotate.models.ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates the table of assignments


def create_triggers(apps, editor):
    triggers.create(editor.connection)


def record_earlier_imports(apps, editor):
    """Record the host's IDs of assignments that older versions imported."""
    assignments = apps.get_model("annotate", "Assignment").objects.filter(source="mturk").exclude(external_id="")
    hosted = apps.get_model("annotate", "HostedAssignment")
    rows = assignments.values_list("pk", "study_id", "external_id", "hit_id").iterator()
    hosted.objects.bulk_create(
        (
            hosted(assignment_id=pk, study_id=study, external_id=external_id, hit_id=hit)
            for pk, study, external_id, hit in rows
        ),
        batch_size=2_000,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0042_prolific_reports'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.CreateModel(
            name='HostedAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hosted', to='annotate.assignment')),
                ('batch', models.CharField(blank=True, max_length=100)),
                ('external_id', models.CharField(help_text="The host's ID for the assignment.", max_length=200)),
                ('status', models.CharField(blank=True, help_text='Submitted, Approved, or empty if unknown.', max_length=20)),
                ('digest', models.CharField(blank=True, help_text='SHA-256 of the answers, or empty for imports by older versions of Accord.', max_length=64)),
                ('cells', models.JSONField(default=dict, help_text='Other columns of the results file that are written back to a results file.')),
            ],
        ),
        migrations.CreateModel(
            name='ResultImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('batch', models.CharField(blank=True, help_text='Name of the batch. Two batches of one study can contain the same assignment IDs.', max_length=100)),
                ('filename', models.CharField(max_length=255)),
                ('size', models.BigIntegerField(help_text='Size in bytes before compression.')),
                ('sha256', models.CharField(max_length=64)),
                ('content', models.BinaryField(help_text='Contents of the file, compressed with zlib, until the file is imported or discarded.', null=True)),
                ('preview', models.JSONField(help_text='The effects of the import, as shown before the import.', null=True)),
                ('counts', models.JSONField(default=dict, help_text='The numbers that the import reported.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('imported_at', models.DateTimeField(blank=True, null=True)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_external_once',
        ),
        migrations.AddField(
            model_name='hostedassignment',
            name='hit',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotate.hit'),
        ),
        migrations.AddField(
            model_name='hostedassignment',
            name='study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='resultimport',
            name='created_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='resultimport',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='result_imports', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='hostedassignment',
            name='result_import',
            field=models.ForeignKey(help_text='The import that created the assignment, or empty for imports by older versions of Accord.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hosted', to='annotate.resultimport'),
        ),
        migrations.AddConstraint(
            model_name='hostedassignment',
            constraint=models.UniqueConstraint(fields=('study', 'batch', 'external_id'), name='hosted_assignment_once'),
        ),
        migrations.RunPython(record_earlier_imports, migrations.RunPython.noop),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
