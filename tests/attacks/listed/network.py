"""No network of any kind: the listeners hear nothing."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

from tests.attacks.attack import Attack, in_forward

ATTACKS = (
    Attack("TCP to this machine", "attempt('tcp', lambda: socket.create_connection(('127.0.0.1', canary.tcp), timeout=1))"),
    Attack(
        "UDP to this machine",
        """
        attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", canary.udp)))
        """,
        without="seccomp",
    ),
    Attack(
        "a Unix socket of the server",
        "attempt('unix', lambda: socket.socket(socket.AF_UNIX).connect(canary.unix))",
        without="seccomp",
    ),
    Attack(
        "a Unix socket without a file", "attempt('unix', lambda: socket.socket(socket.AF_UNIX).connect(canary.abstract))"
    ),
    Attack(
        "netlink",
        "attempt('netlink', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).bind((0, 0)))",
        without="seccomp",
    ),
    Attack(
        "raw, packet and other families",
        """
        for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW), (38, 5), (40, 1), (16, 3), (44, 3), (31, 3)):
            attempt(f"family {family}", lambda: socket.socket(family, kind))
        """,
    ),
    Attack(
        "listening",
        """
        attempt("tcp", lambda: socket.create_server(("0.0.0.0", 0)))
        attempt("ipv6", lambda: socket.create_server(("::", 0), family=socket.AF_INET6))
        attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).bind(("0.0.0.0", 0)))
        """,
        without="seccomp",
    ),
    Attack(
        "names and web pages",
        """
        import urllib.request
        attempt("getaddrinfo", lambda: socket.getaddrinfo("localhost.localdomain.example", 80))
        attempt("urlopen", lambda: urllib.request.urlopen(f"http://127.0.0.1:{canary.tcp}/", timeout=1))
        """,
    ),
    Attack(
        "torch.hub", "import torch\nattempt('hub', lambda: torch.hub.load('pytorch/vision', 'resnet18', trust_repo=True))"
    ),
    Attack(
        "torch.distributed",
        """
        import torch.distributed as dist
        from datetime import timedelta
        attempt("TCPStore", lambda: dist.TCPStore("127.0.0.1", canary.tcp, 1, False, timeout=timedelta(seconds=1)))
        attempt("a store of its own", lambda: dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=1)))
        """,
    ),
    Attack(
        "a socket pair turned outwards",
        """
        near, far = socket.socketpair()
        attempt("connect", lambda: near.connect(canary.unix))
        attempt("bind", lambda: near.bind("name"))
        attempt("sendto", lambda: near.sendto(b"hello", canary.unix))
        attempt("passing a descriptor", lambda: socket.send_fds(near, [b"x"], [1]))
        attempt("a datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"hello", canary.abstract))
        """,
    ),
    Attack(
        "a socket in forward",
        in_forward(
            "attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', canary.udp)))"
        ),
        ends=("done",),
    ),
)
