from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0002_reportshare_with_items")]
    operations = [
        migrations.AddField(
            model_name="study",
            name="full_consent",
            field=models.BooleanField(
                default=False,
                help_text="Otherwise, the page shows a summary, and opens the text on demand.",
                verbose_name="show the full consent text on the join page",
            ),
        )
    ]
