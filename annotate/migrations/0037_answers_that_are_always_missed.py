"""Answers to gold questions that count as missed regardless of their value, because the question did not belong to the
HIT of a Mechanical Turk batch.

The audit log lists these questions, so the migration also marks the answers of earlier imports.
"""

import re

from django.db import migrations, models

from annotate.models import triggers

# Earlier versions of the log entry read "Assignment 3AB: added gold-1, gold-2. This counts as missed."
ENTRY = re.compile(r"Assignment (?P<id>.+?): .*?\b(?:answered the additional|added) (?P<refs>.+?)(?:\. |$)")


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # the triggers reject changes to graded answers


def create_triggers(apps, editor):
    triggers.create(editor.connection)


def mark_answers(apps, editor):
    answers = apps.get_model("annotate", "Answer").objects.filter(tally__isnull=False, value__isnull=False)
    for event in apps.get_model("annotate", "Event").objects.filter(verb="changed the gold questions of a HIT"):
        if entry := ENTRY.match(event.reason):
            answers.filter(
                participation=event.participation_id,
                assignment__source="mturk",
                assignment__external_id=entry["id"],
                question__ref__in=entry["refs"].split(", "),
            ).update(always_missed=True)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0036_expected_answer_versions'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='answer',
            name='always_missed',
            field=models.BooleanField(default=False, help_text='Whether the answer counts as missed regardless of its value, because the gold question did not belong to the HIT of the Mechanical Turk batch.'),
        ),
        migrations.RunPython(mark_answers, migrations.RunPython.noop),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
