"""All tables of a new installation in one step. Databases that hold earlier migrations continue with those."""

import annotate.models.ids
import django.core.validators
import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.comparison
import django.utils.timezone
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

from annotate.models import count_triggers, triggers


def create_triggers(apps, editor):
    triggers.create(editor.connection)
    count_triggers.count_anew(editor.connection)


def drop_triggers(apps, editor):
    triggers.drop(editor.connection)


class Migration(migrations.Migration):

    replaces = [
        ('annotate', '0001_initial'),
        ('annotate', '0002_triggers'),
        ('annotate', '0003_decision'),
        ('annotate', '0004_slot_without_index_on_study'),
        ('annotate', '0005_public_participation'),
        ('annotate', '0006_privacy'),
        ('annotate', '0007_annotator_study_column'),
        ('annotate', '0008_annotator_per_study'),
        ('annotate', '0009_annotator_once_per_study'),
        ('annotate', '0010_accounts'),
        ('annotate', '0011_after_a_stop'),
        ('annotate', '0012_job_interruptions'),
        ('annotate', '0013_kept_counts'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Annotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(choices=[('web', 'invited'), ('account', 'account'), ('mturk', 'Mechanical Turk'), ('prolific', 'Prolific'), ('simulated', 'simulated'), ('try', 'a researcher trying the study')], max_length=10)),
                ('external_id', models.CharField(blank=True, help_text="The platform's ID for the person.", max_length=200)),
                ('contact', models.CharField(blank=True, max_length=254)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('verified', models.BooleanField(default=False, help_text='The platform or a sign-in confirmed the ID.')),
            ],
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(help_text='Markdown.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['study', 'version'],
            },
        ),
        migrations.CreateModel(
            name='Hit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name': 'HIT',
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('ref', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('regular', 'Regular'), ('gold', 'Gold'), ('practice', 'Practice'), ('candidate', 'candidate for gold'), ('retired', 'gold set aside'), ('tried', 'of a former design, seen in a try-out')], default='regular', max_length=9)),
                ('payload', models.JSONField()),
                ('gold', models.JSONField(blank=True, null=True)),
                ('explanation', models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False, help_text='May look at the admin of records.')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now)),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('manager', 'Manager'), ('reviewer', 'Reviewer'), ('viewer', 'Viewer')], default='owner', max_length=8)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Participation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pseudonym', models.CharField(max_length=60)),
                ('seed', models.BigIntegerField(default=annotate.models.ids.random_seed)),
                ('standing', models.CharField(choices=[('practising', 'Practising'), ('active', 'Active'), ('stopped', 'Stopped'), ('done', 'Done')], default='active', max_length=10)),
                ('standing_reason', models.CharField(blank=True, max_length=500)),
                ('restored_at', models.DateTimeField(blank=True, null=True)),
                ('cursor', models.BigIntegerField(default=0, help_text='The place of the last slot taken.')),
                ('dry_at', models.BigIntegerField(blank=True, help_text="The study's supply when nothing was found; searched again when it has moved.", null=True)),
                ('consented_at', models.DateTimeField(blank=True, null=True)),
                ('declared_eligible', models.BooleanField(default=False)),
                ('resume_hash', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('tallies', models.JSONField(blank=True, default=dict, help_text='Sums of what grading gold gave.')),
                ('graded', models.PositiveIntegerField(default=0, help_text='Gold answers graded.')),
                ('forgiven', models.JSONField(blank=True, default=dict, help_text='Tallies at the last restoring: the rule looks past them.')),
                ('forgiven_graded', models.PositiveIntegerField(default=0)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('resume_until', models.DateTimeField(blank=True, help_text='When the resume code expires.', null=True)),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='participations', to='annotate.annotator')),
                ('consent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotate.consent')),
            ],
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('kind', models.CharField(choices=[('regular', 'Regular'), ('practice', 'Practice'), ('try', 'try-out by a researcher')], default='regular', max_length=8)),
                ('source', models.CharField(choices=[('web', 'Web'), ('mturk', 'Mturk'), ('prolific', 'Prolific'), ('api', 'Api')], default='web', max_length=8)),
                ('external_id', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('leased', 'Leased'), ('lapsed', 'Lapsed'), ('done', 'Done'), ('surplus', 'Surplus'), ('void', 'Void')], default='leased', max_length=7)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('lease_until', models.DateTimeField()),
                ('reward', models.DecimalField(decimal_places=4, default=Decimal('0'), max_digits=12)),
                ('credited', models.BooleanField(default=False, help_text='The reward is owed.')),
                ('claimed_at', models.DateTimeField(auto_now_add=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('hit', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.hit')),
                ('participation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.participation')),
            ],
        ),
        migrations.CreateModel(
            name='HitQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('hit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hit_questions', to='annotate.hit')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hit_questions', to='annotate.question')),
            ],
        ),
        migrations.AddField(
            model_name='hit',
            name='questions',
            field=models.ManyToManyField(through='annotate.HitQuestion', to='annotate.question'),
        ),
        migrations.CreateModel(
            name='GoldJudgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.JSONField()),
                ('explanation', models.TextField(blank=True)),
                ('given_at', models.DateTimeField(auto_now=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='annotate.question')),
            ],
        ),
        migrations.CreateModel(
            name='GoldCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given', models.IntegerField(default=0)),
                ('missed', models.IntegerField(default=0)),
                ('disputed', models.IntegerField(default=0)),
                ('summed', models.BooleanField(default=False, help_text='The row is a sum of others, not a single change.')),
                ('question', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='gold_counts', to='annotate.question')),
            ],
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.JSONField()),
                ('note', models.TextField(blank=True)),
                ('decided_at', models.DateTimeField(auto_now=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='decision', to='annotate.question')),
            ],
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(help_text='Place in the assignment, from 1.')),
                ('shown', models.JSONField(default=list, help_text='What stood where on the screen, as the task type says it.')),
                ('draft', models.JSONField(blank=True, null=True)),
                ('revision', models.PositiveIntegerField(default=0, help_text='Of the draft; a stale one is refused.')),
                ('value', models.JSONField(blank=True, null=True)),
                ('given_at', models.DateTimeField(blank=True, null=True)),
                ('seconds', models.FloatField(blank=True, help_text='Time on the question, as the page measured it.', null=True)),
                ('trace', models.JSONField(blank=True, default=list, help_text='What was given before, and when.')),
                ('tally', models.JSONField(blank=True, help_text='What grading gave; gold and practice only.', null=True)),
                ('passed', models.BooleanField(blank=True, null=True)),
                ('disputed', models.BooleanField(default=False, help_text='The annotator sees the expected answer differently.')),
                ('dispute_note', models.CharField(blank=True, max_length=1000)),
                ('acknowledged_at', models.DateTimeField(blank=True, null=True)),
                ('repeat', models.BooleanField(default=False, help_text='A second answer to the same question; never counted.')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='annotate.assignment')),
                ('participation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='annotate.participation')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='annotate.question')),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('kind', models.SlugField(max_length=40)),
                ('parameters', models.JSONField(default=dict)),
                ('seed', models.BigIntegerField()),
                ('versions', models.JSONField(default=dict)),
                ('input', models.BinaryField(help_text='NumPy .npz: the columns it was computed from.', null=True)),
                ('input_sha256', models.CharField(blank=True, max_length=64)),
                ('result', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('headline', models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTransform('headline', 'result'), output_field=models.JSONField(null=True))),
                ('judgements', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('judgements', 'result'), models.IntegerField()), output_field=models.IntegerField(null=True))),
                ('people', models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTransform('people', 'result'), output_field=models.JSONField(null=True))),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.BigIntegerField()),
                ('open', models.SmallIntegerField(default=1)),
                ('hit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='annotate.hit')),
            ],
        ),
        migrations.AddField(
            model_name='assignment',
            name='slot',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.slot'),
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('task_type', models.SlugField(max_length=40)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed'), ('archived', 'Archived')], default='draft', max_length=10)),
                ('seed', models.BigIntegerField(default=annotate.models.ids.random_seed)),
                ('supply', models.BigIntegerField(default=0, help_text='Moves whenever slots open; see services/claim.py.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('language', models.CharField(default='en', help_text='BCP 47 tag of the texts, such as en or pt-BR.', max_length=35)),
                ('direction', models.CharField(choices=[('auto', 'from the text'), ('ltr', 'left to right'), ('rtl', 'right to left')], default='auto', max_length=4)),
                ('instructions', models.TextField(blank=True, help_text='Markdown.')),
                ('examples', models.TextField(blank=True, help_text='Worked examples, Markdown.')),
                ('protocol_number', models.CharField(blank=True, help_text="Of the ethics board's approval.", max_length=80)),
                ('eligibility', models.TextField(blank=True, help_text='What annotators declare of themselves when they join.')),
                ('reward', models.DecimalField(decimal_places=4, default=Decimal('0'), help_text='For one HIT.', max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('planned_hourly_wage', models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('join_token', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('admission', models.CharField(choices=[('anonymous', 'whoever has the link, under a pseudonym'), ('account', 'whoever has the link and an account')], default='anonymous', max_length=10)),
                ('judgements', models.PositiveSmallIntegerField(default=2, help_text='How many annotators answer each question.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                ('questions_per_hit', models.PositiveSmallIntegerField(default=5, help_text='Gold comes on top.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
                ('order', models.CharField(choices=[('rounds', 'every HIT once before any twice'), ('hits', 'one HIT after the other')], default='rounds', max_length=6)),
                ('lease_minutes', models.PositiveIntegerField(default=60, help_text='How long a HIT is kept for the annotator who took it.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(43200)])),
                ('hits_per_annotator', models.PositiveIntegerField(blank=True, help_text='At most; empty for no limit.', null=True)),
                ('gold_block', models.PositiveSmallIntegerField(default=5, help_text='One gold question to each block of this many questions; 0 for none.')),
                ('gold_exhausted', models.CharField(choices=[('continue', 'goes on without gold'), ('finish', 'is done')], default='continue', max_length=8)),
                ('rule_threshold', models.DecimalField(decimal_places=3, default=Decimal('0.7'), help_text='Below this accuracy an annotator is stopped; 0 stops nobody.', max_digits=4, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))])),
                ('rule_minimum', models.PositiveSmallIntegerField(default=10, validators=[django.core.validators.MinValueValidator(1)])),
                ('rule_unit', models.CharField(choices=[('gold', 'gold answers'), ('hits', 'submitted HITs')], default='gold', max_length=4)),
                ('rule_measure', models.CharField(default='accuracy', max_length=40)),
                ('pay_stopped', models.BooleanField(default=True, help_text='Pay for the HIT that is open at a stop.')),
                ('practice', models.BooleanField(default=True, help_text='Begin with the practice questions, where there are any.')),
                ('pilot_hits', models.PositiveIntegerField(default=0, help_text='The first HITs, handed out alone while piloting.')),
                ('piloting', models.BooleanField(default=False)),
                ('pilot_counts', models.BooleanField(default=True, help_text='Answers of the pilot enter the scores.')),
                ('options', models.JSONField(blank=True, default=dict, help_text='What the task type itself asks for.')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('personal_data_removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('privacy_notice', models.TextField(blank=True, help_text='Markdown. Who is responsible, which personal data is processed, why, for how long, and what rights annotators have. The study cannot open without a notice.')),
                ('retention_days', models.PositiveIntegerField(default=365, help_text='Days after the study is closed until platform IDs, contacts and resume codes are removed. Pay everyone before then.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(3650)])),
                ('recruitment', models.CharField(choices=[('links', 'your own links'), ('prolific', 'Prolific')], default='links', help_text='With Prolific, the join page reads the participant ID from the link and requires it.', max_length=10)),
                ('excluded_studies', models.JSONField(blank=True, default=list, help_text='IDs of studies of the same owner. People who took part in one of them cannot join this study.')),
                ('admitted_studies', models.JSONField(blank=True, default=list, help_text='IDs of studies of the same owner. Only people who took part in one of them can join this study.')),
                ('assignments_wanted', models.PositiveIntegerField(default=0, editable=False, help_text='Slots of all HITs.')),
                ('judgements_wanted', models.PositiveIntegerField(default=0, editable=False, help_text='Questions in all slots.')),
                ('design', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotate.report')),
                ('members', models.ManyToManyField(related_name='studies', through='annotate.Membership', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'studies',
            },
        ),
        migrations.AddField(
            model_name='slot',
            name='study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='report',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='question',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='questions', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='participation',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='participations', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='membership',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='annotate.study'),
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('kind', models.SlugField(max_length=40)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=7)),
                ('progress', models.FloatField(default=0)),
                ('message', models.CharField(blank=True, max_length=500)),
                ('error', models.TextField(blank=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('beat_at', models.DateTimeField(blank=True, help_text="Last renewal of the worker's lease, or when the job was interrupted.", null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('interruptions', models.PositiveSmallIntegerField(default=0, help_text='Attempts that ended through a fault of the installation.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to='annotate.report')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='annotate.study')),
            ],
        ),
        migrations.CreateModel(
            name='HourCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hour', models.DateTimeField(help_text="The hour's beginning, UTC.")),
                ('judgements', models.IntegerField(default=0, help_text='Answers that count, by the time when they were given.')),
                ('hits', models.IntegerField(default=0, help_text='Assignments that are done, by the time of submission.')),
                ('submitted', models.IntegerField(default=0, help_text='Submitted assignments, whether they count or not.')),
                ('credit', models.DecimalField(decimal_places=4, default=Decimal('0'), help_text='Rewards owed.', max_digits=16)),
                ('gold_given', models.IntegerField(default=0, help_text='Graded answers to gold questions.')),
                ('gold_right', models.IntegerField(default=0)),
                ('summed', models.BooleanField(default=False, help_text='The row is a sum of others, not a single change.')),
                ('participation', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='hour_counts', to='annotate.participation')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hour_counts', to='annotate.study')),
            ],
        ),
        migrations.AddField(
            model_name='hit',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hits', to='annotate.study'),
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=40)),
                ('detail', models.JSONField(default=dict)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('participation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='annotate.participation')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='annotate.study')),
            ],
        ),
        migrations.AddField(
            model_name='consent',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='annotate.study'),
        ),
        migrations.AddField(
            model_name='assignment',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.study'),
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('expires_at', models.DateTimeField()),
                ('scope', models.CharField(choices=[('read', 'Read'), ('write', 'Write')], max_length=5)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.study')),
            ],
        ),
        migrations.AddField(
            model_name='annotator',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotators', to='annotate.study'),
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('purpose', models.CharField(choices=[('items', 'Items'), ('gold', 'Gold'), ('practice', 'Practice')], max_length=8)),
                ('filename', models.CharField(max_length=255)),
                ('content', models.BinaryField(help_text='The file, zlib-compressed.')),
                ('size', models.BigIntegerField(help_text='Bytes before compression.')),
                ('sha256', models.CharField(max_length=64)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('revealed_at', models.DateTimeField(blank=True, null=True)),
                ('held_out', models.PositiveIntegerField(default=0, help_text='Items that stay out of the design.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='annotate.study')),
            ],
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('content', models.JSONField(help_text='What is shown, as the task type reads it.')),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('held_out', models.BooleanField(default=False, help_text='Not in the design: for gold and practice only.')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotate.study')),
                ('upload', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotate.upload')),
            ],
        ),
        migrations.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('request_hash', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('body', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='idempotency_key_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='hitquestion',
            constraint=models.UniqueConstraint(fields=('hit', 'question'), name='hit_question_once'),
        ),
        migrations.AddConstraint(
            model_name='hitquestion',
            constraint=models.UniqueConstraint(fields=('hit', 'position'), name='hit_position_once'),
        ),
        migrations.AddConstraint(
            model_name='goldjudgement',
            constraint=models.UniqueConstraint(fields=('question', 'user'), name='gold_judgement_once'),
        ),
        migrations.AddIndex(
            model_name='goldcount',
            index=models.Index(condition=models.Q(('summed', False)), fields=['id'], name='gold_count_single'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('tally__isnull', False)), fields=['participation'], name='answer_graded'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('disputed', True)), fields=['question'], name='answer_disputed'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(condition=models.Q(('repeat', False)), fields=('participation', 'question'), name='answer_question_once'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('assignment', 'position'), name='answer_position_once'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('given_at__isnull', True), ('value__isnull', True)), models.Q(('given_at__isnull', False), ('value__isnull', False)), _connector='OR'), name='answer_given_has_time'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'paused', 'closed', 'archived'])), name='study_state'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('judgements__gte', 1)), name='study_judgements'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('questions_per_hit__gte', 1)), name='study_questions_per_hit'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('reward__gte', 0)), name='study_reward'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('rule_threshold__gte', 0), ('rule_threshold__lte', 1)), name='study_threshold'),
        ),
        migrations.AddIndex(
            model_name='slot',
            index=models.Index(fields=['study', 'open', 'place'], name='slot_queue'),
        ),
        migrations.AddIndex(
            model_name='slot',
            index=models.Index(condition=models.Q(('open', 1)), fields=['study', 'place'], name='slot_open'),
        ),
        migrations.AddConstraint(
            model_name='slot',
            constraint=models.CheckConstraint(condition=models.Q(('open__in', [0, 1])), name='slot_open_is_0_or_1'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('study', 'kind', 'number'), name='report_number'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(fields=['study', 'kind', 'id'], name='question_by_kind'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('study', 'ref'), name='question_ref'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['regular', 'candidate', 'tried']), ('gold__isnull', False), _connector='OR'), name='question_gold_is_known'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('study', 'pseudonym'), name='participation_pseudonym'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.CheckConstraint(condition=models.Q(('standing__in', ['practising', 'active', 'stopped', 'done'])), name='participation_standing'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('annotator',), name='participation_annotator_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('study', 'user'), name='membership_once'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['state'], name='job_by_state'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('progress__gte', 0), ('progress__lte', 1)), name='job_progress'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('study', 'kind'), name='job_one_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='hourcount',
            index=models.Index(fields=['study', 'hour'], name='hour_count_by_study'),
        ),
        migrations.AddIndex(
            model_name='hourcount',
            index=models.Index(condition=models.Q(('summed', False)), fields=['id'], name='hour_count_single'),
        ),
        migrations.AddConstraint(
            model_name='hit',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='hit_number'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['study', '-at'], name='event_by_time'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(fields=('study', 'version'), name='consent_version'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('state', 'leased')), fields=['study', 'lease_until'], name='assignment_overdue'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['study', 'state', 'kind'], name='assignment_by_state'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('participation', 'hit'), name='assignment_hit_once'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['leased', 'done'])), fields=('slot',), name='assignment_slot_held_once'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('source', 'web'), ('state', 'leased')), fields=('participation',), name='assignment_one_web_lease'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('external_id', ''), _negated=True), fields=('source', 'external_id'), name='assignment_external_once'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['leased', 'lapsed', 'done', 'surplus', 'void'])), name='assignment_state'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'regular'), ('state__in', ['leased', 'done']), _negated=True), models.Q(('hit__isnull', False), ('slot__isnull', False)), _connector='OR'), name='assignment_has_slot'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['leased', 'lapsed']), ('submitted_at__isnull', True)), models.Q(('state__in', ['done', 'surplus']), ('submitted_at__isnull', False)), ('state', 'void'), _connector='OR'), name='assignment_submitted'),
        ),
        migrations.AddIndex(
            model_name='annotator',
            index=models.Index(condition=models.Q(('external_id', ''), _negated=True), fields=['platform', 'external_id'], name='annotator_identity'),
        ),
        migrations.AddConstraint(
            model_name='annotator',
            constraint=models.UniqueConstraint(condition=models.Q(('external_id', ''), _negated=True), fields=('study', 'platform', 'external_id'), name='annotator_study_once'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(fields=['study', 'id', 'upload'], name='item_in_order'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('study', 'key'), name='item_key'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
