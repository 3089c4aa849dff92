"""What a capture process sends is hostile: whatever it is, the run ends with a clear failure; the stages before it stay."""

from __future__ import annotations

import pytest
from running import run, stages, statuses

from graphcap.graph.check import MAX_WORDS
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import Failure, Options, Target
from graphcap.graph.stream import Found, Hello, Message, Nothing, frame
from graphcap.jobs.messages import Conversation
from graphcap.jobs.pipeline import message_limits
from graphcap.settings import Settings
from graphcap.store.captures import Store

GOOD = """
begin()
say(Started('t1', 'eager'))
say(Ended('t1', stage('eager', graph('eager.0'))))
say(Started('t1', 'export'))
"""

REFUSED = {
    "junk": ("raw(b'junk' * 100)", "a message of 1786080875 bytes"),
    "a lying length": ("raw(PREFIX.pack(2**32 - 1))", "a message of 4294967295 bytes; the limit is 2097152"),
    "no JSON": ("raw(PREFIX.pack(3) + b'{{{')", "unreadable"),
    "not UTF-8": ("raw(PREFIX.pack(4) + b'\"\\xff\\xff\"')", "unreadable"),
    "empty message": ("raw(PREFIX.pack(0))", "unreadable"),
    "unknown message": ('raw(PREFIX.pack(12) + b\'{"m": "run"}\')', "Invalid value 'run'"),
    "unknown field": ('b = b\'{"m":"bye","x":1}\'; raw(PREFIX.pack(len(b)) + b)', "unknown field `x`"),
    "a second hello": ("say(Hello('2'))", "Hello came out of turn"),
    "nothing after targets": ("say(Nothing(()))", "nothing was captured, after something"),
    "a stage of nobody's": ("say(Started('t2', 'export'))", "not asked for"),
    "a stage not asked for": ("say(Ended('t1', stage('joint')))", "stage joint of 't1' was not asked for"),
    "a stage twice": ("say(Ended('t1', stage('eager')))", "stage eager of t1 came twice"),
    "a stage that goes on": ("say(Ended('t1', stage('export', status='running')))", "ended as running"),
    "negative time": ("say(Ended('t1', stage('export', seconds=-1.0)))", "negative time"),
    "infinite time": (
        'b = b\'{"m":"ended","target":"t1","stage":{"id":"export","status":"done","seconds":1e999}}\'\n'
        "raw(PREFIX.pack(len(b)) + b)",
        "unreadable",
    ),
    "a target twice": ("say(Found((Target('t1', 'again', 'x'),)))", "target 2 is called 't1'"),
    "a strange target": ("say(Found((Target('../t2', 'x', 'x'),)))", "target 2 is called"),
    "a target with stages": ("say(Found((Target('t2', 'x', 'x', stages=(stage('export'),)),)))", "came with stages"),
    "a thousand targets": ("say(Found(tuple(Target(f't{i}', 'x', 'x') for i in range(2, 1000))))", "more than 64 targets"),
    "a title without end": ("say(Found((Target('t2', 'x' * 1000, 'x'),)))", "title"),
    "a forged GID": ("say(Ended('t1', stage('export', graph('joint.0'))))", "no id of a graph of this stage"),
    "a GID that climbs": ("say(Ended('t1', stage('export', Graph('export.0/../../x', 'x', 0, ()))))", "no id of a graph"),
    "another target's GID": ("say(Ended('t1', stage('export', graph('t2.export.0'))))", "is not of target t1"),
    "a GID twice": ("say(Ended('t1', stage('export', graph(), graph())))", "two graphs are called"),
    "a reference to the future": (
        "g = Graph('export.0', 'x', 0, (Node('a', 'call_function', 'f', args=(Ref(5),)),))\n"
        "say(Ended('t1', stage('export', g)))",
        "refers to node 5",
    ),
    "huge nesting": (
        "a = 1\nfor _ in range(100): a = Seq('list', (a,))\n"
        "say(Ended('t1', stage('export', Graph('export.0', 'x', 0, (Node('a', 'call_function', 'f', args=(a,)),)))))",
        "nested deeper",
    ),
    "nesting without end": ("b = b'{\"m\":' + b'[' * 1_000_000; raw(PREFIX.pack(len(b)) + b)", "unreadable"),
    "half a character": ('b = b\'{"m":"hello","torch":"\\\\ud800"}\'; raw(PREFIX.pack(len(b)) + b)', "unreadable"),
    "added too early": ("say(Added('t1', 'export'))", "before it ended"),
    "added to nobody's stage": ("say(Added('t2', 'eager'))", "before it ended"),
    "added twice": ("say(Added('t1', 'eager', (graph('eager.0'),)))", "two graphs are called"),
    "a forged replay": ("say(Added('t1', 'eager', replays=(Replayed('x.0', Replay('compared')),)))", "no graph of it"),
    "a replay below nothing": (
        "say(Added('t1', 'eager', replays=(Replayed('eager.0', Replay('compared', max_abs=-1.0)),)))",
        "differences or counts that can not be",
    ),
    "notes without end": (
        "for i in range(9): say(Added('t1', 'eager', notes=('x' * 1_000_000,)))",
        "it sent more than 8388608 bytes",
    ),
    "after the end": ("say(Bye()); say(Bye())", "Bye came after the end"),
    "no targets": ("say(Found(()))", "but none"),
    "a start twice": ("say(Started('t1', 'export'))", "stage export of t1 came twice"),
    "more than the limit": (
        "for i in range(2, 12): say(Found((Target(f't{i}', 'x', 'y' * 1_000_000),)))",
        "it sent more than 8388608 bytes",
    ),
    "a message over and over": ("while True: raw(frame(Started('t1', 'export')) * 100)", "came twice"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_and_what_came_before_stays(store: Store, settings: Settings, name: str) -> None:
    code, says = REFUSED[name]
    summary = run(store, settings, GOOD + code + "\ntime.sleep(600)", "eager", "export")
    assert summary.status == "done"
    assert statuses(summary) == {"eager": "done", "export": "failed"}
    (failure,) = stages(summary)["export"].failures
    assert failure.type == "invalid-result"
    assert says in failure.message
    assert store.graph(summary.id, "eager.0") is not None


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("say(Bye())", "Bye came out of turn"),
        ("say(Found((Target('t1', 'x', 'x'),)))", "Found came out of turn"),
        ("say(Hello('9' * 1000))", "version of torch"),
        ("say(Ended('t1', stage('export')))", "Ended came out of turn"),
    ],
)
def test_it_must_begin_with_hello(store: Store, settings: Settings, code: str, says: str) -> None:
    summary = run(store, settings, code + "\ntime.sleep(600)")
    assert summary.status == "failed" and says in summary.failures[0].message


