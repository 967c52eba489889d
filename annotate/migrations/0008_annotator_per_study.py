"""One annotator per study: a person in several studies becomes one annotator in each, with the same platform ID.

An annotator without a participation left nothing behind and is removed. IDs that Accord made up itself, for invited
annotators, for try-outs and in place of erased IDs, identify nobody and become empty.
"""

from django.db import migrations
from django.db.models import F, OuterRef, Subquery

AT_ONCE = 1_000


def split(apps, editor):
    Annotator = apps.get_model("annotate", "Annotator")
    Participation = apps.get_model("annotate", "Participation")
    Study = apps.get_model("annotate", "Study")

    own = Participation.objects.filter(annotator=OuterRef("pk")).order_by("pk").values("study_id")
    Annotator.objects.filter(participations=None).delete()
    Annotator.objects.update(study_id=Subquery(own[:1]))
    Annotator.objects.filter(platform__in=["web", "try"]).update(external_id="")
    Annotator.objects.filter(external_id__startswith="erased-").update(external_id="")
    Annotator.objects.filter(platform__in=["account", "mturk"]).exclude(external_id="").update(verified=True)

    elsewhere = Participation.objects.exclude(study_id=F("annotator__study_id")).select_related("annotator")
    while batch := list(elsewhere.order_by("pk")[:AT_ONCE]):
        copies = [_copy(Annotator, participation) for participation in batch]
        times = [participation.annotator.created_at for participation in batch]
        Annotator.objects.bulk_create(copies)
        for participation, copy, created_at in zip(batch, copies, times, strict=True):
            participation.annotator, copy.created_at = copy, created_at  # bulk_create wrote the present time
        Annotator.objects.bulk_update(copies, ["created_at"], batch_size=500)
        Participation.objects.bulk_update(batch, ["annotator"], batch_size=500)

    Study.objects.filter(annotators__platform="prolific", admission="anonymous").update(recruitment="prolific")


def _copy(Annotator, participation):
    person = participation.annotator
    return Annotator(
        study_id=participation.study_id,
        platform=person.platform,
        external_id=person.external_id,
        verified=person.verified,
        contact=person.contact,
    )


class Migration(migrations.Migration):
    dependencies = [("annotate", "0007_annotator_study_column")]

    operations = [migrations.RunPython(split, migrations.RunPython.noop)]
