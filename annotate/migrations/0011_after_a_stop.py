"""Answers in an assignment that a stop made void are final once it is submitted, not before: they may still arrive."""

from django.db import migrations, models

from annotate.models import triggers


def renew(apps, editor):
    triggers.drop(editor.connection)
    triggers.create(editor.connection)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0010_accounts")]

    operations = [
        migrations.AlterField(
            model_name="study",
            name="pay_stopped",
            field=models.BooleanField(default=True, help_text="Pay for the HIT that is open at a stop."),
        ),
        migrations.RunPython(renew, migrations.RunPython.noop),
    ]
