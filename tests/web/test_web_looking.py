"""POST /api/look: what would be captured, and that nothing is kept of it."""

from __future__ import annotations

import io
import json

from flask.testing import FlaskClient

from graphcap.web.openapi.description import description

NET = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
NET += "        self.l = torch.nn.Linear(n, 2)\n    def forward(self, x): return self.l(x)\n"


def test_code_is_looked_at_with_options_as_they_are_typed(client: FlaskClient) -> None:
    sent = {"code": NET, "options": {"construct": "Net(5)", "inputs": "x: f3[", "mode": "eval"}}
    response = client.post("/api/look", json=sent)
    body = response.get_json()
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    assert (body["rule"], body["guessed"], body["classes"][0]["name"]) == ("construct", "x: f32[2, 5]", "Net")
    assert [(each["field"], each["offset"]) for each in body["problems"]] == [("inputs", 3)]


def test_several_files_are_looked_at_or_the_entry_asked_for(client: FlaskClient) -> None:
    def looked(names: list[str], options: str = "") -> dict[str, object]:
        files = [(io.BytesIO(NET.encode()), name) for name in names]
        found: dict[str, object] = client.post("/api/look", data={"file": files, "options": options}).get_json()
        return found

    asked = looked(["a.py", "b.py"])
    assert (asked["entries"], asked["needs"]) == (["a.py", "b.py"], ["entry"])
    chosen = looked(["a.py", "b.py"], json.dumps({"entry": "b.py", "construct": "Net(3)"}))
    assert (chosen["entry"], chosen["guessed"]) == ("b.py", "x: f32[2, 3]")


def test_what_is_refused_is_refused_as_a_submission_is(client: FlaskClient) -> None:
    for sent in ({"code": NET, "options": {"mode": "fast"}}, {"code": NET, "options": [1]}):
        assert client.post("/api/look", json=sent).get_json()["code"] == "bad-options"
    assert client.post("/api/look", json={"code": ""}).get_json()["code"] == "empty-upload"
    named = client.post("/api/look", json={"code": NET, "options": {"entry": "b.py"}}).get_json()
    assert named["code"] == "which-entry"
    assert named["code"] in description()["paths"]["/api/look"]["post"]["responses"]["422"]["description"]
    other = client.post("/api/look", json={"code": NET}, headers={"Sec-Fetch-Site": "cross-site"})
    assert other.status_code == 403
