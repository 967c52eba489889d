"""Versions of expected answers, and grades that only a new version can change."""

from django.db import migrations, models

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates some of the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0035_account_security'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='question',
            name='gold_version',
            field=models.PositiveIntegerField(default=1, help_text='Version of the expected answer and its explanation. The audit log has earlier versions.'),
        ),
        migrations.AddField(
            model_name='answer',
            name='graded_version',
            field=models.PositiveIntegerField(default=1, help_text='Version of the expected answer with which the answer is graded.'),
        ),
        migrations.AddField(
            model_name='answer',
            name='feedback_version',
            field=models.PositiveIntegerField(default=1, help_text='Version of the expected answer with which the answer was first graded, and which the annotator saw.'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
