"""Indexes for the list of annotators' messages and choices."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0021_earlier_accounts'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('disputed', True)), fields=['participation'], name='answer_disputed_by'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('skipped_at__isnull', False)), fields=['participation'], name='answer_skipped'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('verb__in', ['returned HIT', 'withdrew'])), fields=['study', '-at'], name='event_choice'),
        ),
        migrations.AddIndex(
            model_name='remark',
            index=models.Index(condition=models.Q(('reply', '')), fields=['study', '-sent_at'], name='remark_unanswered'),
        ),
    ]
