"""Returned HITs, skipped questions, messages, withdrawal, versions of the guidelines, and terms of payment."""

import annotate.models.ids
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates some of the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0019_help_texts'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.CreateModel(
            name='Guidelines',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('instructions', models.TextField(blank=True)),
                ('examples', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'guidelines',
                'ordering': ['study', 'version'],
            },
        ),
        migrations.CreateModel(
            name='Remark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('kind', models.CharField(choices=[('comment', 'Comment'), ('problem', 'Problem'), ('objection', 'Objection')], max_length=9)),
                ('text', models.CharField(max_length=2000)),
                ('sent_at', models.DateTimeField(auto_now_add=True)),
                ('reply', models.CharField(blank=True, max_length=2000)),
                ('replied_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='participation',
            name='participation_standing',
        ),
        migrations.AddField(
            model_name='answer',
            name='guidelines_version',
            field=models.PositiveIntegerField(blank=True, help_text='Version of the guidelines that the annotator had read.', null=True),
        ),
        migrations.AddField(
            model_name='answer',
            name='skipped',
            field=models.CharField(blank=True, help_text="The annotator's reason for skipping the question, or an empty string.", max_length=500),
        ),
        migrations.AddField(
            model_name='answer',
            name='skipped_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='consent',
            name='pays_stopped',
            field=models.BooleanField(blank=True, help_text='Whether the text promises payment for the HIT that is open when an annotator is stopped. An empty value means that the text does not mention this case.', null=True),
        ),
        migrations.AddField(
            model_name='hit',
            name='for_skipped',
            field=models.BooleanField(default=False, help_text='Whether the HIT asks questions again that other annotators have skipped.'),
        ),
        migrations.AddField(
            model_name='participation',
            name='excludes_answers',
            field=models.BooleanField(default=False, help_text='Whether the annotator has withdrawn and excluded the answers from results, exports and releases.'),
        ),
        migrations.AddField(
            model_name='participation',
            name='gold_skips',
            field=models.PositiveIntegerField(default=0, help_text='Number of skipped gold questions.'),
        ),
        migrations.AddField(
            model_name='participation',
            name='guidelines_read',
            field=models.PositiveIntegerField(default=1, help_text='Latest version of the guidelines that the annotator has read.'),
        ),
        migrations.AddField(
            model_name='study',
            name='break_minutes',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Minutes of work after which annotators see a reminder to take a break. Empty means no reminder.', null=True, validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(240)]),
        ),
        migrations.AddField(
            model_name='study',
            name='contact',
            field=models.CharField(blank=True, help_text='Name and email address of a researcher whom annotators can contact.', max_length=254),
        ),
        migrations.AddField(
            model_name='study',
            name='gold_skips_allowed',
            field=models.PositiveSmallIntegerField(default=2, help_text='Number of gold questions that an annotator can skip. Any further skipped gold question counts as missed.'),
        ),
        migrations.AddField(
            model_name='study',
            name='guidelines_version',
            field=models.PositiveIntegerField(default=1, editable=False, help_text='Version of the instructions and worked examples. See Guidelines.'),
        ),
        migrations.AddField(
            model_name='study',
            name='payment_terms',
            field=models.TextField(blank=True, help_text='How, when and by whom annotators are paid. Annotators see this text next to the amount that they are paid.'),
        ),
        migrations.AddField(
            model_name='study',
            name='skips_allowed',
            field=models.BooleanField(default=False, help_text='Annotators can skip a question and give a reason. Another annotator then gets the question.'),
        ),
        migrations.AlterField(
            model_name='participation',
            name='standing',
            field=models.CharField(choices=[('practising', 'Practising'), ('active', 'Active'), ('stopped', 'Stopped'), ('done', 'Done'), ('withdrawn', 'Withdrawn')], default='active', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('skipped', ''), ('skipped_at__isnull', True)), models.Q(models.Q(('skipped', ''), _negated=True), ('skipped_at__isnull', False), ('value__isnull', True)), _connector='OR'), name='answer_skipped_has_time_and_no_value'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.CheckConstraint(condition=models.Q(('standing__in', ['practising', 'active', 'stopped', 'done', 'withdrawn'])), name='participation_standing'),
        ),
        migrations.AddField(
            model_name='guidelines',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='guidelines', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='remark',
            name='answer',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='annotate.answer'),
        ),
        migrations.AddField(
            model_name='remark',
            name='participation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='annotate.participation'),
        ),
        migrations.AddField(
            model_name='remark',
            name='replied_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='remark',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='annotate.study'),
        ),
        migrations.AddConstraint(
            model_name='guidelines',
            constraint=models.UniqueConstraint(fields=('study', 'version'), name='guidelines_version'),
        ),
        migrations.AddIndex(
            model_name='remark',
            index=models.Index(fields=['study', 'kind', '-sent_at'], name='remark_by_kind'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['comment', 'problem', 'objection'])), name='remark_kind'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('kind', 'objection')), models.Q(('kind', 'objection'), _negated=True), _connector='OR'), name='remark_objection_is_about_the_study'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('replied_at__isnull', True), ('reply', '')), models.Q(models.Q(('reply', ''), _negated=True), ('replied_at__isnull', False)), _connector='OR'), name='remark_reply_has_time'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
