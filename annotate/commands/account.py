"""The `accord account` commands, which operators use to manage researchers' accounts."""

from __future__ import annotations

import click

from annotate.cli.options import CommandGroup
from annotate.cli.support import user_with_address, with_django

from .join_links import note_unknown_address

email_argument = click.argument("email", metavar="EMAIL")


@click.group(cls=CommandGroup)
def group() -> None:
    """Manage researchers' accounts, second factors and encryption keys.

    \b
    Examples:
        accord account invite ada@example.org
        accord account remove-second-factor ada@example.org
    """


@group.command()
@email_argument
@with_django
def invite(email: str) -> None:
    """Print a personal link that the owner of EMAIL can use to create an account. If a mail server is configured, also
    send the link by e-mail.
    """
    from annotate.core.permissions import SYSTEM
    from annotate.studies.services.members import deliver, invitation_link
    from annotate.studies.services.members import invite as invite_

    invitation = invite_(None, email=email, role="", user=SYSTEM)
    click.echo(invitation_link(invitation))
    note_unknown_address()
    deliver(invitation)


@group.command("sign-in-link")
@email_argument
@with_django
def sign_in_link(email: str) -> None:
    """Print a link that the owner of EMAIL can use to sign in once."""
    from django.conf import settings

    from annotate.core.services.credentials import login_path

    click.echo(settings.SITE_URL + login_path(user_with_address(email)))
    note_unknown_address()


@group.command("confirm-address")
@email_argument
@with_django
def confirm_address(email: str) -> None:
    """Record that EMAIL belongs to the person who uses the account. Verify this first."""
    from annotate.accounts.services import confirm_address as confirm

    confirm(user_with_address(email))
    click.echo(f"The address {email} is confirmed.")


@group.command("remove-second-factor")
@email_argument
@with_django
def remove_second_factor(email: str) -> None:
    """Remove lost second factors from the account that belongs to EMAIL. Verify the identity of the account's owner
    first.
    """
    from annotate.accounts.services import remove_second_factors

    click.echo(f"Removed {remove_second_factors(user_with_address(email))} second factors from the account {email}.")


@group.command("re-encrypt")
@with_django
def re_encrypt() -> None:
    """Re-encrypt all stored secrets, such as second factors, with the first key in ACCORD_ENCRYPTION_KEYS."""
    from annotate.accounts.services import encrypt_anew

    click.echo(f"Secrets encrypted with the first key: {encrypt_anew():,}.")


@group.command("sign-in-log")
@click.argument("email", metavar="[EMAIL]", required=False)
@with_django
def sign_in_log(email: str | None) -> None:
    """Print the sign-in log, oldest entry first. If EMAIL is set, print only the entries for that account."""
    from annotate.models import SignInEvent

    lines = SignInEvent.objects.select_related("user").order_by("at")
    if email:
        lines = lines.filter(user=user_with_address(email))
    for line in lines.iterator():
        email_or_dash = line.user.email if line.user else "-"
        click.echo(f"{line.at:%Y-%m-%dT%H:%M:%SZ}\t{line.kind}\t{email_or_dash}\t{line.address or '-'}\t{line.detail}")
