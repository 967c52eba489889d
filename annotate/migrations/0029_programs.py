"""Programs that join as annotators through the API, and counts of gold answers without these programs."""

from django.db import migrations, models

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates some of the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0028_adjudication'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='annotator',
            name='is_program',
            field=models.BooleanField(default=False, help_text='Whether the annotator is a program that joined through the API. Its answers never count.'),
        ),
        migrations.AlterField(
            model_name='annotator',
            name='platform',
            field=models.CharField(choices=[('web', 'invited'), ('account', 'account'), ('mturk', 'Mechanical Turk'), ('prolific', 'Prolific'), ('simulated', 'simulated'), ('system', 'system'), ('try', 'a researcher trying the study')], max_length=10),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='kind',
            field=models.CharField(choices=[('regular', 'Regular'), ('practice', 'Practice'), ('try', 'try-out by a researcher'), ('program', 'HIT of a program')], default='regular', max_length=8),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
