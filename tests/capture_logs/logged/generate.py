"""Logs a run of train.py with the installed torch: `python tests/capture_logs/logged/generate.py`. Takes half a minute.

Writes `train.log.gz`: every record of the run, but for the payloads that nothing reads and that take nine tenths of it, with
the paths of this machine replaced.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

HERE = Path(__file__).parent
EMPTIED = re.compile(
    r'"(?:chromium_event|fx_graph_runnable|fx_graph_cache_miss|fx_graph_cache_bypass|before_post_grad_graph)"'
)
CONFIG = re.compile(r'"(?:dynamo_config|inductor_config|functorch_config)": "(?:[^"\\]|\\.)*"')


def main() -> None:
    """Logs, trims, writes."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "TORCH_TRACE": folder,
            "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1",
            "OMP_NUM_THREADS": "1",
        }
        subprocess.run([sys.executable, str(HERE / "train.py")], env=environment, check=True)
        (log,) = Path(folder).glob("*.log")
        text = "".join(trimmed(log.read_text(encoding="utf-8").splitlines(keepends=True)))
    places = {str(HERE): "/home/me/project", str(Path(torch.__file__).parents[1]): "/usr/lib/python3/dist-packages"}
    places |= {os.path.realpath(path): name for path, name in places.items()}
    for path in sorted(places, key=len, reverse=True):
        text = text.replace(path, places[path])
    text = re.sub(r"/tmp/[\w/.-]*", "/tmp/generated.py", text)
    (HERE / "train.log.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def trimmed(lines: list[str]) -> list[str]:
    """Records without the payloads of the kinds in EMPTIED, and without configurations."""
    kept, empty = [], False
    for line in lines:
        if not line.startswith("\t"):
            empty = EMPTIED.search(line[:400]) is not None
            kept.append(CONFIG.sub(lambda match: match[0].split(":", 1)[0] + ': ""', line))
        elif not empty:
            kept.append(line)
    return kept


if __name__ == "__main__":
    main()
