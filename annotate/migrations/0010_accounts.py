"""Public ids of researchers, and the scope and expiry of API tokens."""

from datetime import timedelta

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

import annotate.models.ids


def fill(apps, schema_editor):
    """Tokens from before keep their full scope for one more year."""
    for name in ("User", "ApiToken"):
        for row in apps.get_model("annotate", name).objects.filter(public_id=None):
            row.public_id = annotate.models.ids.public_id()
            row.save(update_fields=["public_id"])
    apps.get_model("annotate", "ApiToken").objects.update(expires_at=timezone.now() + timedelta(days=365))


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0009_annotator_once_per_study"),
    ]

    operations = [
        migrations.AddField("user", "public_id", models.CharField(editable=False, max_length=22, null=True)),
        migrations.AddField("apitoken", "public_id", models.CharField(editable=False, max_length=22, null=True)),
        migrations.AddField("apitoken", "expires_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "apitoken",
            "scope",
            models.CharField(choices=[("read", "Read"), ("write", "Write")], default="write", max_length=5),
            preserve_default=False,
        ),
        migrations.AddField(
            "apitoken",
            "study",
            models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotate.study"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            "user",
            "public_id",
            models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True),
        ),
        migrations.AlterField(
            "apitoken",
            "public_id",
            models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True),
        ),
        migrations.AlterField("apitoken", "expires_at", models.DateTimeField()),
    ]
