"""Activity summaries, the consent that names them, and integrity indicators."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0023_excluded_answers'),
    ]

    operations = [
        migrations.AddField(
            model_name='consent',
            name='names_activity',
            field=models.BooleanField(default=False, help_text="Whether the text states that a summary of the annotator's activity is collected with each answer."),
        ),
        migrations.AddField(
            model_name='study',
            name='activity_summaries',
            field=models.BooleanField(default=False, help_text="Collect a summary of the annotator's activity with each answer. The consent text must mention these summaries."),
        ),
        migrations.CreateModel(
            name='IntegrityFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answers', models.PositiveIntegerField(help_text='Number of answers from which the indicators were calculated.')),
                ('figures', models.JSONField()),
                ('calculated_at', models.DateTimeField()),
                ('participation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='integrity', to='annotate.participation')),
            ],
            options={
                'verbose_name_plural': 'integrity figures',
            },
        ),
        migrations.CreateModel(
            name='ActivitySummary',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('untrusted_events', models.PositiveIntegerField(help_text='Number of input events that a script created instead of the browser.')),
                ('webdriver', models.BooleanField(help_text='Whether the browser states that a program controls it.')),
                ('focus_losses', models.PositiveIntegerField(help_text='How often the page lost focus to another window or tab.')),
                ('unfocused_seconds', models.FloatField(help_text='Seconds during which another window or tab had the focus.')),
                ('pastes', models.PositiveIntegerField()),
                ('pasted_length', models.CharField(blank=True, choices=[('', 'no paste'), ('short', 'up to 20 characters'), ('medium', '21 to 200 characters'), ('long', 'more than 200 characters')], help_text='Length class of the longest pasted text.', max_length=6)),
                ('keys', models.PositiveIntegerField(help_text='Number of pressed keys.')),
                ('key_interval_median', models.FloatField(null=True)),
                ('key_interval_iqr', models.FloatField(null=True)),
                ('presses', models.PositiveIntegerField(help_text='Number of presses with a mouse, pen or finger.')),
                ('press_interval_median', models.FloatField(null=True)),
                ('press_interval_iqr', models.FloatField(null=True)),
                ('pointer_paths', models.PositiveIntegerField(help_text='Number of pointer movements between two presses or pauses.')),
                ('straightness', models.FloatField(help_text='Median ratio of the direct distance between the ends of a pointer path to its length.', null=True)),
                ('answer', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='activity', to='annotate.answer')),
            ],
            options={
                'verbose_name_plural': 'activity summaries',
                'constraints': [models.CheckConstraint(condition=models.Q(('straightness__isnull', True), models.Q(('straightness__gte', 0), ('straightness__lte', 1)), _connector='OR'), name='activity_straightness'), models.CheckConstraint(condition=models.Q(models.Q(('pasted_length', ''), ('pastes', 0)), models.Q(('pastes__gt', 0), models.Q(('pasted_length', ''), _negated=True)), _connector='OR'), name='activity_pasted_length'), models.CheckConstraint(condition=models.Q(('unfocused_seconds__gte', 0)), name='activity_unfocused_seconds')],
            },
        ),
    ]
