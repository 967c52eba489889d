"""From here on the database refuses an annotator without a study, twice in a study, or shared between studies."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0008_annotator_per_study")]

    operations = [
        migrations.AlterField(
            model_name="annotator",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="annotators", to="annotate.study"
            ),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(
                condition=~models.Q(external_id=""),
                fields=["study", "platform", "external_id"],
                name="annotator_study_once",
            ),
        ),
        migrations.AddIndex(
            model_name="annotator",
            index=models.Index(
                condition=~models.Q(external_id=""), fields=["platform", "external_id"], name="annotator_identity"
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(fields=["annotator"], name="participation_annotator_once"),
        ),
    ]
