"""How an answer is sent: strong ETags with revalidation, and gzip where the client takes it.

Every representation of a content has a strong ETag of its own: `"abc"`, `"abc-gzip"` and, of a static file, `"abc-br"`.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable

import msgspec
from flask import Response, request

from graphcap.store.records import CaptureSummary, Rendered
from graphcap.web.assets import Asset
from graphcap.web.services import services

JSON = "application/json"
IMMUTABLE = "public, max-age=31536000, immutable"  # what lies under an address that names its version
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
    etag = hashlib.sha256(SERIALIZER.encode() + b"\0" + content).hexdigest()[:32]
    squeezed = (lambda: gzip.compress(content, 5, mtime=0)) if len(content) >= WORTH_SQUEEZING else None
    return _answer(lambda: content, squeezed, media_type, etag)


def answer_rendered(rendered: Rendered, media_type: str = JSON) -> Response:
    """A kept answer: its gzip bytes go out as they are."""
    return _answer(lambda: gzip.decompress(rendered.gzip), lambda: rendered.gzip, media_type, rendered.etag)


def answer_of(summary: CaptureSummary, key: str, version: str, make: Callable[[], object]) -> Response:
    """What is made of a capture as JSON, kept in the database once nothing can be missing from it any more."""
    if not summary.ended:
        return answer(make())
    return answer_rendered(services().store.cached(summary.id, key, version, lambda: msgspec.json.encode(make())))


def answer_asset(asset: Asset, cache_control: str) -> Response:
    """A static file."""
    squeezed, smaller = asset.gzip, asset.brotli
    gzipped = None if squeezed is None else lambda: squeezed
    if smaller is not None and _takes("br"):  # browsers ask for it where nobody in between would spoil it
        response = _answer(lambda: asset.content, lambda: smaller, asset.media_type, asset.etag, "br")
    else:
        response = _answer(lambda: asset.content, gzipped, asset.media_type, asset.etag)
    response.headers["Cache-Control"] = cache_control
    return response


def _answer(
    plain: Callable[[], bytes], squeezed: Callable[[], bytes] | None, media_type: str, etag: str, coding: str = "gzip"
) -> Response:
    """200, or 304 where the client has it. Of `plain` and `squeezed` (None: never) only the one that is sent is called."""
    squeeze = squeezed if _takes(coding) else None
    known = request.if_none_match
    if request.method in ("GET", "HEAD") and any(known.contains(f"{etag}{end}") for end in ("", "-gzip", "-br")):
        response = Response(status=304)
        del response.headers["Content-Type"]
    else:
        response = Response((squeeze or plain)(), content_type=media_type)
        if squeeze:
            response.headers["Content-Encoding"] = coding
    response.headers["Cache-Control"] = NO_CACHE
    if squeezed is not None:
        response.vary.add("Accept-Encoding")
    response.set_etag(f"{etag}-{coding}" if squeeze else etag)
    return response


def _takes(coding: str) -> bool:
    return bool(request.accept_encodings[coding] > 0)
