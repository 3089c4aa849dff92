"""The server's log at its most talkative holds nothing that a person sent. The whole way, with torch itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_web_server import ROOT, Server, free_port, wait_for

from graphcap.settings import Settings
from graphcap.store.captures import Store

MARK = "xQ7secretQx"
CODE = f"""
import sys, torch
print("{MARK}"); print("{MARK}", file=sys.stderr)

class {MARK}Module(torch.nn.Module):
    def forward(self, {MARK}_input):
        return {MARK}_input.sin()

model = {MARK}Module()
example_args = (torch.randn(4),)
"""
FAILS = f"raise RuntimeError('{MARK}')"
TALKATIVE = """
import logging, sys
logging.basicConfig(level=logging.DEBUG)
import app
from graphcap.web.operator.log import QuietRequests
made = app.create_app()
@made.get("/api/fault/<word>")
def fault(word):
    raise ZeroDivisionError
made.run(host="127.0.0.1", port=int(sys.argv[1]), threaded=True, request_handler=QuietRequests)
"""


def post(server: Server, body: object, content_type: str = "application/json") -> tuple[int, dict[str, object]]:
    connection = server.connect()
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", "/api/captures", body=data, headers={"Content-Type": content_type})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def ended(server: Server, id: object) -> dict[str, object]:
    deadline = time.monotonic() + 300
    while True:
        found: dict[str, object] = json.loads(server.get(f"/api/captures/{id}")[1])
        if found["status"] in ("done", "failed"):
            return found
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.mark.torch
def test_nothing_that_was_sent_is_in_the_log(tmp_path: Path) -> None:
    port = free_port()
    environ = {**os.environ, "GRAPHCAP_DATA_DIR": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1"}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", TALKATIVE, str(port)], cwd=ROOT, env=environ, stdout=log, stderr=log
        )
    store = Store(Settings(data_dir=tmp_path / "data").sqlalchemy_url)
    server = Server(port, process.pid, store)
    try:
        wait_for(server, process)
        use(server)
    finally:
        process.terminate()
        process.wait(300)
        store.close()
    text = (tmp_path / "log").read_text(errors="replace")
    assert "captures run in the jail" in text and "ZeroDivisionError" in text  # it is the log, and it is talkative
    assert "DEBUG" in text
    lines = [line for line in text.splitlines() if MARK.lower() in line.lower()]
    assert not lines


def use(server: Server) -> None:
    """Sends the mark wherever something can be sent."""
    status, sent = post(server, {"code": CODE, "name": f"{MARK}.py"})
    assert status == 202
    _, failing = post(server, {"code": FAILS, "options": {"inputs": f"{MARK}: f32[2]"}})
    capture = ended(server, sent["id"])
    assert capture["status"] == "done"
    assert ended(server, failing["id"])["status"] == "failed"
    base = f"/api/captures/{sent['id']}"
    assert MARK in server.get(f"{base}/log")[1].decode() and MARK in server.get(f"{base}/source")[1].decode()
    assert server.get(f"{base}/graphs/export.0/nodes/{MARK}_input".replace(MARK, MARK.lower()))[0] in (200, 404)
    assert server.get(f"{base}/graphs/export.0/nodes/{MARK}")[0] == 404
    assert server.get(f"{base}/events")[0] == 200
    for body in ({"code": 7, MARK: 1}, {"code": CODE, "options": {"mode": MARK}}, {"code": f"\0{MARK}"}):
        assert post(server, body)[0] >= 400
    assert post(server, f'{{"code": "{MARK}'.encode())[0] == 400
    form = f'--cut\r\nContent-Disposition: form-data; name="{MARK}"; filename="{MARK}"\r\n\r\n{MARK}\r\n--cut--\r\n'.encode()
    assert post(server, form, "multipart/form-data; boundary=cut")[0] == 400
    assert server.get(f"/api/fault/{MARK}")[0] == 500
    assert server.get(f"/{MARK}?{MARK}={MARK}")[0] == 404
