"""Ids for the outside: random, so that nobody can count them up or guess a neighbour's."""

import secrets


def public_id() -> str:
    """128 random bits, base64url: 22 characters."""
    return secrets.token_urlsafe(16)


def random_seed() -> int:
    """A seed that fits a signed 64-bit column and stays exact in JavaScript (53 bits)."""
    return secrets.randbits(53)
