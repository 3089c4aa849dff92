"""The server under attack: `python server.py JSON`. A process that runs captures, as a web worker does; others submit.

Says on standard output, a JSON object a line: what the self-test thinks of the tier. Ends when its standard input does.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from graphcap.jobs import pipeline  # noqa: E402
from graphcap.jobs.runner import Runner  # noqa: E402
from graphcap.sandbox.jail.selftest.choose import choose_tier  # noqa: E402
from graphcap.sandbox.zygote.process import Preload  # noqa: E402
from graphcap.settings import Settings  # noqa: E402
from graphcap.store.captures import Store  # noqa: E402


def main() -> None:
    order = json.loads(sys.argv[1])
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    settings = Settings(**{**order["settings"], "data_dir": Path(order["settings"]["data_dir"])})
    tier, preload = order["tier"], pipeline.CAPTURE
    if order["preload"]:
        environment = {"JAIL_WITHOUT": order["without"], "DATA": order["settings"]["data_dir"]}
        preload = Preload(order["preload"], path=(str(ROOT),), environment=environment)
    else:
        sys.stdout.write(json.dumps(dataclasses.asdict(choose_tier(minimum=tier, strongest=tier))) + "\n")
        sys.stdout.flush()
    store = Store(settings.sqlalchemy_url)
    store.migrate()
    runner = Runner(settings, store, dataclasses.replace(pipeline.plan(settings, preload), tier=tier))
    runner.start()
    sys.stdin.read()
    runner.stop()
    store.close()


if __name__ == "__main__":
    main()
