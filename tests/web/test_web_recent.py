from __future__ import annotations

import threading
import time

from flask import Flask
from flask.testing import FlaskClient
from web_values import done

from graphcap.graph.document import Graph, Node
from graphcap.store.captures import Store
from graphcap.web.recent import RecentGraphs, Sized
from graphcap.web.services import EXTENSION


def graph(nodes: int) -> Graph:
    return Graph("export.0", "g", 0, tuple(Node(f"n{i}", "placeholder", "x") for i in range(nodes)))


class Decoder:
    def __init__(self, nodes: int, size: int = 0) -> None:
        self.made = 0
        self._sized = Sized(graph(nodes), size)

    def __call__(self) -> Sized:
        self.made += 1
        time.sleep(0.01)
        return self._sized


def test_what_is_kept_is_not_decoded_again() -> None:
    recent, decoder = RecentGraphs(10), Decoder(4)
    assert recent.get("a", decoder) is recent.get("a", decoder)
    assert (decoder.made, recent.weight) == (1, 4)


def test_nodes_are_the_bound_and_the_one_not_asked_for_longest_goes() -> None:
    recent = RecentGraphs(10)
    a, b, c = Decoder(4), Decoder(4), Decoder(4)
    recent.get("a", a), recent.get("b", b), recent.get("a", a)
    recent.get("c", c)
    assert recent.weight == 8
    recent.get("a", a), recent.get("c", c), recent.get("b", b)
    assert (a.made, b.made, c.made) == (1, 2, 1)


def test_many_small_ones_are_kept() -> None:
    recent, decoders = RecentGraphs(100), [Decoder(2) for _ in range(50)]
    for _ in range(2):
        for i, decoder in enumerate(decoders):
            recent.get(i, decoder)
    assert {decoder.made for decoder in decoders} == {1} and recent.weight == 100


def test_few_nodes_of_many_bytes_count_by_their_bytes() -> None:
    recent = RecentGraphs(100)
    recent.get("a", Decoder(1, 60 * 1024))
    recent.get("b", Decoder(1, 60 * 1024))
    assert recent.weight == 60


def test_one_that_is_too_large_is_not_kept_and_drives_nothing_out() -> None:
    recent, small, large = RecentGraphs(10), Decoder(4), Decoder(11)
    recent.get("small", small)
    assert len(recent.get("large", large).nodes) == 11
    recent.get("large", large), recent.get("small", small)
    assert (large.made, small.made, recent.weight) == (2, 1, 4)


def test_an_empty_graph_takes_room_too() -> None:
    recent = RecentGraphs(3)
    for i in range(10):
        recent.get(i, Decoder(0))
    assert recent.weight == 3


def test_threads_that_ask_for_one_graph_decode_it_once() -> None:
    recent, decoder = RecentGraphs(10), Decoder(4)
    threads = [threading.Thread(target=recent.get, args=("a", decoder)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert decoder.made == 1


def test_nodes_of_a_graph_are_shown_from_it(app: Flask, client: FlaskClient, store: Store) -> None:
    recent = app.extensions[EXTENSION].recent
    url = f"/api/captures/{done(store).id}/graphs/export.0/nodes/"
    assert client.get(url + "sin").status_code == 200 and recent.weight == 4
    assert client.get(url + "cond").status_code == 200 and recent.weight == 4
