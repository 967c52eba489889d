"""The pages that show a study's webhooks and their deliveries."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.webhooks.forms import WebhookForm
from annotate.webhooks.models import Webhook
from annotate.webhooks.selectors import latest_deliveries
from annotate.webhooks.services import webhooks as services

SHOWN = 25  # deliveries on a page


@study_page(Action.MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the webhooks of the study. A POST request adds a webhook and shows its page with the secret."""
    form, status = WebhookForm(), 200
    if request.method == "POST":
        form, status = WebhookForm(request.POST), 422
        if form.is_valid():
            with form.show_refusals():
                webhook, secret = services.add_webhook(
                    study.pk, url=form.cleaned_data["url"], kinds=form.cleaned_data["events"], user=request.user
                )
                return _page(request, study, webhook, secret=secret, status=201)
    context = {"study": study, "webhooks": study.webhooks.order_by("pk"), "form": form}
    return render(request, "webhooks/webhooks.html", context, status=status)


@study_page(Action.MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: ConsoleRequest, study: Study, webhook: str) -> HttpResponse:
    """Show a webhook with its latest deliveries. A POST request changes the webhook, or turns it on or off."""
    stored = _webhook(study, webhook)
    if request.method != "POST":
        return _page(request, study, stored)
    if "active" in request.POST:
        services.change_webhook(stored.pk, active=request.POST["active"] == "true", user=request.user)
        return redirect("console:webhook", study.public_id, webhook)
    form = WebhookForm(request.POST)
    if form.is_valid():
        with form.show_refusals():
            services.change_webhook(
                stored.pk, url=form.cleaned_data["url"], kinds=form.cleaned_data["events"], user=request.user
            )
            messages.success(request, "The webhook was changed.")
            return redirect("console:webhook", study.public_id, webhook)
    return _page(request, study, stored, form=form, status=422)


@study_page(Action.MANAGE)
@require_POST
def replace_secret(request: ConsoleRequest, study: Study, webhook: str) -> HttpResponse:
    """Replace the secret, and show the new secret once."""
    stored = _webhook(study, webhook)
    return _page(request, study, stored, secret=services.replace_secret(stored.pk, user=request.user))


@study_page(Action.MANAGE)
@require_POST
def test(request: ConsoleRequest, study: Study, webhook: str) -> HttpResponse:
    services.send_test(_webhook(study, webhook).pk, user=request.user)
    messages.success(request, "Accord sends a test event within a few seconds. Reload this page to see the result.")
    return redirect("console:webhook", study.public_id, webhook)


@study_page(Action.MANAGE)
@require_POST
def delete(request: ConsoleRequest, study: Study, webhook: str) -> HttpResponse:
    services.delete_webhook(_webhook(study, webhook).pk, user=request.user)
    messages.success(request, "The webhook was deleted. Accord will not send the webhook's pending events.")
    return redirect("console:webhooks", study.public_id)


def _webhook(study: Study, public_id: str) -> Webhook:
    return get_object_or_404(study.webhooks, public_id=public_id)


def _page(
    request: ConsoleRequest,
    study: Study,
    webhook: Webhook,
    *,
    form: WebhookForm | None = None,
    secret: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "study": study,
        "webhook": webhook,
        "form": form or WebhookForm(initial={"url": webhook.url, "events": webhook.kinds}),
        "secret": secret,
        "deliveries": latest_deliveries(study).filter(webhook=webhook)[:SHOWN],
    }
    return render(request, "webhooks/webhook.html", context, status=status)
