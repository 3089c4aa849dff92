"""The same submission shows what an earlier one gave: by reference, so that it costs nothing, under a name of its own.

If a capture is deleted whose content others show, it stays behind as a held row, which no known id leads to, until the last
capture that shows its content is deleted too.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, delete, func, select, update

from graphcap.store.reading import CONTENT
from graphcap.store.records import HELD
from graphcap.store.tables import captures

_OF_THE_RUN = ("started", "finished", "torch", "failures", "log", "log_bytes", "log_cut")


def find(connection: Connection, key: str) -> int | None:
    """The number of the newest finished capture with this key, kept from being deleted until the transaction ends."""
    found = select(captures.c.number, CONTENT.label("content")).where(
        captures.c.reuse_key == key, captures.c.status == "done"
    )
    newest = found.order_by(captures.c.number.desc()).limit(1).with_for_update(read=True)
    row = connection.execute(newest).one_or_none()
    if row is None:
        return None
    _lock(connection, row.content)
    return int(row.number)


def share(connection: Connection, source: int, number: int, key: str) -> None:
    """Lets the new capture `number` show what `source` shows."""
    columns = [captures.c[name] for name in _OF_THE_RUN]
    row = connection.execute(select(CONTENT.label("content"), *columns).where(captures.c.number == source)).one()
    values = {name: getattr(row, name) for name in _OF_THE_RUN}
    connection.execute(
        update(captures)
        .where(captures.c.number == number)
        .values(status="done", shared=row.content, reuse_key=key, **values)
    )


def remove(connection: Connection, id: str) -> bool:
    """Removes a capture, and what it shows unless others show it too. False: unknown."""
    content = connection.scalar(select(CONTENT).where(captures.c.id == id))
    if content is None:
        return False
    _lock(connection, content)
    row = connection.execute(select(captures.c.number).where(captures.c.id == id).with_for_update()).one_or_none()
    if row is None:
        return False
    if row.number == content and _sharers(connection, content):
        _hold(connection, content)
        return True
    connection.execute(delete(captures).where(captures.c.number == row.number))
    held = (captures.c.number == content, captures.c.status == HELD)
    if row.number != content and not _sharers(connection, content):
        connection.execute(delete(captures).where(*held))
    return True


def _hold(connection: Connection, number: int) -> None:
    """Nothing of the person stays but what others submitted as well."""
    nobody = {
        "id": secrets.token_urlsafe(16),
        "token_hash": "",
        "status": HELD,
        "reuse_key": "",
        "log": "",
        "failures": b"[]",
    }
    connection.execute(update(captures).where(captures.c.number == number).values(**nobody))


def _sharers(connection: Connection, number: int) -> int:
    return connection.scalar(select(func.count()).where(captures.c.shared == number)) or 0


def _lock(connection: Connection, number: int) -> None:
    connection.execute(select(captures.c.number).where(captures.c.number == number).with_for_update())
