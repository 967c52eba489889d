"""Random public IDs for participations, and an expiry for the resume codes that exist already."""

from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone

from annotate.models.ids import public_id

DAYS = 30  # for codes that were created before codes expired
AT_ONCE = 2_000


def fill(apps, editor):
    participations = apps.get_model("annotate", "Participation").objects
    participations.filter(resume_hash__isnull=False).update(resume_until=timezone.now() + timedelta(days=DAYS))
    while batch := list(participations.filter(public_id=None).only("pk")[:AT_ONCE]):
        for participation in batch:
            participation.public_id = public_id()
        participations.bulk_update(batch, ["public_id"], batch_size=500)
    if editor.connection.vendor == "postgresql":
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks outstanding cannot be altered


class Migration(migrations.Migration):
    dependencies = [("annotate", "0004_slot_without_index_on_study")]

    operations = [
        migrations.AddField(
            model_name="participation",
            name="resume_until",
            field=models.DateTimeField(blank=True, help_text="When the resume code expires.", null=True),
        ),
        migrations.AddField(
            model_name="participation",
            name="public_id",
            field=models.CharField(editable=False, max_length=22, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="participation",
            name="public_id",
            field=models.CharField(default=public_id, editable=False, max_length=22, unique=True),
        ),
    ]
