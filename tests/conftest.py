"""Fixtures for all tests: databases like in production, a browser that reports errors, and a worker that runs jobs."""

import functools
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from tests import emptying, servers
from tests.external_programs import link_programs

pytest_plugins = ["tests.chromium", "tests.chunking", "tests.paraphrase_editor", "tests.word_editor"]


def pytest_pycollect_makemodule(module_path: Path) -> None:
    """Set Hypothesis up before a module imports it. Other modules do not wait for this slow import."""
    if "hypothesis" in module_path.read_text(encoding="utf-8"):
        import hypothesis

        # Data that is slow to generate on a busy machine is no fault.
        usual = {"deadline": None, "max_examples": 10, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
        hypothesis.settings.register_profile("accord", **usual)
        hypothesis.settings.register_profile("ci", **usual, derandomize=True)
        hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "accord")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files without tests of rules if only such tests are wanted, as in the run on SQLite."""
    if not config.option.markexpr.startswith("rules and ") or not collection_path.match("test_*.py"):
        return None
    wanted = ["mark.rules", *(mark for mark in ["django_db(transaction=True)"] if mark in config.option.markexpr)]
    return None if all(mark in collection_path.read_text(encoding="utf-8") for mark in wanted) else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread slow files over the first part of a test run, and start with large files, so that its processes end at
    about the same time.

    Tests with a browser and tests that start programs often wait. Other tests use this time.
    """
    folders: dict[str, list[Path]] = {"project": [], "browser": [], "": []}
    for file in sorted({item.path for item in items}, key=lambda file: (-file.stat().st_size, file)):
        folders.get(file.parent.name, folders[""]).append(file)
    parts = {"project": 0.3, "browser": 0.8, "": 1.0}  # of the run
    place = {}
    for folder, files in folders.items():
        place |= {file: number / len(files) * parts[folder] for number, file in enumerate(files)}
    items.sort(key=lambda item: place[item.path])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin in English, because a request leaves its language active in the thread that runs the tests."""
    if item.config.pluginmanager.has_plugin("django"):
        from django.utils import translation

        translation.activate("en")


def pytest_collection_finish() -> None:
    """Exclude what the collection created from garbage collection, and collect garbage less often, because it would
    take a tenth of the tests' time.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 10)


def pytest_configure(config: pytest.Config) -> None:
    """Give this process folders and a Redis database of its own, and serve static files from where they are. Tests find
    only the programs listed in external_programs.py.
    """
    gc.disable()  # until all tests are collected, because tests and modules are no garbage
    if not hasattr(config, "workerinput"):  # a process of pytest-xdist inherits PATH
        programs = tempfile.TemporaryDirectory(prefix="accord-programs-")
        config.add_cleanup(programs.cleanup)
        Path(programs.name).chmod(0o755)  # servers run as another user if the tests run as root
        os.environ["PATH"] = link_programs(Path(programs.name))
    if not config.pluginmanager.has_plugin("django"):  # pure code is tested without: pytest -p no:django
        return
    folder = tempfile.TemporaryDirectory(prefix="accord-test-")
    config.add_cleanup(folder.cleanup)
    settings.DATA_DIR = Path(folder.name)
    settings.STATIC_ROOT = Path(folder.name) / "static"
    settings.STATIC_ROOT.mkdir()
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True  # otherwise, each test client would read all static files
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"  # the other one needs collectstatic
    }
    settings.PRIVACY_NOTICE = "We store your answers under a pseudonym."  # new studies could not open without one
    settings.CONTACT = "Mara Lindqvist, mara@example.org"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if settings.REDIS_URL:
        number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        settings.REDIS_URL = f"{settings.REDIS_URL.rsplit('/', 1)[0]}/{number}"
        settings.CELERY_BROKER_URL = settings.CACHES["default"]["LOCATION"] = settings.REDIS_URL


