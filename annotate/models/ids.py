"""Random public IDs and seeds. Public IDs are random, so that nobody can guess IDs or infer the number of rows."""

import secrets


def public_id() -> str:
    """Return 128 random bits as 22 characters in base64url."""
    return secrets.token_urlsafe(16)


def random_seed() -> int:
    """Return a random seed of 53 bits, which fits a signed 64-bit column and is exact in JavaScript."""
    return secrets.randbits(53)
