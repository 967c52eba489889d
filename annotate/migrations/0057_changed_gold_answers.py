"""Changes to graded answers, which annotators see as for any other question, and the number of skipped questions in each
submitted HIT.
"""

from django.db import migrations, models
from django.db.models import Count, F

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


def count_skips(apps, editor):
    skipped = apps.get_model("annotate", "Answer").objects.filter(skipped_at__isnull=False).order_by()
    submitted = skipped.filter(assignment__submitted_at__isnull=False)
    assignments = apps.get_model("annotate", "Assignment").objects
    for assignment, number in submitted.values_list("assignment").annotate(Count("pk")).iterator():
        assignments.filter(pk=assignment).update(skipped=number)
    # Skipped gold questions now count from the submission of their HIT on.
    waiting = skipped.filter(assignment__submitted_at=None, question__kind="gold", tally=None)
    participations = apps.get_model("annotate", "Participation").objects
    for participation, number in waiting.values_list("participation").annotate(Count("pk")).iterator():
        participations.filter(pk=participation, gold_skips__gte=number).update(gold_skips=F("gold_skips") - number)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0056_credit_after_a_stop'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='answer',
            name='later',
            field=models.JSONField(blank=True, default=list, help_text="The annotator's changes to an answer that had already been graded, oldest first. Changes do not affect the grade, but the annotator sees the latest change, as for any other question."),
        ),
        migrations.AddField(
            model_name='assignment',
            name='skipped',
            field=models.PositiveSmallIntegerField(default=0, help_text='The number of skipped questions in a submitted HIT, as the annotator left them.'),
        ),
        migrations.RunPython(count_skips, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(('later', []), ('tally__isnull', False), _connector='OR'), name='answer_changed_later_only_if_graded'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