@pytest.fixture(scope="session")
def _remove_databases_in_use() -> Iterator[None]:
    """Let PostgreSQL close the remaining connections to a test database and then remove it.

    Django's own statement fails if a thread of the live server or a process that a test started still has a connection.
    """
    from django.db.backends.postgresql.creation import DatabaseCreation

    def remove(creation: Any, name: str, verbosity: int) -> None:
        with creation._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {creation.connection.ops.quote_name(name)} WITH (FORCE)")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseCreation, "_destroy_test_db", remove)
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    _remove_databases_in_use: None,
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> None:
    """Copy a migrated database. On SQLite, it is a file, because threads cannot share a database in memory. On
    PostgreSQL, wait for the server first.
    """
    from tests import template_database  # imports models, so Django must be set up

    database = settings.DATABASES["default"]
    test = database.setdefault("TEST", {})
    if _on_sqlite():
        test["NAME"] = str(tmp_path_factory.mktemp("sqlite") / "test.sqlite3")
        with django_db_blocker.unblock():
            template_database.copy_sqlite_template(Path(test["NAME"]))
        test["MIGRATE"] = False
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    else:
        servers.await_postgres(_database_url(database))
        with django_db_blocker.unblock():
            test["TEMPLATE"] = template_database.template_database(_database_url(database))
        test["MIGRATE"] = test["TEMPLATE"] is None


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the file that `django_db_modify_db_settings` has copied."""
    return _on_sqlite()


def _on_sqlite() -> bool:
    return bool(settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"))


@pytest.fixture(autouse=True, scope="session")
def _empty_tables_with_delete(pytestconfig: pytest.Config) -> Iterator[None]:
    """Empty the tables with DELETE after each test that commits.

    Django would truncate about fifty tables, which takes PostgreSQL 0.2 s, and would then write all content types and
    permissions anew. Tests do not change these two tables, so their rows stay.
    """
    if not pytestconfig.pluginmanager.has_plugin("django"):
        yield
        return
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda self: emptying.empty_tables())
        yield


@pytest.fixture(autouse=True, scope="session")
def _refuse_comparisons_of_json(pytestconfig: pytest.Config) -> Iterator[None]:
    """Let tests on SQLite fail as well if PostgreSQL could not run a query."""
    if not pytestconfig.pluginmanager.has_plugin("django") or not _on_sqlite():
        yield
        return
    from tests.json_queries import comparisons_of_json_refused

    with comparisons_of_json_refused():
        yield


@pytest.fixture(scope="module")
def share(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Return `share(make)`, which shares the result and the database rows of `make()` with all tests of a module.

    The module's transaction contains the transactions of its tests, so no test sees what another has changed. The tests
    must read the rows again, because they share the objects themselves.
    """
    tests = [item for item in request.session.items if item.path == request.path]
    marks = [mark for test in tests for mark in test.iter_markers("django_db")]
    assert not any(mark.kwargs.get("transaction") for mark in marks), "a test that commits ends the shared transaction"

    def shared(make: Callable[[], Any]) -> Any:
        with django_db_blocker.unblock():
            return make()

    module = transaction.atomic()
    module._from_testcase = True  # as in Django's TestCase: services may then begin an outermost transaction
    with django_db_blocker.unblock():
        module.__enter__()
    yield shared
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        module.__exit__(None, None, None)


@pytest.fixture
def forget_counts() -> Iterator[None]:
    """Reset the rate limits, so that requests of one test do not affect other tests."""
    from django.core.cache import cache

    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _forget_outages() -> None:
    """End the outage that an earlier test simulated, because the next request would log that it is over."""
    outages = sys.modules.get("annotate.server.outages")
    if outages is not None:
        outages.database = outages.Outage()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True, scope="session")
def _draw_each_design_once(pytestconfig: pytest.Config) -> Iterator[None]:
    """Remember best–worst designs. Hundreds of tests need the same few designs, some of which take seconds to draw."""
    if not pytestconfig.pluginmanager.has_plugin("django"):
        yield
        return
    import accord_core.bws.numerics.planning
    import bws.design
    from tests.drawn_designs import drawn_once

    with pytest.MonkeyPatch.context() as patch:
        draw = functools.cache(drawn_once(bws.design.best_worst_design))
        for module in (bws.design, accord_core.bws.numerics.planning):
            patch.setattr(module, "best_worst_design", lambda *args, **options: draw(*args, **options).copy())
        yield


