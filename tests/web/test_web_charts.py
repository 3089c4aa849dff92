from __future__ import annotations

import gzip

import pytest
from flask.testing import FlaskClient
from web_values import done, queued, running

from graphcap.analyses.charts import plotlyjs
from graphcap.analyses.charts.table import CHARTS
from graphcap.store.captures import Store


@pytest.fixture
def base(store: Store) -> str:
    return f"/api/captures/{done(store).id}/charts"


def test_the_charts_are_listed_with_what_draws_them(client: FlaskClient, base: str) -> None:
    answer = client.get(base).get_json()
    assert [chart["name"] for chart in answer["charts"]] == list(CHARTS)
    assert all(chart["title"] and chart["text"] for chart in answer["charts"])
    assert client.get(answer["script"]).status_code == 200


def test_a_chart_counts_all_graphs_of_a_stage(client: FlaskClient, base: str) -> None:
    (export,) = client.get(f"{base}/calls").get_json()["data"]
    assert dict(zip(export["x"], export["y"], strict=True)) == {"cond": 1, "cos": 1, "sin": 1}
    assert export["customdata"][export["x"].index("cos")] == [["export.0/text", [1]]]


def test_an_empty_chart_says_why(client: FlaskClient, base: str) -> None:
    answer = client.get(f"{base}/saved").get_json()
    assert answer == {"data": [], "layout": {"meta": {"reason": "Nothing to show here: there is no backward."}}}


def test_a_target_is_asked_for_by_its_id(client: FlaskClient, base: str) -> None:
    assert client.get(f"{base}/calls?target=t1").get_json() == client.get(f"{base}/calls").get_json()
    assert "t9" in client.get(f"{base}/calls?target=t9").get_json()["detail"]


@pytest.mark.parametrize("path", ["/nothing", "/calls?target=t9"])
def test_what_is_not_there(client: FlaskClient, base: str, path: str) -> None:
    answer = client.get(base + path)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not-found")


def test_unknown_captures(client: FlaskClient) -> None:
    assert [client.get(f"/api/captures/nothing/charts{path}").status_code for path in ("", "/calls")] == [404, 404]


def test_a_chart_of_a_capture_on_its_way_is_made_anew(client: FlaskClient, store: Store) -> None:
    waiting = queued(store).id
    assert client.get(f"/api/captures/{waiting}/charts/calls").get_json()["data"] == []
    on_its_way = running(store).id if store.delete(waiting) else ""
    assert client.get(f"/api/captures/{on_its_way}/charts/distinct").get_json()["data"] == []
    assert client.get(f"/api/captures/{done(store).id}/charts/distinct").get_json()["data"]


def test_answers_are_kept_and_revalidated(client: FlaskClient, base: str) -> None:
    first = client.get(f"{base}/distinct")
    again = client.get(f"{base}/distinct", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)


def test_plotly_comes_from_the_package_and_is_kept_for_good(client: FlaskClient) -> None:
    address = f"/plotly/{plotlyjs.VERSION}/plotly.min.js"
    plain = client.get(address)
    assert plain.data == plotlyjs.content()
    assert plain.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert plain.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    small = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert len(small.data) < len(plain.data) / 2
    assert gzip.decompress(small.data) == plain.data


def test_another_version_of_plotly_is_not_there(client: FlaskClient) -> None:
    assert client.get("/plotly/1.0.0/plotly.min.js").status_code == 404
