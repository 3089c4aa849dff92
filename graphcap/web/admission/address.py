"""Who sends a request: the address behind trusted proxies, and whether it is this machine itself."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from graphcap.settings import Settings
from graphcap.store.records import Sender

PROXY_HEADERS = frozenset(
    {"HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_CF_CONNECTING_IP", "HTTP_TRUE_CLIENT_IP", "HTTP_X_CLIENT_IP"}
)
PROXY_PREFIX = "HTTP_X_FORWARDED"  # -For, -Host, -Proto, ...

IPV6_NETWORK = 64  # what one household or server is given: counting single addresses would count nothing


def sender_of(environ: Mapping[str, Any], settings: Settings) -> Sender:
    """The sender of a request, from its WSGI environment."""
    peer = str(environ.get("REMOTE_ADDR", ""))
    local = is_loopback(peer) and not came_through_proxy(environ)
    address = _behind(str(environ.get("HTTP_X_FORWARDED_FOR", "")), peer, settings.trusted_proxies)
    return Sender(
        _counted_as(address), local, at_once=settings.client_captures, per_minute=settings.client_captures_per_minute
    )


def came_through_proxy(environ: Mapping[str, Any]) -> bool:
    """Whether a proxy left its mark. One that leaves none can not be told from a browser on this machine."""
    return any(name in PROXY_HEADERS or name.startswith(PROXY_PREFIX) for name in environ)


def is_loopback(address: str) -> bool:
    """Of this machine itself; `::ffff:127.0.0.1` too."""
    found = _ip(address)
    return found is not None and found.is_loopback


def _behind(forwarded: str, peer: str, trusted: int) -> str:
    """Each proxy adds whom it speaks for at the end: entries before those of trusted proxies may be anybody's invention."""
    chain = [*(part.strip() for part in forwarded.split(",") if part.strip()), peer]
    return chain[max(0, len(chain) - 1 - trusted)]


def _counted_as(address: str) -> str:
    found = _ip(address)
    if found is None:
        return "unknown"  # all of these together: a Unix socket, or an entry that is no address
    if found.version == 6:
        return str(ipaddress.ip_network((found, IPV6_NETWORK), strict=False))
    return str(found)


def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """`192.0.2.1`, also as `192.0.2.1:80`, `[2001:db8::1]:80`, `fe80::1%eth0` or mapped into IPv6."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
