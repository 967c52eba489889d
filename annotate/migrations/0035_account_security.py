"""Encrypt the secrets of second factors that were stored as plain text.

Secrets are stored in a table of allauth. This migration cannot depend on allauth, for the same reason as
0021_earlier_accounts. If allauth has no table yet, there are no secrets. Some installations have already run this step
as a part of 0021_earlier_accounts. Secrets that are already encrypted stay as they are.
"""

from django.db import migrations

from annotate.server import encryption

ENCRYPTED = "gAAAAA"  # how everything that Fernet encrypts begins; a plain secret is base32 or hexadecimal


def encrypt_plain(apps, schema_editor):
    if "authenticator" not in apps.all_models["mfa"]:
        return
    for authenticator in apps.get_model("mfa", "Authenticator").objects.all():
        data = authenticator.data
        for name in ("secret", "seed"):
            if name in data:
                data[name] = _encrypted(data[name])
        if "migrated_codes" in data:
            data["migrated_codes"] = [_encrypted(code) for code in data["migrated_codes"]]
        authenticator.save(update_fields=["data"])


def _encrypted(text):
    return text if text.startswith(ENCRYPTED) else encryption.encrypt(text)


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0034_deliveries_of_deleted_webhooks"),
    ]

    operations = [
        migrations.RunPython(encrypt_plain, migrations.RunPython.noop),
    ]
