"""The CPU time of a cycle, compared with plain psycopg that sends only the cycle's SQL statements.

A cycle is one request that submits a HIT of six answers and claims the next HIT. The statements of all measured cycles
are recorded with their parameters. Plain psycopg then sends them as prepared statements to a copy of the database,
which was made before the first of these cycles: the statements of each cycle in one transaction. Both times include the
PostgreSQL process that serves the connection. Neither includes a network, because the request goes directly to the WSGI
application.

    script/bench statements
"""

from __future__ import annotations

import json
from statistics import median

from bench.cycles import MAKE
from bench.serving import POSTGRESQL, empty_database, printed
from tests import servers

ITEMS = 9_000
ANNOTATORS = 10
CYCLES = 300
ROUNDS = 3
MOST = 2.0  # times the CPU time of plain psycopg

MEASURE = """
import io, json, os, sys, time
import django
django.setup()
import psycopg
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.db.backends.postgresql.psycopg_any import get_adapters_template

tokens, cycles = json.loads(sys.argv[1]), int(sys.argv[2])
application = get_wsgi_application()
TICK = os.sysconf("SC_CLK_TCK")

def post(token, path, body):
    data = json.dumps(body).encode()
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": "/api/v1/" + path, "QUERY_STRING": "", "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(data), "wsgi.errors": sys.stderr, "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(data)), "HTTP_HOST": "localhost", "HTTP_AUTHORIZATION": "Participation " + token,
    }
    status = []
    reply = application(environ, lambda line, headers, error=None: status.append(line))
    text = b"".join(reply)
    reply.close()
    assert status[0].startswith("20"), (status, text)
    return json.loads(text)

def cycle(token, mine):
    answers = [{"position": q["position"], "value": {"best": 1, "worst": 2}, "seconds": 5.0} for q in mine["questions"]]
    reply = post(token, f"assignments/{mine['id']}/submission", {"answers": answers, "next": True})
    return reply["next"]["assignment"]

def server_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK

def measured(pid, work):
    client, server = time.process_time(), server_seconds(pid)
    work()
    return [time.process_time() - client, server_seconds(pid) - server]

def finished(database):
    with database.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM annotate_assignment WHERE submitted_at IS NOT NULL")
        return cursor.fetchone()[0]

mine = {token: post(token, "claims", {})["assignment"] for token in tokens}
for _ in range(5):  # compile, prepare and cache
    for token in tokens:
        mine[token] = cycle(token, mine[token])
with connection.cursor() as cursor:
    cursor.execute("ANALYZE")  # as autovacuum does within a minute of a running study
parameters = connection.get_connection_params()
connection.close()
copy = parameters["dbname"] + "_copy"
outside = parameters | {"dbname": "postgres", "cursor_factory": psycopg.ClientCursor}
with psycopg.connect(**outside, autocommit=True) as admin:
    admin.execute(f'DROP DATABASE IF EXISTS "{copy}"')
    admin.execute(f'CREATE DATABASE "{copy}" TEMPLATE "{parameters["dbname"]}"')

recorded = []
def record(execute, sql, values, many, context):
    recorded[-1].append((sql, values))
    return execute(sql, values, many, context)

def all_cycles():
    for number in range(cycles):
        recorded.append([])
        token = tokens[number % len(tokens)]
        mine[token] = cycle(token, mine[token])

with connection.cursor() as cursor:
    cursor.execute("SELECT pg_backend_pid()")
    pid = cursor.fetchone()[0]
with connection.execute_wrapper(record):
    accord = measured(pid, all_cycles)
after = finished(connection)

template = get_adapters_template(settings.USE_TZ, connection.timezone)
parameters.update(dbname=copy, cursor_factory=psycopg.Cursor, context=template)
with psycopg.connect(**parameters) as plain:
    pid = plain.info.backend_pid
    def send():
        for statements in recorded:
            with plain.cursor() as cursor:
                for sql, values in statements:
                    cursor.execute(sql, values)
                    if cursor.description:
                        cursor.fetchall()
            plain.commit()
    alone = measured(pid, send)
    assert finished(plain) == after, "the statements alone did not store the same"
statements = sum(map(len, recorded)) / cycles
print(json.dumps({"Accord": accord, "plain psycopg": alone, "statements": statements}))
"""


def main() -> None:
    """Print the CPU time of a cycle and of its statements alone, and their ratio in each round."""
    ratios = []
    for _ in range(ROUNDS):
        with servers.postgres() as url, empty_database(POSTGRESQL | {"DATABASE_URL": url}) as env:
            tokens = printed(env, MAKE, ITEMS, ANNOTATORS)
            found = printed(env, MEASURE, json.dumps(tokens), CYCLES)
        for name in ("Accord", "plain psycopg"):
            client, server = (1000 * seconds / CYCLES for seconds in found[name])
            print(
                f"{name}: {client + server:.2f} ms per cycle, of which Python {client:.2f} and PostgreSQL {server:.2f}"
            )
        ratios.append(sum(found["Accord"]) / sum(found["plain psycopg"]))
        print(f"{found['statements']:.1f} statements without BEGIN and COMMIT; ratio {ratios[-1]:.2f}", flush=True)
    ratio = median(ratios)  # other programs on the machine disturb single rounds
    print(f"{'holds' if ratio <= MOST else 'DOES NOT HOLD'}: at most {MOST} times plain psycopg (median {ratio:.2f})")


if __name__ == "__main__":
    main()