@pytest.fixture(autouse=True, scope="session")
def _split_few_times(pytestconfig: pytest.Config) -> Iterator[None]:
    """Calculate the intervals of small studies from 10 splits, as for large studies, instead of from 50. Most tests of
    reports look at other figures.
    """
    if not pytestconfig.pluginmanager.has_plugin("django"):
        yield
        return
    from accord_core.bws.numerics import ceiling, reliability_intervals

    with pytest.MonkeyPatch.context() as patch:
        for module in (ceiling, reliability_intervals):
            patch.setattr(module, "MOST_SPLITS", 10)
        yield


@pytest.fixture(autouse=True, scope="session")
def _align_the_same_pairs_once() -> Iterator[None]:
    """Remember the links of the built-in aligner. Most word-alignment studies in tests have the same pairs."""
    from accord_core.pairs.numerics import prealign

    align, remembered = prealign._align, {}

    def once(pairs: Any, finished: Any, learned: Any, network: Any, base: Any, vectors: Any, say: Any) -> Any:
        if finished or learned or network or base or vectors:
            return align(pairs, finished, learned, network, base, vectors, say)
        key = tuple((tuple(source), tuple(target)) for source, target in pairs)
        if key not in remembered:
            remembered[key] = align(pairs, finished, learned, network, base, vectors, say)
        return remembered[key]._replace(links=list(remembered[key].links))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prealign, "_align", once)
        yield


@pytest.fixture(autouse=True, scope="session")
def _renew_no_lease_in_a_transaction(pytestconfig: pytest.Config) -> Iterator[None]:
    """Do not renew the leases of jobs that run inside a test's transaction.

    Outside tests, no job starts inside a transaction. Inside the transaction of a test, the thread that renews the
    lease cannot see the job, and on SQLite the thread would wait 30 s for the end of the transaction.
    """
    if not pytestconfig.pluginmanager.has_plugin("django"):
        yield
        return
    from annotate.core.services import job_leases

    renewed = job_leases.held

    @contextmanager
    def held(job: Any) -> Iterator[job_leases.Lease]:
        if connection.in_atomic_block:
            yield job_leases.Lease(job)
        else:
            with renewed(job) as lease:
                yield lease

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job_leases, "held", held)
        yield


@pytest.fixture(scope="module")
def _celery_worker(django_db_setup: None) -> Iterator[None]:
    """Start a worker for the tests of one file only, because it would also run the jobs of tests that run them."""
    if not settings.REDIS_URL:
        pytest.fail("a Celery worker needs a Redis, which script/test brings: script/test " + __name__)
    from annotate.celery import app

    environment = {**os.environ, "DATABASE_URL": _test_database_url(), "REDIS_URL": settings.REDIS_URL}
    environment["ACCORD_DATA"] = str(settings.DATA_DIR)
    command = [sys.executable, "-m", "celery", "-A", "annotate", "worker", "--concurrency", "1"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [*command, "--loglevel", "INFO", "--without-gossip", "--without-mingle"],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + servers.START_WITHIN
        while not app.control.ping(timeout=0.2):
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                log.seek(0)
                pytest.fail("the Celery worker did not start:\n" + log.read().decode())
        yield
        process.terminate()
        process.wait(20)


@pytest.fixture
def celery_worker(transactional_db: None, _celery_worker: None) -> Callable[..., None]:
    """Start a real `celery -A annotate worker` on this test's database, and return `wait_until(condition)`."""
    return wait_until


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Return when `condition()` is true, and fail the test if it is still false after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds:g} s: {condition}")
        time.sleep(0.05)


def _test_database_url() -> str:
    return _database_url(connection.settings_dict)


def _database_url(database: dict[str, Any]) -> str:
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    secret = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
    return f"postgresql://{database['USER']}{secret}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
