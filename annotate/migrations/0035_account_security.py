"""Confirm the addresses of administrators, and encrypt the secrets of second factors that were stored as plain text.

Both steps need tables of allauth, which needs the table of users. They are therefore not part of the squashed migration.
Installations that ran these steps as 0021_earlier_accounts run them again, which changes nothing.
"""

from django.db import migrations

from annotate import encryption

ENCRYPTED = "gAAAAA"  # how everything that Fernet encrypts begins; a plain secret is base32 or hexadecimal


def confirm_administrators(apps, schema_editor):
    """Administrators were entered by an operator. Every other address stays as it is until it is confirmed."""
    addresses = apps.get_model("account", "EmailAddress").objects
    for user in apps.get_model("annotate", "User").objects.filter(is_superuser=True):
        if addresses.filter(email=user.email, verified=True).exists():
            continue
        primary = not addresses.filter(user_id=user.pk, primary=True).exclude(email=user.email).exists()
        addresses.update_or_create(
            user_id=user.pk, email=user.email, defaults={"verified": True, "primary": primary}
        )


def encrypt_plain(apps, schema_editor):
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
        ("account", "0009_emailaddress_unique_primary_email"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [
        migrations.RunPython(confirm_administrators, migrations.RunPython.noop),
        migrations.RunPython(encrypt_plain, migrations.RunPython.noop),
    ]
