"""Groups that open and close by moving, on the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import Visit
from tests.browser.looking_at import still

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("show", ["forward.0", "mirror.0"])
def test_opening_a_group_ends_where_no_motion_does(visit: Visit, captured: Callable[[str], str], show: str) -> None:
    ends = []
    for motion in ("no-preference", "reduce"):
        page = visit(f"/c/{captured('02_mlp')}#v1?p={show}&x=*", reduced_motion=motion)
        canvas = page.locator(".graph-canvas")
        canvas.wait_for()
        shut = still(canvas)
        canvas.focus()
        page.keyboard.press("Home")
        for _ in range(3):  # to a module, and open it
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        ends.append(still(canvas, after=shut))
    assert ends[0] == ends[1]
