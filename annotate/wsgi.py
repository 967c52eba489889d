"""The WSGI application that gunicorn serves."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")

from annotate.server.first_chunk import with_first_chunk

gc.disable()  # looking for garbage takes an eighth of the time, and loaded modules contain none
application = with_first_chunk(get_wsgi_application())
gc.freeze()
gc.enable()
