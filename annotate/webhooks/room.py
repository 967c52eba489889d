"""Webhooks: addresses that receive the events of a study."""

from annotate.tasktypes.extensions import Extension, register

from .services.deliveries import announce

register("webhooks", Extension(announce=announce))
