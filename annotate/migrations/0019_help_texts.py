"""Nothing: help texts and labels are not in the database, so only the squashed migration holds the present ones."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0018_network_sightings"),
    ]

    operations = []
