"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")

from annotate.first_chunk import with_first_chunk

application = with_first_chunk(get_wsgi_application())
