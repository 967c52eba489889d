"""A mark on the HIT that an annotator had begun at the time of a stop, which is the only HIT that can still be credited."""

from django.db import migrations, models
from django.db.models import Q

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates the table


def create_triggers(apps, editor):
    triggers.create(editor.connection)


def mark_open_hits(apps, editor):
    """Mark the HIT that each stopped annotator claimed last, if the annotator had begun but not submitted this HIT."""
    assignments = apps.get_model("annotate", "Assignment").objects.filter(participation__standing="stopped")
    latest = dict(assignments.filter(kind="regular").order_by("pk").values_list("participation", "pk"))
    begun = Q(answers__given_at__isnull=False) | Q(answers__draft__isnull=False)
    unsubmitted = assignments.filter(begun, kind="regular", state="void", submitted_at=None).distinct()
    marked = [pk for participation, pk in unsubmitted.values_list("participation", "pk") if latest[participation] == pk]
    for start in range(0, len(marked), 500):
        assignments.model.objects.filter(pk__in=marked[start : start + 500]).update(open_at_stop=True)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0055_plans'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='assignment',
            name='open_at_stop',
            field=models.BooleanField(default=False, help_text='Whether the annotator had begun the HIT, but had not submitted it, at the time of the stop. After a stop, this is the only HIT that can still be credited.'),
        ),
        migrations.RunPython(mark_open_hits, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('open_at_stop', True)), fields=('participation',), name='assignment_open_at_stop_once'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
