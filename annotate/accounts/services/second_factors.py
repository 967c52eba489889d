"""Services that re-encrypt or remove researchers' second factors."""

from __future__ import annotations

from allauth.mfa.models import Authenticator

from annotate.core.services.writing import write
from annotate.models import SignInEvent, User
from annotate.server import encryption

from .sign_in_log import note

SECRETS = ("secret", "seed")  # of a TOTP authenticator and of recovery codes


def encrypt_anew() -> int:
    """Re-encrypt every secret with the first key. Returns how many authenticators' secrets were re-encrypted."""
    count = 0
    with write():
        for authenticator in Authenticator.objects.select_for_update():
            data = authenticator.data
            for name in SECRETS:
                if name in data:
                    data[name] = encryption.encrypt_anew(data[name])
            if "migrated_codes" in data:
                data["migrated_codes"] = [encryption.encrypt_anew(code) for code in data["migrated_codes"]]
            authenticator.save(update_fields=["data"])
            count += 1
    return count


def remove_second_factors(user: User) -> int:
    """Remove all of the user's second factors and recovery codes. Returns their number."""
    with write():
        deleted, _ = Authenticator.objects.filter(user=user).delete()
        if deleted:
            note(SignInEvent.Kind.FACTOR_REMOVED, user, "by the operator")
        return int(deleted)
