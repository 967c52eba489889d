"""Counts that triggers keep, sizes of designs and uploads, and what lists need of a report; all filled from the data."""

from decimal import Decimal

import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.comparison
from django.db import migrations, models
from django.db.models import Count

from annotate.models import count_triggers, triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite makes some of the tables anew


def create_back(apps, editor):
    triggers.create(editor.connection)


def fill(apps, editor):
    model = apps.get_model
    slots = model("annotate", "Slot").objects.values("study").annotate(number=Count("pk"))
    wanted = (
        model("annotate", "Slot").objects.values("study").annotate(number=Count("hit__hit_questions"))
    )
    for column, rows in (("assignments_wanted", slots), ("judgements_wanted", wanted)):
        for row in rows.order_by():
            model("annotate", "Study").objects.filter(pk=row["study"]).update(**{column: row["number"]})
    held_out = model("annotate", "Item").objects.filter(held_out=True, upload__isnull=False).values("upload")
    for row in held_out.annotate(number=Count("pk")).order_by():
        model("annotate", "Upload").objects.filter(pk=row["upload"]).update(held_out=row["number"])


def create_triggers(apps, editor):
    triggers.create(editor.connection)
    count_triggers.count_anew(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0012_job_interruptions'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_back),
        migrations.CreateModel(
            name='GoldCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given', models.IntegerField(default=0)),
                ('missed', models.IntegerField(default=0)),
                ('disputed', models.IntegerField(default=0)),
                ('summed', models.BooleanField(default=False, help_text='The row is a sum of others, not a single change.')),
            ],
        ),
        migrations.CreateModel(
            name='HourCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hour', models.DateTimeField(help_text="The hour's beginning, UTC.")),
                ('judgements', models.IntegerField(default=0, help_text='Answers that count, by the time when they were given.')),
                ('hits', models.IntegerField(default=0, help_text='Assignments that are done, by the time of submission.')),
                ('submitted', models.IntegerField(default=0, help_text='Submitted assignments, whether they count or not.')),
                ('credit', models.DecimalField(decimal_places=4, default=Decimal('0'), help_text='Rewards owed.', max_digits=16)),
                ('gold_given', models.IntegerField(default=0, help_text='Graded answers to gold questions.')),
                ('gold_right', models.IntegerField(default=0)),
                ('summed', models.BooleanField(default=False, help_text='The row is a sum of others, not a single change.')),
            ],
        ),
        migrations.RemoveIndex(
            model_name='question',
            name='question_by_kind',
        ),
        migrations.AddField(
            model_name='report',
            name='headline',
            field=models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTransform('headline', 'result'), output_field=models.JSONField(null=True)),
        ),
        migrations.AddField(
            model_name='report',
            name='judgements',
            field=models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('judgements', 'result'), models.IntegerField()), output_field=models.IntegerField(null=True)),
        ),
        migrations.AddField(
            model_name='report',
            name='people',
            field=models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTransform('people', 'result'), output_field=models.JSONField(null=True)),
        ),
        migrations.AddField(
            model_name='study',
            name='assignments_wanted',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='Slots of all HITs.'),
        ),
        migrations.AddField(
            model_name='study',
            name='judgements_wanted',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='Questions in all slots.'),
        ),
        migrations.AddField(
            model_name='upload',
            name='held_out',
            field=models.PositiveIntegerField(default=0, help_text='Items that stay out of the design.'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(fields=['study', 'kind', 'id'], name='question_by_kind'),
        ),
        migrations.AddField(
            model_name='goldcount',
            name='question',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='gold_counts', to='annotate.question'),
        ),
        migrations.AddField(
            model_name='hourcount',
            name='participation',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='hour_counts', to='annotate.participation'),
        ),
        migrations.AddField(
            model_name='hourcount',
            name='study',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hour_counts', to='annotate.study'),
        ),
        migrations.AddIndex(
            model_name='goldcount',
            index=models.Index(condition=models.Q(('summed', False)), fields=['id'], name='gold_count_single'),
        ),
        migrations.AddIndex(
            model_name='hourcount',
            index=models.Index(fields=['study', 'hour'], name='hour_count_by_study'),
        ),
        migrations.AddIndex(
            model_name='hourcount',
            index=models.Index(condition=models.Q(('summed', False)), fields=['id'], name='hour_count_single'),
        ),
        migrations.AlterField(
            model_name='item',
            name='study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotate.study'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('tally__isnull', False)), fields=['participation'], name='answer_graded'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('disputed', True)), fields=['question'], name='answer_disputed'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(fields=['study', 'id', 'upload'], name='item_in_order'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
