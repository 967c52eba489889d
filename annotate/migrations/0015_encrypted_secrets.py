"""Nothing: 0035_account_security encrypts the secrets, and databases already hold the name of this migration."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0014_invitation"),
    ]

    operations = []
