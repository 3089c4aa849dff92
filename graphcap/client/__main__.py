"""``python -m graphcap.client``: the command, where it is not installed."""

from __future__ import annotations

import sys

from graphcap.client.cli import main

sys.exit(main())
