from __future__ import annotations

import pytest
from flask import Flask
from web_values import done, queued

from graphcap.errors import UserError
from graphcap.store.captures import Store
from graphcap.store.records import Sender
from graphcap.web.admission.at_once import AnswersAtOnce, too_many_streams
from graphcap.web.services import EXTENSION

ANNA, BERT, HERE = Sender("192.0.2.1"), Sender("192.0.2.2"), Sender("127.0.0.1", local=True)


def test_so_many_of_one_address_and_room_again_when_one_is_closed() -> None:
    streams = AnswersAtOnce(2, too_many_streams)
    first, second = streams.hold(ANNA, iter("a")), streams.hold(ANNA, iter("b"))
    with pytest.raises(UserError) as caught:
        streams.hold(ANNA, iter("c"))
    assert (caught.value.code, caught.value.status) == ("too-many-streams", 429)
    streams.hold(BERT, iter("d"))
    assert list(second) == ["b"]
    first.close(), first.close()  # not read, and closed twice
    third = streams.hold(ANNA, iter("e"))
    with pytest.raises(UserError):
        streams.hold(ANNA, iter("f"))
    second.close(), third.close()
    for _ in range(2):
        streams.hold(ANNA, iter("g"))


def test_this_machine_has_no_limit_and_zero_is_none() -> None:
    for most, sender in ((1, HERE), (0, ANNA)):
        streams = AnswersAtOnce(most, too_many_streams)
        for _ in range(5):
            streams.hold(sender, iter("a"))


def test_a_stream_that_has_ended_makes_room(app: Flask, store: Store) -> None:
    ended, waiting = done(store), queued(store)
    limit = app.extensions[EXTENSION].settings.client_streams
    elsewhere = {"REMOTE_ADDR": "192.0.2.1"}
    client = app.test_client()
    for _ in range(limit + 5):
        response = client.get(f"/api/captures/{ended.id}/events", environ_overrides=elsewhere)
        assert "event: done" in response.text
        response.close()
    for _ in range(limit + 5):
        client.head(f"/api/captures/{ended.id}/events", environ_overrides=elsewhere).close()
    held = [client.get(f"/api/captures/{waiting.id}/events", environ_overrides=elsewhere) for _ in range(limit)]
    refused = client.get(f"/api/captures/{waiting.id}/events", environ_overrides=elsewhere)
    assert (refused.status_code, refused.get_json(force=True)["code"]) == (429, "too-many-streams")
    held.pop().close()
    assert client.get(f"/api/captures/{waiting.id}/events", environ_overrides=elsewhere).status_code == 200
    for response in held:
        response.close()


def test_one_html_file_of_an_address_is_written_at_a_time(app: Flask, store: Store) -> None:
    path, elsewhere = f"/api/captures/{done(store).id}/export/html", {"REMOTE_ADDR": "192.0.2.1"}
    client = app.test_client()
    first = client.get(path, environ_overrides=elsewhere)
    refused = client.get(path, environ_overrides=elsewhere)
    assert (refused.status_code, refused.get_json(force=True)["code"]) == (429, "too-many-files")
    assert client.get(path, environ_overrides={"REMOTE_ADDR": "192.0.2.2"}).status_code == 200
    first.close()
    again = client.get(path, environ_overrides=elsewhere)
    assert again.status_code == 200 and again.text.endswith("</html>")


def test_two_looks_of_an_address_at_a_time_are_made(app: Flask) -> None:
    looks, elsewhere = app.extensions[EXTENSION].looks, {"REMOTE_ADDR": "192.0.2.1"}
    client = app.test_client()
    held = [looks.hold(Sender("192.0.2.1"), iter(())) for _ in range(2)]
    refused = client.post("/api/look", json={"code": "x = 1"}, environ_overrides=elsewhere)
    assert (refused.status_code, refused.get_json(force=True)["code"]) == (429, "rate-limited")
    held.pop().close()
    for _ in range(3):
        assert client.post("/api/look", json={"code": "x = 1"}, environ_overrides=elsewhere).status_code == 200
