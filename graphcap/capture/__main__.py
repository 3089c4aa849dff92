"""`python -m graphcap.capture REQUEST.json --result-fd N`, in a work folder that holds the submitted files.

REQUEST.json is a `graphcap.graph.stream.Request`. Messages go to descriptor N; stdout and stderr are the person's.
"""

import os
import sys

# Python put the work folder first: a submitted torch.py must not be taken for torch.
sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) != os.path.realpath(os.getcwd())]

# numpy's BLAS starts threads when it is imported, and a process with threads cannot be forked safely.
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse  # noqa: E402
from pathlib import Path  # noqa: E402

import msgspec  # noqa: E402

from graphcap.capture.worker import capture  # noqa: E402
from graphcap.graph.stream import Request  # noqa: E402


def main() -> int:
    """The exit code: 0 when everything asked for was tried."""
    parser = argparse.ArgumentParser(prog="python -m graphcap.capture", description="Capture one submission.")
    parser.add_argument("request", type=Path, help="the request, JSON")
    parser.add_argument("--result-fd", type=int, required=True, help="descriptor that messages are written to")
    arguments = parser.parse_args()
    request = msgspec.json.decode(arguments.request.read_bytes(), type=Request)
    return capture(request, Path.cwd(), arguments.result_fd)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # everything is said; torch's own way out takes another second
