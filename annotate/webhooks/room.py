"""Webhooks: addresses that receive the events of a study. Can be removed from an installation."""

from annotate.tasktypes.extensions import Extension, register

from .services.deliveries import announce

register("webhooks", Extension(announce=announce))
