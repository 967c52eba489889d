from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0001_initial")]
    operations = [
        migrations.AddField(
            model_name="reportshare", name="with_items", field=models.BooleanField(default=False)
        )
    ]
