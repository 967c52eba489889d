"""E-mails about the to-do list, and the stored length of the list."""

from django.db import migrations, models

from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates some of the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0030_webhooks'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            model_name='membership',
            name='mailed_todo',
            field=models.JSONField(blank=True, default=list, editable=False, help_text='Keys of the entries that the latest e-mails contained.'),
        ),
        migrations.AddField(
            model_name='membership',
            name='mails_todo',
            field=models.BooleanField(default=False, help_text='Whether the member receives new to-do list entries by e-mail.'),
        ),
        migrations.AddField(
            model_name='study',
            name='todo_count',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='Number of entries in the to-do list when the list was last read.'),
        ),
        migrations.AddField(
            model_name='user',
            name='todo_mailed_at',
            field=models.DateTimeField(blank=True, editable=False, help_text='The time of the last e-mail with to-do entries.', null=True),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
