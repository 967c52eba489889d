"""The periodic task that deletes the contents of results files that nobody imports."""

from celery import shared_task

from annotate.celery import app

from .models import ResultImport
from .services import result_imports


@shared_task
def delete_unused_results() -> int:
    return result_imports.delete_unused(ResultImport.objects.all())


app.add_periodic_task(3600.0, app.signature(f"{__name__}.delete_unused_results"), name="delete-unused-results")
