"""How an answer is sent: strong ETags with revalidation, and gzip where the client takes it.

The same content has two representations, so it has two strong ETags: `"abc"` and `"abc-gzip"`.
"""

from __future__ import annotations

import gzip
import hashlib

import msgspec
from flask import Response, request

from graphcap.store.records import Rendered

JSON = "application/json"
NO_CACHE = "no-cache"  # kept, but asked for again each time: 304 unless it changed or was deleted

SERIALIZER = "answers-1"
"""Part of every ETag made here; changes when the same document is answered in another shape."""

WORTH_SQUEEZING = 1024  # bytes; below that the headers are most of the answer


def answer(value: object, status: int = 200) -> Response:
    """A value as JSON with ETag and, where it pays, gzip."""
    content = msgspec.json.encode(value)
    if status != 200 or request.method not in ("GET", "HEAD"):
        return Response(content, status, content_type=JSON, headers={"Cache-Control": "no-store"})
    return answer_text(content, JSON)


def answer_text(content: bytes, media_type: str) -> Response:
    """Bytes with an ETag made of them."""
    squeezed = gzip.compress(content, 5, mtime=0) if len(content) >= WORTH_SQUEEZING and _takes_gzip() else None
    etag = hashlib.sha256(SERIALIZER.encode() + b"\0" + content).hexdigest()[:32]
    return answer_bytes(content, media_type, etag, gzipped=squeezed)


def answer_rendered(rendered: Rendered, media_type: str = JSON) -> Response:
    """A kept answer: its gzip bytes go out as they are."""
    plain = b"" if _takes_gzip() else gzip.decompress(rendered.gzip)
    return answer_bytes(plain, media_type, rendered.etag, gzipped=rendered.gzip)


def answer_bytes(
    content: bytes, media_type: str, etag: str, *, gzipped: bytes | None = None, cache_control: str = NO_CACHE
) -> Response:
    """200, or 304 where the client has it. `content` is not looked at when `gzipped` is given and the client takes gzip."""
    squeeze = gzipped is not None and _takes_gzip()
    response = Response(gzipped if squeeze else content, content_type=media_type)
    response.headers["Cache-Control"] = cache_control
    if gzipped is not None:
        response.vary.add("Accept-Encoding")
    if squeeze:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(f"{etag}-gzip" if squeeze else etag)
    return _unless_known(response, etag)


def _unless_known(response: Response, etag: str) -> Response:
    known = request.if_none_match
    if request.method in ("GET", "HEAD") and (known.contains(etag) or known.contains(f"{etag}-gzip")):
        response.status_code = 304
        response.set_data(b"")
        for name in ("Content-Length", "Content-Type", "Content-Encoding"):
            response.headers.pop(name, None)
    return response


def _takes_gzip() -> bool:
    return bool(request.accept_encodings["gzip"] > 0)
