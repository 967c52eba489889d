"""Answers that researchers exclude one by one, and counts without these answers."""

from django.db import migrations, models

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates some of the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0022_message_indexes'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='answer',
            name='excluded',
            field=models.CharField(blank=True, help_text="The researcher's reason for excluding the answer, or an empty string. An excluded answer does not count.", max_length=500),
        ),
        migrations.AlterField(
            model_name='hit',
            name='for_skipped',
            field=models.BooleanField(default=False, help_text='Whether the HIT asks questions again, because annotators skipped them or their answers were excluded.'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
