"""Named annotators with personal links, and slots that are reserved for one of these annotators."""

import annotate.models.ids
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0031_todo'),
    ]

    operations = [
        migrations.AlterField(
            model_name='annotator',
            name='platform',
            field=models.CharField(choices=[('web', 'invited'), ('account', 'account'), ('named', 'personal link'), ('mturk', 'Mechanical Turk'), ('prolific', 'Prolific'), ('simulated', 'simulated'), ('system', 'system'), ('try', 'a researcher trying the study')], max_length=10),
        ),
        migrations.AlterField(
            model_name='study',
            name='admission',
            field=models.CharField(choices=[('anonymous', 'anyone with the link, under a pseudonym'), ('account', 'anyone with the link and an account'), ('named', 'only named annotators, each with a personal link')], default='anonymous', max_length=10),
        ),
        migrations.CreateModel(
            name='NamedAnnotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('participation', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='named', to='annotate.participation')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='named_annotators', to='annotate.study')),
            ],
        ),
        migrations.AddField(
            model_name='slot',
            name='reserved_for',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The only annotator who can hold the slot. If this field is empty, any annotator can hold the slot.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='annotate.namedannotator'),
        ),
        migrations.AddConstraint(
            model_name='namedannotator',
            constraint=models.UniqueConstraint(condition=models.Q(('name', ''), _negated=True), fields=('study', 'name'), name='named_annotator_once'),
        ),
    ]
