"""Static files for the embedded server. The server reads the files from their source folders and compresses them, and
browsers cache them as in production.

`collectstatic` prepares these files in production. The embedded server does the same work when a file is first
requested, so that `accord serve` starts at once and always serves the current files.
"""

from __future__ import annotations

import atexit
import gzip
import os
import re
import threading
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from wsgiref.headers import Headers

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

HASHED = re.compile(r"(?P<stem>.+)\.[0-9a-f]{12}(?P<suffix>\.\w+)")
COMPRESSION = 6  # the level of gzip, which takes milliseconds per file


class HashedNames(StaticFilesStorage):
    """A storage whose URLs contain a hash of each file's content. `EmbeddedStaticFiles` serves these URLs."""

    def url(self, name: str | None) -> str:
        return super().url(hashed_name(name or ""))


@cache
def hashed_name(name: str) -> str:
    """Return the name with a hash of the file's content added. If there is no such file, return the name unchanged."""
    path = finders.find(name)
    if not path or not Path(path).is_file():
        return name
    stem, suffix = os.path.splitext(name)
    return f"{stem}.{sha256(Path(path).read_bytes()).hexdigest()[:12]}{suffix}"


class EmbeddedStaticFiles(WhiteNoiseMiddleware):
    """Middleware that serves static files from their source folders, compressed with gzip.

    Browsers keep a file whose URL contains the hash of its content, and check every other file after a minute.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._served: dict[str, StaticFile] = {}
        self._compressor = Compressor(use_brotli=False, quiet=True)
        self._folder = Path(mkdtemp(prefix="accord-static-"))
        atexit.register(rmtree, self._folder, ignore_errors=True)
        self._lock = threading.Lock()
        super().__init__(*arguments, **options)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        file = self._file(request.path_info) if request.path_info.startswith(self.static_prefix) else None
        response: HttpResponseBase = self.serve(file, request) if file else self.get_response(request)
        return response

    def add_files_from_finders(self) -> None:
        """Do nothing, because the list of files is read when the first request needs a file."""

    @cached_property
    def _sources(self) -> dict[str, str]:
        """A mapping from URLs to the paths of all static files. Only files in the mapping can be served."""
        sources: dict[str, str] = {}
        for finder in finders.get_finders():
            for path, storage in finder.list(None):
                sources.setdefault(self.static_prefix + path.replace("\\", "/"), storage.path(path))
        return sources

    def get_name_without_hash(self, filename: str) -> str:
        match = HASHED.fullmatch(filename)
        return match["stem"] + match["suffix"] if match else filename

    def _file(self, url: str) -> StaticFile | None:
        if url not in self._served:
            plain = self.static_prefix + self.get_name_without_hash(url.removeprefix(self.static_prefix))
            hashed = plain in self._sources and self.immutable_file_test(self._sources[plain], url)
            source = self._sources.get(plain if hashed else url)
            if source is None:
                return None
            with self._lock:
                self._served[url] = self._prepared(source, url)
        return self._served[url]

    def _prepared(self, path: str, url: str) -> StaticFile:
        headers = Headers([])
        self.add_mime_headers(headers, path, url)
        self.add_cache_headers(headers, path, url)
        return StaticFile(path, headers.items(), encodings={"gzip": self._compressed(path)})

    def _compressed(self, path: str) -> str:
        """Compress the file into this process's folder, unless compression saves no space. Return the path of the
        copy.
        """
        copy = self._folder / f"{sha256(path.encode()).hexdigest()}.gz"
        if self._compressor.should_compress(path) and not copy.exists():
            content = Path(path).read_bytes()
            compressed = gzip.compress(content, COMPRESSION, mtime=0)
            if len(compressed) < len(content):
                copy.write_bytes(compressed)
        return str(copy)
