"""All tables of a new installation in one step. Databases that hold earlier migrations continue with those.

Indexes and constraints are part of CreateModel. If they were operations, Django would build all models again for each.
"""

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
        ('annotate', '0014_invitation'),
        ('annotate', '0015_encrypted_secrets'),
        ('annotate', '0016_upload_preview'),
        ('annotate', '0017_sign_in_log'),
        ('annotate', '0018_network_sightings'),
        ('annotate', '0019_help_texts'),
        ('annotate', '0020_fair_treatment'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('task_type', models.SlugField(max_length=40)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed'), ('archived', 'Archived')], default='draft', max_length=10)),
                ('seed', models.BigIntegerField(default=annotate.models.ids.random_seed)),
                ('supply', models.BigIntegerField(default=0, help_text='Increases when slots open. See services/claim.py.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('language', models.CharField(default='en', help_text='Language of the texts as a BCP 47 tag, such as en or pt-BR.', max_length=35)),
                ('direction', models.CharField(choices=[('auto', 'from the text'), ('ltr', 'left to right'), ('rtl', 'right to left')], default='auto', max_length=4)),
                ('instructions', models.TextField(blank=True, help_text='Markdown.')),
                ('examples', models.TextField(blank=True, help_text='Worked examples, Markdown.')),
                ('protocol_number', models.CharField(blank=True, help_text="Approval number from the ethics board.", max_length=80)),
                ('eligibility', models.TextField(blank=True, help_text='Conditions that annotators must confirm when they join.')),
                ('reward', models.DecimalField(decimal_places=4, default=Decimal('0'), help_text='Pay per HIT.', max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('planned_hourly_wage', models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('join_token', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('admission', models.CharField(choices=[('anonymous', 'anyone with the link, under a pseudonym'), ('account', 'anyone with the link and an account')], default='anonymous', max_length=10)),
                ('judgements', models.PositiveSmallIntegerField(default=2, help_text='Number of annotators who answer each question.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                ('questions_per_hit', models.PositiveSmallIntegerField(default=5, help_text='Number of questions in a HIT, excluding gold questions.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
                ('order', models.CharField(choices=[('rounds', 'every HIT once before any HIT twice'), ('hits', 'one HIT after the other')], default='rounds', max_length=6)),
                ('lease_minutes', models.PositiveIntegerField(default=60, help_text='Time limit for a HIT in minutes.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(43200)])),
                ('hits_per_annotator', models.PositiveIntegerField(blank=True, help_text='Maximum number of HITs per annotator. Empty means no limit.', null=True)),
                ('gold_block', models.PositiveSmallIntegerField(default=5, help_text='A HIT contains one gold question per block of this size. 0 means no gold questions.')),
                ('gold_exhausted', models.CharField(choices=[('continue', 'continues without gold questions'), ('finish', 'is finished')], default='continue', max_length=8)),
                ('rule_threshold', models.DecimalField(decimal_places=3, default=Decimal('0.7'), help_text='Pass mark: annotators with a lower accuracy are stopped. 0 turns the quality rule off.', max_digits=4, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))])),
                ('rule_minimum', models.PositiveSmallIntegerField(default=10, validators=[django.core.validators.MinValueValidator(1)])),
                ('rule_unit', models.CharField(choices=[('gold', 'gold answers'), ('hits', 'submitted HITs')], default='gold', max_length=4)),
                ('rule_measure', models.CharField(default='accuracy', max_length=40)),
                ('pay_stopped', models.BooleanField(default=True, help_text='Pay stopped annotators for their open HIT.')),
                ('practice', models.BooleanField(default=True, help_text='Annotators answer the practice questions, if there are any, before their first HIT.')),
                ('pilot_hits', models.PositiveIntegerField(default=0, help_text='Number of HITs in the pilot. During the pilot, only the pilot HITs can be claimed.')),
                ('piloting', models.BooleanField(default=False)),
                ('pilot_counts', models.BooleanField(default=True, help_text='Whether pilot answers count towards the scores.')),
                ('options', models.JSONField(blank=True, default=dict, help_text='Settings of the task type.')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('personal_data_removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('privacy_notice', models.TextField(blank=True, help_text='Markdown text that states who is responsible, which personal data is processed, for what purpose and for how long, and what rights annotators have. A study without a notice cannot be opened.')),
                ('retention_days', models.PositiveIntegerField(default=365, help_text='Number of days after closing until platform IDs, contacts and resume codes are removed. Pay all annotators before Accord removes this data.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(3650)])),
                ('recruitment', models.CharField(choices=[('links', 'your own links'), ('prolific', 'Prolific')], default='links', help_text='With Prolific, the join page reads the participant ID from the link and requires it.', max_length=10)),
                ('excluded_studies', models.JSONField(blank=True, default=list, help_text='IDs of studies that have the same owner. People who took part in one of these studies cannot join this study.')),
                ('admitted_studies', models.JSONField(blank=True, default=list, help_text='IDs of studies that have the same owner. Only people who took part in one of these studies can join this study.')),
                ('assignments_wanted', models.PositiveIntegerField(default=0, editable=False, help_text='Total number of slots in all HITs.')),
                ('judgements_wanted', models.PositiveIntegerField(default=0, editable=False, help_text='Total number of questions in all slots of the study.')),
                ('network_check', models.BooleanField(default=False, help_text="Store a keyed hash of annotators' networks for 30 days. The consent text must mention this network check.")),
                ('break_minutes', models.PositiveSmallIntegerField(blank=True, help_text='Minutes of work after which annotators see a reminder to take a break. Empty means no reminder.', null=True, validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(240)])),
                ('contact', models.CharField(blank=True, help_text='Name and email address of a researcher whom annotators can contact.', max_length=254)),
                ('gold_skips_allowed', models.PositiveSmallIntegerField(default=2, help_text='Number of gold questions that an annotator can skip. Any further skipped gold question counts as missed.')),
                ('guidelines_version', models.PositiveIntegerField(default=1, editable=False, help_text='Version of the instructions and worked examples. See Guidelines.')),
                ('payment_terms', models.TextField(blank=True, help_text='How, when and by whom annotators are paid. Annotators see this text next to the amount that they are paid.')),
                ('skips_allowed', models.BooleanField(default=False, help_text='Annotators can skip a question and give a reason. Another annotator then gets the question.')),
            ],
            options={
                'verbose_name_plural': 'studies',
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'paused', 'closed', 'archived'])), name='study_state'), models.CheckConstraint(condition=models.Q(('judgements__gte', 1)), name='study_judgements'), models.CheckConstraint(condition=models.Q(('questions_per_hit__gte', 1)), name='study_questions_per_hit'), models.CheckConstraint(condition=models.Q(('reward__gte', 0)), name='study_reward'), models.CheckConstraint(condition=models.Q(('rule_threshold__gte', 0), ('rule_threshold__lte', 1)), name='study_threshold')],
            },
        ),
        migrations.CreateModel(
            name='Annotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(choices=[('web', 'invited'), ('account', 'account'), ('mturk', 'Mechanical Turk'), ('prolific', 'Prolific'), ('simulated', 'simulated'), ('try', 'a researcher trying the study')], max_length=10)),
                ('external_id', models.CharField(blank=True, help_text="The platform's ID for the person.", max_length=200)),
                ('contact', models.CharField(blank=True, max_length=254)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('verified', models.BooleanField(default=False, help_text='Whether the platform or a sign-in has confirmed the ID.')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotators', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('external_id', ''), _negated=True), fields=['platform', 'external_id'], name='annotator_identity')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('external_id', ''), _negated=True), fields=('study', 'platform', 'external_id'), name='annotator_study_once')],
            },
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(help_text='Markdown.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='annotate.study')),
                ('pays_stopped', models.BooleanField(blank=True, help_text='Whether the text promises payment for the HIT that is open when an annotator is stopped. An empty value means that the text does not mention this case.', null=True)),
            ],
            options={
                'ordering': ['study', 'version'],
                'constraints': [models.UniqueConstraint(fields=('study', 'version'), name='consent_version')],
            },
        ),
        migrations.CreateModel(
            name='Guidelines',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('instructions', models.TextField(blank=True)),
                ('examples', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='guidelines', to='annotate.study')),
            ],
            options={
                'verbose_name_plural': 'guidelines',
                'ordering': ['study', 'version'],
                'constraints': [models.UniqueConstraint(fields=('study', 'version'), name='guidelines_version')],
            },
        ),
        migrations.CreateModel(
            name='Hit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hits', to='annotate.study')),
                ('for_skipped', models.BooleanField(default=False, help_text='Whether the HIT asks questions again that other annotators have skipped.')),
            ],
            options={
                'verbose_name': 'HIT',
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='hit_number')],
            },
        ),
        migrations.CreateModel(
            name='Participation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pseudonym', models.CharField(max_length=60)),
                ('seed', models.BigIntegerField(default=annotate.models.ids.random_seed)),
                ('standing', models.CharField(choices=[('practising', 'Practising'), ('active', 'Active'), ('stopped', 'Stopped'), ('done', 'Done'), ('withdrawn', 'Withdrawn')], default='active', max_length=10)),
                ('standing_reason', models.CharField(blank=True, max_length=500)),
                ('restored_at', models.DateTimeField(blank=True, null=True)),
                ('cursor', models.BigIntegerField(default=0, help_text='Position of the last slot that the annotator claimed.')),
                ('dry_at', models.BigIntegerField(blank=True, help_text="The study's supply counter at the last search that found no free slot. When the counter increases, a new search starts.", null=True)),
                ('consented_at', models.DateTimeField(blank=True, null=True)),
                ('declared_eligible', models.BooleanField(default=False)),
                ('resume_hash', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('tallies', models.JSONField(blank=True, default=dict, help_text='Totals over all graded gold answers, by the name of the count.')),
                ('graded', models.PositiveIntegerField(default=0, help_text='Number of graded gold answers.')),
                ('forgiven', models.JSONField(blank=True, default=dict, help_text='Gold totals when the annotator was last restored. The quality rule ignores the answers in these totals.')),
                ('forgiven_graded', models.PositiveIntegerField(default=0)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('resume_until', models.DateTimeField(blank=True, help_text='The time when the resume code expires.', null=True)),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='participations', to='annotate.annotator')),
                ('consent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotate.consent')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='participations', to='annotate.study')),
                ('excludes_answers', models.BooleanField(default=False, help_text='Whether the annotator has withdrawn and excluded the answers from results, exports and releases.')),
                ('gold_skips', models.PositiveIntegerField(default=0, help_text='Number of skipped gold questions.')),
                ('guidelines_read', models.PositiveIntegerField(default=1, help_text='Latest version of the guidelines that the annotator has read.')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'pseudonym'), name='participation_pseudonym'), models.UniqueConstraint(fields=('annotator',), name='participation_annotator_once'), models.CheckConstraint(condition=models.Q(('standing__in', ['practising', 'active', 'stopped', 'done', 'withdrawn'])), name='participation_standing')],
            },
        ),
        migrations.CreateModel(
            name='HourCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hour', models.DateTimeField(help_text='Beginning of the hour in UTC.')),
                ('judgements', models.IntegerField(default=0, help_text='Number of answers that count towards the results, by the time of the answer.')),
                ('hits', models.IntegerField(default=0, help_text='Number of completed assignments, by the time of submission.')),
                ('submitted', models.IntegerField(default=0, help_text='Number of submitted assignments, including those that do not count.')),
                ('credit', models.DecimalField(decimal_places=4, default=Decimal('0'), help_text='Sum of the rewards owed.', max_digits=16)),
                ('gold_given', models.IntegerField(default=0, help_text='Number of graded answers to gold questions.')),
                ('gold_right', models.IntegerField(default=0)),
                ('summed', models.BooleanField(default=False, help_text='Whether the row is a sum of other rows instead of a single change.')),
                ('participation', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='hour_counts', to='annotate.participation')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hour_counts', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'hour'], name='hour_count_by_study'), models.Index(condition=models.Q(('summed', False)), fields=['id'], name='hour_count_single')],
            },
        ),
        migrations.CreateModel(
            name='NetworkSighting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hash', models.CharField(max_length=64)),
                ('seen_at', models.DateTimeField()),
                ('participation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='networks', to='annotate.participation')),
            ],
            options={
                'indexes': [models.Index(fields=['hash'], name='network_sighting_hash'), models.Index(fields=['seen_at'], name='network_sighting_seen')],
                'constraints': [models.UniqueConstraint(fields=('participation', 'hash'), name='network_sighting_once')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('ref', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('regular', 'Regular'), ('gold', 'Gold'), ('practice', 'Practice'), ('candidate', 'gold candidate'), ('retired', 'excluded gold question'), ('tried', 'question of an earlier design that a researcher tried')], default='regular', max_length=9)),
                ('payload', models.JSONField()),
                ('gold', models.JSONField(blank=True, null=True)),
                ('explanation', models.TextField(blank=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='questions', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'kind', 'id'], name='question_by_kind')],
                'constraints': [models.UniqueConstraint(fields=('study', 'ref'), name='question_ref'), models.CheckConstraint(condition=models.Q(('kind__in', ['regular', 'candidate', 'tried']), ('gold__isnull', False), _connector='OR'), name='question_gold_is_known')],
            },
        ),
        migrations.CreateModel(
            name='GoldCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given', models.IntegerField(default=0)),
                ('missed', models.IntegerField(default=0)),
                ('disputed', models.IntegerField(default=0)),
                ('summed', models.BooleanField(default=False, help_text='Whether the row is a sum of other rows instead of a single change.')),
                ('question', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='gold_counts', to='annotate.question')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('summed', False)), fields=['id'], name='gold_count_single')],
            },
        ),
        migrations.CreateModel(
            name='HitQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('hit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hit_questions', to='annotate.hit')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hit_questions', to='annotate.question')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hit', 'question'), name='hit_question_once'), models.UniqueConstraint(fields=('hit', 'position'), name='hit_position_once')],
            },
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.BigIntegerField()),
                ('open', models.SmallIntegerField(default=1)),
                ('hit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='annotate.hit')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'open', 'place'], name='slot_queue'), models.Index(condition=models.Q(('open', 1)), fields=['study', 'place'], name='slot_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(('open__in', [0, 1])), name='slot_open_is_0_or_1')],
            },
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
                ('credited', models.BooleanField(default=False, help_text='Whether the reward is owed to the annotator.')),
                ('claimed_at', models.DateTimeField(auto_now_add=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('hit', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.hit')),
                ('participation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.participation')),
                ('slot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.slot')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'leased')), fields=['study', 'lease_until'], name='assignment_overdue'), models.Index(fields=['study', 'state', 'kind'], name='assignment_by_state')],
                'constraints': [models.UniqueConstraint(fields=('participation', 'hit'), name='assignment_hit_once'), models.UniqueConstraint(condition=models.Q(('state__in', ['leased', 'done'])), fields=('slot',), name='assignment_slot_held_once'), models.UniqueConstraint(condition=models.Q(('source', 'web'), ('state', 'leased')), fields=('participation',), name='assignment_one_web_lease'), models.UniqueConstraint(condition=models.Q(('external_id', ''), _negated=True), fields=('source', 'external_id'), name='assignment_external_once'), models.CheckConstraint(condition=models.Q(('state__in', ['leased', 'lapsed', 'done', 'surplus', 'void'])), name='assignment_state'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'regular'), ('state__in', ['leased', 'done']), _negated=True), models.Q(('hit__isnull', False), ('slot__isnull', False)), _connector='OR'), name='assignment_has_slot'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['leased', 'lapsed']), ('submitted_at__isnull', True)), models.Q(('state__in', ['done', 'surplus']), ('submitted_at__isnull', False)), ('state', 'void'), _connector='OR'), name='assignment_submitted')],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(help_text='Position of the question in the assignment, starting at 1.')),
                ('shown', models.JSONField(default=list, help_text="The order in which the parts of the question were shown, in the task type's format.")),
                ('draft', models.JSONField(blank=True, null=True)),
                ('revision', models.PositiveIntegerField(default=0, help_text='Revision number of the draft. A draft with an older number is rejected.')),
                ('value', models.JSONField(blank=True, null=True)),
                ('given_at', models.DateTimeField(blank=True, null=True)),
                ('seconds', models.FloatField(blank=True, help_text='Time spent on the question, in seconds, as measured by the page.', null=True)),
                ('trace', models.JSONField(blank=True, default=list, help_text='Earlier answers, with the time of each answer.')),
                ('tally', models.JSONField(blank=True, help_text='Grading results by name, for gold and practice questions.', null=True)),
                ('passed', models.BooleanField(blank=True, null=True)),
                ('disputed', models.BooleanField(default=False, help_text='Whether the annotator disputes the expected answer.')),
                ('dispute_note', models.CharField(blank=True, max_length=1000)),
                ('acknowledged_at', models.DateTimeField(blank=True, null=True)),
                ('repeat', models.BooleanField(default=False, help_text='Whether the annotator had already answered the question. A repeated answer never counts.')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='annotate.assignment')),
                ('participation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='annotate.participation')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='annotate.question')),
                ('guidelines_version', models.PositiveIntegerField(blank=True, help_text='Version of the guidelines that the annotator had read.', null=True)),
                ('skipped', models.CharField(blank=True, help_text="The annotator's reason for skipping the question, or an empty string.", max_length=500)),
                ('skipped_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('tally__isnull', False)), fields=['participation'], name='answer_graded'), models.Index(condition=models.Q(('disputed', True)), fields=['question'], name='answer_disputed')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('repeat', False)), fields=('participation', 'question'), name='answer_question_once'), models.UniqueConstraint(fields=('assignment', 'position'), name='answer_position_once'), models.CheckConstraint(condition=models.Q(models.Q(('given_at__isnull', True), ('value__isnull', True)), models.Q(('given_at__isnull', False), ('value__isnull', False)), _connector='OR'), name='answer_given_has_time'), models.CheckConstraint(condition=models.Q(models.Q(('skipped', ''), ('skipped_at__isnull', True)), models.Q(models.Q(('skipped', ''), _negated=True), ('skipped_at__isnull', False), ('value__isnull', True)), _connector='OR'), name='answer_skipped_has_time_and_no_value')],
            },
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
                ('is_staff', models.BooleanField(default=False, help_text='Whether the researcher can view the records of this server.')),
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
            options={
                'indexes': [models.Index(fields=['study', '-at'], name='event_by_time')],
            },
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
            options={
                'constraints': [models.UniqueConstraint(fields=('question', 'user'), name='gold_judgement_once')],
            },
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
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(blank=True, choices=[('owner', 'Owner'), ('manager', 'Manager'), ('reviewer', 'Reviewer'), ('viewer', 'Viewer')], max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotate.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('accepted_at', None)), fields=('study', 'email'), name='invitation_pending_once')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('manager', 'Manager'), ('reviewer', 'Reviewer'), ('viewer', 'Viewer')], default='owner', max_length=8)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='annotate.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'user'), name='membership_once')],
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
                ('answer', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='annotate.answer')),
                ('participation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='annotate.participation')),
                ('replied_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'kind', '-sent_at'], name='remark_by_kind')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['comment', 'problem', 'objection'])), name='remark_kind'), models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('kind', 'objection')), models.Q(('kind', 'objection'), _negated=True), _connector='OR'), name='remark_objection_is_about_the_study'), models.CheckConstraint(condition=models.Q(models.Q(('replied_at__isnull', True), ('reply', '')), models.Q(models.Q(('reply', ''), _negated=True), ('replied_at__isnull', False)), _connector='OR'), name='remark_reply_has_time')],
            },
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
                ('input', models.BinaryField(help_text='Columns from which the report was calculated, as a NumPy .npz file.', null=True)),
                ('input_sha256', models.CharField(blank=True, max_length=64)),
                ('result', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('headline', models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTransform('headline', 'result'), output_field=models.JSONField(null=True))),
                ('judgements', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('judgements', 'result'), models.IntegerField()), output_field=models.IntegerField(null=True))),
                ('people', models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTransform('people', 'result'), output_field=models.JSONField(null=True))),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='annotate.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'kind', 'number'), name='report_number')],
            },
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
                ('beat_at', models.DateTimeField(blank=True, help_text="Time when the worker's lease was last renewed or the job was interrupted.", null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('interruptions', models.PositiveSmallIntegerField(default=0, help_text='Number of attempts that were interrupted by a fault in the installation.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to='annotate.report')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='annotate.study')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['state'], name='job_by_state')],
                'constraints': [models.CheckConstraint(condition=models.Q(('progress__gte', 0), ('progress__lte', 1)), name='job_progress'), models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('study', 'kind'), name='job_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='SignInEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('kind', models.CharField(choices=[('signed in', 'Signed In'), ('failed', 'Failed'), ('refused by a limit', 'Refused'), ('signed out', 'Signed Out'), ('password changed', 'Password Changed'), ('second factor added', 'Factor Added'), ('second factor removed', 'Factor Removed'), ('recovery codes renewed', 'Codes Renewed'), ('token created', 'Token Created'), ('token revoked', 'Token Revoked'), ('address confirmed', 'Address Confirmed')], max_length=24)),
                ('address', models.CharField(blank=True, max_length=45)),
                ('detail', models.CharField(blank=True, max_length=100)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('purpose', models.CharField(choices=[('items', 'Items'), ('gold', 'Gold'), ('practice', 'Practice')], max_length=8)),
                ('filename', models.CharField(max_length=255)),
                ('content', models.BinaryField(help_text='Contents of the file, compressed with zlib.')),
                ('size', models.BigIntegerField(help_text='Size in bytes before compression.')),
                ('sha256', models.CharField(max_length=64)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('revealed_at', models.DateTimeField(blank=True, null=True)),
                ('held_out', models.PositiveIntegerField(default=0, help_text='Number of held-out items in the file.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='annotate.study')),
                ('preview', models.JSONField(help_text='Preview of a large file, created by a background job.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('content', models.JSONField(help_text="Contents of the item, in the task type's format.")),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('held_out', models.BooleanField(default=False, help_text='Whether the item is used only in gold and practice questions.')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotate.study')),
                ('upload', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotate.upload')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'id', 'upload'], name='item_in_order')],
                'constraints': [models.UniqueConstraint(fields=('study', 'key'), name='item_key')],
            },
        ),
        migrations.AddField(
            model_name='study',
            name='design',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotate.report'),
        ),
        migrations.AddField(
            model_name='study',
            name='members',
            field=models.ManyToManyField(related_name='studies', through='annotate.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='hit',
            name='questions',
            field=models.ManyToManyField(through='annotate.HitQuestion', to='annotate.question'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
