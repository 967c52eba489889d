"""Columns for annotators that belong to one study, and for how a study recruits; the next migration fills them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0006_privacy")]

    operations = [
        migrations.RemoveConstraint(model_name="annotator", name="annotator_once"),
        migrations.RemoveConstraint(model_name="participation", name="participation_once"),
        migrations.AddField(
            model_name="annotator",
            name="study",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="annotators",
                to="annotate.study",
            ),
        ),
        migrations.AddField(
            model_name="annotator",
            name="verified",
            field=models.BooleanField(default=False, help_text="Whether the platform or a sign-in has confirmed the ID."),
        ),
        migrations.AlterField(
            model_name="annotator",
            name="external_id",
            field=models.CharField(blank=True, help_text="The platform's ID for the person.", max_length=200),
        ),
        migrations.AddField(
            model_name="study",
            name="recruitment",
            field=models.CharField(
                choices=[("links", "your own links"), ("prolific", "Prolific")],
                default="links",
                help_text="With Prolific, the join page reads the participant ID from the link and requires it.",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="excluded_studies",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="IDs of studies that have the same owner. "
                "People who took part in one of them cannot join this study.",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="admitted_studies",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="IDs of studies that have the same owner. "
                "Only people who took part in one of them can join this study.",
            ),
        ),
    ]
