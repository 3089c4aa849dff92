"""One Chromium for all browser tests; every test gets a context of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

ARGS = (
    "--disable-gpu --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
).split()
"""With software GL the same canvas runs at 400-600 ms a frame, so the GPU is off; the rest keeps Chromium off the network."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield found
        found.close()