@pytest.mark.parametrize(
    "message", [Found((Target("t1", "x", "w" * MAX_WORDS),)), Nothing((Failure("E", "w" * MAX_WORDS),))]
)
def test_words_that_every_answer_would_repeat_are_short(message: Message) -> None:
    talk = Conversation(Options(), message_limits(Settings()))
    with pytest.raises(DocumentError, match="too long"):
        list(talk.feed(frame(Hello("2.13.0")) + frame(message)))


def test_a_message_cut_off_by_the_end_of_the_process_is_dropped(store: Store, settings: Settings) -> None:
    code = GOOD + "raw(frame(Ended('t1', stage('export', graph())))[:-10]); os._exit(0)"
    summary = run(store, settings, code, "eager", "export")
    assert statuses(summary) == {"eager": "done", "export": "failed"}
    assert stages(summary)["export"].failures[0].type == "no-result"


def test_the_largest_message_allowed_passes(store: Store, settings: Settings) -> None:
    summary = run(
        store, settings, "begin(); say(Ended('t1', stage('eager', graph('eager.0', 10_000)))); say(Bye())", "eager"
    )
    assert statuses(summary) == {"eager": "done"}
    assert stages(summary)["eager"].graphs[0].nodes == 10_000


def test_a_forgery_harms_its_own_page_only(store: Store, settings: Settings) -> None:
    other = run(store, settings, "begin(); whole(); say(Bye())", "export")
    forged = run(store, settings, "begin(); say(Ended('t1', stage('export', graph('export.0', 50)))); say(Bye())", "export")
    kept = store.graph(other.id, "export.0")
    assert kept is not None and len(kept.nodes) == 3
    assert stages(forged)["export"].graphs[0].nodes == 50
