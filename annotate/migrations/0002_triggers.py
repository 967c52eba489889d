"""What the database itself refuses; see annotate/models/triggers.py."""

from django.db import migrations

from annotate.models import triggers


class Migration(migrations.Migration):
    dependencies = [("annotate", "0001_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: triggers.create(editor.connection),
            lambda apps, editor: triggers.drop(editor.connection),
        )
    ]
