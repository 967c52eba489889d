# The image for web, worker, beat and migrations. docker-compose.yml has the command of each service.
FROM python:3.11.13-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /accord

# Docker builds this layer again only if the requirements change.
COPY requirements/base.txt requirements/
RUN pip install --require-hashes --no-deps -r requirements/base.txt

COPY . .
# collectstatic needs a key, which is not stored. REDIS_URL selects the file names of production; no connection is made.
RUN pip install --no-deps --no-build-isolation --editable packages/core --editable . \
    && SECRET_KEY=for-this-command-only-it-signs-nothing-and-is-thrown-away-0123456789 REDIS_URL=redis://none ACCORD_DATA=/tmp/build \
       python manage.py collectstatic --no-input --verbosity 0 \
    && rm -rf /tmp/build \
    && python -m compileall -q . \
    && useradd --system --create-home --uid 10001 accord \
    && install --directory --owner accord --mode 0700 /data /backups

USER accord
ENV ACCORD_DATA=/data
VOLUME ["/data", "/backups"]
EXPOSE 8000
CMD ["gunicorn", "annotate.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "annotate.server.web_worker.BufferingWorker", "--workers", "3", "--threads", "8", "--no-control-socket"]
