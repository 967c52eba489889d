"""Django settings, read from the environment: DATABASE_URL, REDIS_URL, SECRET_KEY and ACCORD_*.

Without any of them, Accord runs *embedded*: SQLite in the folder `ACCORD_DATA`, and a Celery worker thread with an
in-memory queue inside the only web process. docs/settings.md describes every setting.
"""

from .accounts import *
from .api import *
from .applications import *
from .base import *
from .database import *
from .jobs import *
from .limits import *
from .logs import *
from .threads import *
from .web import *
