"""The commands `accord account`, with which operators manage researchers' accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.commands import with_django

if TYPE_CHECKING:
    from annotate.models import User

email_argument = click.argument("email", metavar="EMAIL")


@click.group()
def group() -> None:
    """Manage researchers' accounts, their second factors and the encryption keys.

    \b
    Examples:
        accord account invite ada@example.org
        accord account remove-second-factor ada@example.org
    """


@group.command()
@email_argument
@with_django
def invite(email: str) -> None:
    """Print a personal link with which EMAIL can create an account. If there is a mail server, also mail the link."""
    from annotate.services.invitations import invitation_link, mail_invitation, mail_is_set_up
    from annotate.services.invitations import invite as invite_

    invitation = invite_(None, email=email, role="", user=None)
    click.echo(invitation_link(invitation))
    if mail_is_set_up():
        mail_invitation(invitation)


@group.command()
@email_argument
@with_django
def confirm(email: str) -> None:
    """Record that EMAIL belongs to the person who uses the account. Verify this first."""
    from annotate.services.accounts import confirm_address

    confirm_address(account(email))
    click.echo(f"{email} is confirmed")


@group.command("remove-second-factor")
@email_argument
@with_django
def remove_second_factor(email: str) -> None:
    """Remove the lost second factors of EMAIL. Verify the person's identity first."""
    from annotate.services.second_factors import remove_second_factors

    click.echo(f"{remove_second_factors(account(email))} second factors of {email} removed")


@group.command()
@with_django
def encrypt() -> None:
    """Re-encrypt the secrets of second factors with the first key of ACCORD_ENCRYPTION_KEYS."""
    from annotate.services.second_factors import encrypt_anew

    click.echo(f"the secrets of {encrypt_anew():,} second factors are encrypted with the first key")


@group.command()
@click.argument("email", metavar="[EMAIL]", required=False)
@with_django
def log(email: str | None) -> None:
    """Print the sign-in log, oldest entry first. With EMAIL, print only entries of that account."""
    from annotate.models import SignInEvent

    lines = SignInEvent.objects.select_related("user").order_by("at")
    if email:
        lines = lines.filter(user=account(email))
    for line in lines.iterator():
        email_or_dash = line.user.email if line.user else "-"
        click.echo(f"{line.at:%Y-%m-%dT%H:%M:%SZ}\t{line.kind}\t{email_or_dash}\t{line.address or '-'}\t{line.detail}")


def account(email: str) -> User:
    from annotate.models import User

    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None:
        raise click.ClickException(f"there is no account with the address {email}")
    return user
