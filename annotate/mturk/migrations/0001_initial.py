import annotate.models.ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotate', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ResultImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=annotate.models.ids.public_id, editable=False, max_length=22, unique=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='result_imports', to='annotate.study')),
                ('batch', models.CharField(blank=True, help_text='The name of the batch. The same assignment ID can appear in two batches of a study.', max_length=100)),
                ('filename', models.CharField(max_length=255)),
                ('size', models.BigIntegerField(help_text='The size of the file in bytes before compression.')),
                ('sha256', models.CharField(max_length=64)),
                ('content', models.BinaryField(help_text='The contents of the file, compressed with zlib. Accord deletes the contents when the file is imported or discarded.', null=True)),
                ('preview', models.JSONField(help_text='The expected effects of the import, as shown in its preview.', null=True)),
                ('counts', models.JSONField(default=dict, help_text='The numbers that Accord reported after the import.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('imported_at', models.DateTimeField(blank=True, null=True)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='HostedAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hosted', to='annotate.assignment')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotate.study')),
                ('result_import', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hosted', to='mturk.resultimport')),
                ('batch', models.CharField(blank=True, max_length=100)),
                ('external_id', models.CharField(help_text='The ID of the assignment on the host.', max_length=200)),
                ('hit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotate.hit')),
                ('status', models.CharField(blank=True, help_text='The status of the assignment on the host: Submitted or Approved. This field is empty if the status is unknown.', max_length=20)),
                ('digest', models.CharField(help_text='The SHA-256 hash of the answers.', max_length=64)),
                ('cells', models.JSONField(default=dict, help_text='The other columns of the imported results file. Accord includes them when it writes a results file.')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'batch', 'external_id'), name='hosted_assignment_once')],
            },
        ),
    ]
