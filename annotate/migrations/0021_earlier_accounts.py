"""Nothing: the steps of this migration need tables of allauth, so they are in 0035_account_security.

A squashed migration cannot replace a migration that depends on allauth, because allauth needs the table of users.
"""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0020_fair_treatment"),
    ]

    operations = []
