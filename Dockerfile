# The image of Accord. Without settings, it serves from one process, with SQLite in the volume /data. With DATABASE_URL
# and REDIS_URL, it is every process of docker-compose.yml.
FROM debian:12.12-slim AS python
# Debian removes old versions from its archive when it corrects them, so the versions of its packages are not pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 \
    && rm -rf /var/lib/apt/lists/*

# The development container also uses this stage (see .devcontainer).
FROM python AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git python3-pip python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/accord
ENV PATH=/opt/accord/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

FROM build AS packages
WORKDIR /source
ENV PACKAGES=/opt/accord/lib/python3.11/site-packages
# Docker builds this layer again only if the requirements change. Accord does not use the packages' tests, their
# translations into other languages, or source maps, of which collectstatic needs those of the API's pages.
COPY requirements/base.txt requirements/
RUN pip install --no-compile --require-hashes --no-deps -r requirements/base.txt \
    && find "$PACKAGES" -type d -name tests -prune -exec rm -r {} + \
    && find "$PACKAGES" -type d -name LC_MESSAGES -not -path "*/en/*" -not -path "*/de/*" -not -path "*/es/*" \
       -not -path "*/ar/*" -prune -exec rm -r {} + \
    && find "$PACKAGES" -type f -regex ".*[.]\(po\|pyi\|pyx\)" -delete
COPY . .
RUN pip install --no-deps --no-build-isolation ./packages/core . \
    && pip uninstall --yes --quiet setuptools pip
WORKDIR /
# These commands need a key, which is not stored. REDIS_URL selects the settings of production; no connection is made.
# `check` compiles the modules that Accord loads, because a running container cannot write them.
RUN export SECRET_KEY=for-these-commands-only-it-signs-nothing-and-is-thrown-away-0123456789 REDIS_URL=redis://none \
       ACCORD_DATA=/tmp/build ACCORD_STATIC=/opt/accord/static \
    && python -m annotate collectstatic --no-input --verbosity 0 \
    && python -m annotate check \
    && find /opt/accord -type f -regex ".*[.]map\([.]gz\)?" -delete

FROM python
COPY --from=packages /opt/accord /opt/accord
# Any user can create a folder in the volumes, so the container also runs under a user ID that the platform chooses.
RUN useradd --system --uid 10001 --home-dir /data/accord --no-create-home accord \
    && install --directory --mode 1777 /data /backups
ENV PATH=/opt/accord/bin:/usr/local/bin:/usr/bin:/bin ACCORD_DATA=/data/accord ACCORD_STATIC=/opt/accord/static \
    PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /data
USER 10001
VOLUME ["/data", "/backups"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=10s --start-period=10m \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=5)"]
CMD ["accord", "serve", "--host", "0.0.0.0"]
