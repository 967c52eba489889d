"""Payments, bonuses, the budget cap, the minimum wage, and the time of each submitted HIT."""

import annotate.models.ids
import django.core.validators
import django.db.models.deletion
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


from annotate.models import triggers


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)  # SQLite recreates some of the tables


def create_triggers(apps, editor):
    triggers.create(editor.connection)


# The time of a HIT stays empty if the time of one of its answers is unknown. Practice and try-outs are not paid.
TIMES = """
    UPDATE annotate_assignment SET seconds = (
        SELECT SUM(r.seconds) FROM annotate_answer r WHERE r.assignment_id = annotate_assignment.id
    ) WHERE kind = 'regular' AND submitted_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM annotate_answer r WHERE r.assignment_id = annotate_assignment.id
        AND r.given_at IS NOT NULL AND r.seconds IS NULL)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0024_activity_summaries'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.CreateModel(
            name='PayEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('kind', models.CharField(choices=[('bonus', 'Bonus'), ('payment', 'Payment')], max_length=7)),
                ('amount', models.DecimalField(decimal_places=4, help_text='A correction contains the difference, which can be negative.', max_digits=12)),
                ('reason', models.CharField(blank=True, help_text='Annotators see the reason for a bonus.', max_length=500)),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'pay entries',
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('reference', models.CharField(help_text='Annotators see the reference next to the payment.', max_length=200)),
                ('paid_on', models.DateField(help_text='The date on which the money was sent.')),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name='assignment',
            name='seconds',
            field=models.FloatField(blank=True, help_text='Time spent on all questions of a submitted HIT, in seconds. Empty if the time of an answer is unknown.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='budget_cap',
            field=models.DecimalField(blank=True, decimal_places=4, help_text='Annotators get no new HIT if credited rewards, open HITs and bonuses would exceed this amount. Empty means no cap.', max_digits=14, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))]),
        ),
        migrations.AddField(
            model_name='study',
            name='minimum_hourly_wage',
            field=models.DecimalField(blank=True, decimal_places=4, help_text='The overview warns if the actual hourly wage is lower. Empty means no warning.', max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))]),
        ),
        migrations.RunSQL(TIMES, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('seconds__isnull', False)), fields=['study', 'seconds'], name='assignment_by_time'),
        ),
        migrations.AddField(
            model_name='payentry',
            name='corrects',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='annotate.payentry'),
        ),
        migrations.AddField(
            model_name='payentry',
            name='participation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pay_entries', to='annotate.participation'),
        ),
        migrations.AddField(
            model_name='payentry',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pay_entries', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='payentry',
            name='user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='payment',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='payment',
            name='user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='payentry',
            name='payment',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='annotate.payment'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='payment_number'),
        ),
        migrations.AddConstraint(
            model_name='payentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'payment'), ('payment__isnull', False)), models.Q(('kind', 'bonus'), ('payment__isnull', True)), _connector='OR'), name='pay_entry_kind'),
        ),
        migrations.AddConstraint(
            model_name='payentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount__gt', 0), ('corrects__isnull', True)), models.Q(('corrects__isnull', False), models.Q(('amount', 0), _negated=True)), _connector='OR'), name='pay_entry_amount'),
        ),
        migrations.AddConstraint(
            model_name='payentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), _negated=True), models.Q(('corrects__isnull', True), ('kind', 'payment')), _connector='OR'), name='pay_entry_has_reason'),
        ),
        migrations.AddConstraint(
            model_name='payentry',
            constraint=models.UniqueConstraint(condition=models.Q(('corrects__isnull', True), ('payment__isnull', False)), fields=('payment', 'participation'), name='pay_entry_once_per_payment'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
