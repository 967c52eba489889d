"""Stored agreement about each question, decisions to accept all answers, and blind adjudication."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0027_team_messages'),
    ]

    operations = [
        migrations.CreateModel(
            name='FiguresState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('judgements', models.BigIntegerField(help_text='Number of judgements at the last calculation.')),
                ('gold_answers', models.BigIntegerField(help_text='Number of graded answers at the last calculation.')),
                ('event', models.BigIntegerField(help_text='Latest entry of the history that can change which answers count.')),
                ('calculated_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='QuestionFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('judgements', models.PositiveIntegerField()),
                ('agreement', models.FloatField(help_text='Mean similarity over all pairs of answers, or empty with fewer than two answers.', null=True)),
                ('seconds', models.FloatField(help_text='Median time that annotators spent on the question, in seconds.', null=True)),
            ],
            options={
                'verbose_name_plural': 'question figures',
            },
        ),
        migrations.AddField(
            model_name='decision',
            name='keep_both',
            field=models.BooleanField(default=False, help_text='Whether all answers are acceptable. A decision that accepts all answers has no answer of its own.'),
        ),
        migrations.AddField(
            model_name='study',
            name='blind_adjudication',
            field=models.BooleanField(default=False, help_text='Hide the pseudonyms of annotators on the pages on which reviewers decide questions.'),
        ),
        migrations.AlterField(
            model_name='decision',
            name='value',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('keep_both', True), ('value__isnull', True)), models.Q(('keep_both', False), ('value__isnull', False)), _connector='OR'), name='decision_has_one_outcome'),
        ),
        migrations.AddField(
            model_name='figuresstate',
            name='study',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures_state', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='questionfigures',
            name='question',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='annotate.question'),
        ),
        migrations.AddField(
            model_name='questionfigures',
            name='study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='question_figures', to='annotate.study'),
        ),
        migrations.AddIndex(
            model_name='questionfigures',
            index=models.Index(fields=['study', 'agreement', 'question'], name='figures_by_agreement'),
        ),
        migrations.AddIndex(
            model_name='questionfigures',
            index=models.Index(fields=['study', 'seconds', 'question'], name='figures_by_seconds'),
        ),
    ]
