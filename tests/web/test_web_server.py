"""The app as it is deployed: gunicorn with two workers and threads, real sockets."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_values import BODY, EXPORT, STAGES, TARGET, done, queued

from graphcap.settings import Settings
from graphcap.store.captures import Store

ROOT = Path(__file__).parents[2]
START_SECONDS = 300  # only so that a failure does not hang
CHUNK = b"x" * (1 << 20)
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHCAP_")}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    def __init__(self, port: int, pid: int, store: Store) -> None:
        self.port, self.pid, self.store = port, pid, store

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        connection = self.connect()
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read()

    def largest_kib(self) -> int:
        """Peak resident size of the largest worker."""
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.pid)], capture_output=True, text=True, check=True)
        peaks = []
        for pid in children.stdout.split():
            status = Path(f"/proc/{pid}/status").read_text()
            peaks.append(int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]))
        return max(peaks)


def serve(command: list[str], port: int, data_dir: Path, **environment: str) -> Iterator[Server]:
    environ = {**ENVIRONMENT, "GRAPHCAP_DATA_DIR": str(data_dir), "OMP_NUM_THREADS": "1", **environment}
    with subprocess.Popen(command, cwd=ROOT, env=environ) as process:
        store = Store(Settings(data_dir=data_dir).sqlalchemy_url)
        server = Server(port, process.pid, store)
        try:
            wait_for(server, process)
            yield server
        finally:
            process.terminate()
            store.close()


def wait_for(server: Server, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            assert server.get("/healthz")[0] == 200
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < end, "the server did not start"
            time.sleep(0.1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    gunicorn = [sys.executable, "-m", "gunicorn", "--worker-class", "gthread", "--threads", "8", "--workers", "2"]
    gunicorn += [
        "--no-control-socket",
        "--graceful-timeout",
        "1",
        "--bind",
        f"127.0.0.1:{port}",
        "app:create_app(with_runner=False)",
    ]
    yield from serve(gunicorn, port, tmp_path_factory.mktemp("gunicorn"))


def test_an_encoded_slash_survives_the_server(server: Server) -> None:
    base = f"/api/captures/{done(server.store).id}/graphs"
    status, body = server.get(f"{base}/export.0%2Ftext/text")
    assert (status, json.loads(body)["text"]) == (200, BODY.text)
    assert json.loads(server.get(f"{base}/export.0%2Ftext")[1])["id"] == BODY.id


def until(response: http.client.HTTPResponse, word: bytes) -> None:
    while word not in (line := response.fp.readline()):
        assert line, f"the stream ended before {word!r}"


def test_events_arrive_while_they_happen(server: Server) -> None:
    created = queued(server.store)
    connection = server.connect()
    connection.request("GET", f"/api/captures/{created.id}/events")
    response = connection.getresponse()

    until(response, b"event: status")
    server.store.claim()
    server.store.targets_found(created.id, (TARGET,), STAGES)
    until(response, b"event: targets")
    server.store.stage_ended(created.id, "t1", EXPORT)
    until(response, b"event: stage")
    server.store.finish(created.id, "done")
    until(response, b"event: done")
    assert response.fp.readline() == b'data: {"status":"done"}\n'


def test_more_streams_than_one_worker_has_threads_leave_room_for_others(server: Server) -> None:
    created = queued(server.store)
    streams = []
    for _ in range(6):
        connection = server.connect()
        connection.request("GET", f"/api/captures/{created.id}/events")
        streams.append((connection, connection.getresponse()))
    assert server.get("/healthz")[0] == 200
    server.store.request_cancel(created.id)
    assert all(b"event: done" in response.read() for _, response in streams)


def post(server: Server, headers: dict[str, str], body: Iterator[bytes]) -> tuple[int, dict[str, object]]:
    """Sends everything before it looks for the answer, as browsers do."""
    connection = server.connect()
    connection.request("POST", "/api/captures", body=body, headers=headers, encode_chunked="Transfer-Encoding" in headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def three_hundred_mb() -> Iterator[bytes]:
    yield b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.py"\r\n\r\n'.ljust(len(CHUNK), b"x")
    for _ in range(299):
        yield CHUNK


@pytest.mark.parametrize("announced", [{"Content-Length": str(300 * len(CHUNK))}, {"Transfer-Encoding": "chunked"}])
@pytest.mark.parametrize("content_type", ["multipart/form-data; boundary=cut", "application/json"])
def test_300_mb_get_their_answer_and_no_memory(server: Server, announced: dict[str, str], content_type: str) -> None:
    before = server.largest_kib()
    status, body = post(server, {"Content-Type": content_type, **announced}, three_hundred_mb())
    assert (status, body["code"]) == (413, "too-large")
    assert "64 MiB" in str(body["detail"])
    assert server.largest_kib() - before < 150 * 1024  # the limit is 64 MiB; a body kept whole would take 300
    assert server.get("/healthz")[0] == 200


def test_a_broken_body_is_the_senders_fault(server: Server) -> None:
    connection = server.connect()
    connection.request(
        "POST",
        "/api/captures",
        body=iter([b"ZZ\r\n\r\n"]),
        headers={"Content-Type": "application/json", "Transfer-Encoding": "chunked"},
    )
    response = connection.getresponse()
    assert (response.status, json.loads(response.read())["code"]) == (400, "bad-request")


def test_a_client_that_goes_away_frees_its_thread(server: Server) -> None:
    created = queued(server.store)
    for _ in range(20):  # more than all threads together
        connection = server.connect()
        connection.request("GET", f"/api/captures/{created.id}/events")
        connection.getresponse().fp.readline()
        connection.close()
    assert server.get("/healthz")[0] == 200


def test_an_open_stream_does_not_hold_up_a_server_that_stops(tmp_path: Path) -> None:
    port = free_port()
    gunicorn = [sys.executable, "-m", "gunicorn", "--worker-class", "gthread", "--threads", "4", "--graceful-timeout", "90"]
    gunicorn += ["--no-control-socket", "--bind", f"127.0.0.1:{port}", "app:create_app(with_runner=False)"]
    for server in serve(gunicorn, port, tmp_path):
        connection = server.connect()
        connection.request("GET", f"/api/captures/{queued(server.store).id}/events")
        response = connection.getresponse()
        until(response, b"event: status")
        os.kill(server.pid, signal.SIGTERM)
        assert b"event: done" not in response.fp.read()  # ends all the same: the page connects again, to the next server


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    environment = {"HOST": "127.0.0.1", "PORT": str(port)}
    yield from serve([sys.executable, "app.py"], port, tmp_path_factory.mktemp("flask"), **environment)


def test_python_app_py_serves_alone(own_server: Server) -> None:
    assert own_server.get("/")[0] == 200
    health = json.loads(own_server.get("/healthz")[1])
    assert (health["status"], health["runner"]) == ("ok", "here")
    headers = {"Content-Type": "application/json", "Content-Length": str(300 * len(CHUNK))}
    assert post(own_server, headers, three_hundred_mb())[0] == 413


def test_many_at_once(own_server: Server) -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(own_server.get("/api/examples")[0])) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200] * 20
