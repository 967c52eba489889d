"""What was submitted cannot be taken up again; traces, times and places of final answers, and reports, stay."""

from django.db import migrations, models

from annotate.models import triggers


class Migration(migrations.Migration):
    dependencies = [("annotate", "0002_triggers")]

    # SQLite changes a table by making it anew, which loses its triggers and fails where another table's name it.
    operations = [
        migrations.RunPython(lambda apps, editor: triggers.drop(editor.connection), migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="assignment", name="assignment_submitted"),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["leased", "lapsed"]), ("submitted_at__isnull", True)),
                    models.Q(("state__in", ["done", "surplus"]), ("submitted_at__isnull", False)),
                    ("state", "void"),
                    _connector="OR",
                ),
                name="assignment_submitted",
            ),
        ),
        migrations.RunPython(
            lambda apps, editor: triggers.create(editor.connection),
            lambda apps, editor: triggers.drop(editor.connection),
        ),
    ]
