"""Confirm the addresses of administrators who were added before addresses were confirmed.

Addresses are stored in a table of allauth. This migration cannot depend on allauth, because allauth needs the table of
users, and the squashed migration could then not replace this migration. If allauth has no table yet, the installation
is new and has no administrators.
"""

from django.db import migrations


def confirm_administrators(apps, schema_editor):
    """Administrators were entered by an operator. Every other address stays as it is until it is confirmed."""
    if "emailaddress" not in apps.all_models["account"]:
        return
    addresses = apps.get_model("account", "EmailAddress").objects
    for user in apps.get_model("annotate", "User").objects.filter(is_superuser=True):
        if addresses.filter(email=user.email, verified=True).exists():
            continue
        primary = not addresses.filter(user_id=user.pk, primary=True).exclude(email=user.email).exists()
        addresses.update_or_create(
            user_id=user.pk, email=user.email, defaults={"verified": True, "primary": primary}
        )


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0020_fair_treatment"),
    ]

    operations = [
        migrations.RunPython(confirm_administrators, migrations.RunPython.noop),
    ]
