"""Serve one GGUF model over OpenAI's chat interface, as a process of its own.

`REVIEWHUB_MODEL_KEY=... python -m agent.llm.embedded_server --model FILE --port 8181`

The server asks for the key of REVIEWHUB_MODEL_KEY with every call but /health. It prints its address once it serves.
SIGTERM and SIGINT end it at once, also while it loads or writes: it holds nothing that would have to be saved.
"""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

try:
    import xllamacpp
except ImportError as error:
    raise SystemExit("the embedded model server is not installed; run: pip install 'reviewhub[hub]'") from error

__all__ = ["main"]

_PARENT_CHECK_SECONDS = 1.0


def main(arguments: list[str]) -> None:
    """Serve until the process is told to stop."""
    options = _parse(arguments)
    key = os.environ.get("REVIEWHUB_MODEL_KEY", "")
    if not key:
        sys.exit("REVIEWHUB_MODEL_KEY is not set; set it to a secret that the callers of this server send as their key")
    if not options.model.is_file():
        sys.exit(f"there is no model file {options.model}; fetch it with: python -m agent fetch-model")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # Python's own handlers would wait for the library to return.
    parent = os.getppid()
    server = xllamacpp.Server(_parameters(options, key))
    print(f"serving {server.listening_address}", flush=True)  # noqa: T201 - who started it reads the address here
    while not options.exit_with_parent or os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    os._exit(0)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m agent.llm.embedded_server", description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True, help="0 takes a free one")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--ctx", type=int, default=8192, help="tokens of prompt and answer, for each slot")
    parser.add_argument("--parallel", type=int, default=1, help="slots: calls that are answered at the same time")
    parser.add_argument("--exit-with-parent", action="store_true", help="end when the starting process ends")
    return parser.parse_args(arguments)


def _parameters(options: argparse.Namespace, key: str) -> xllamacpp.CommonParams:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(options.model)
    parameters.model_alias = {"embedded"}
    parameters.hostnames = [options.host]
    parameters.port = options.port
    parameters.api_keys = [key]
    parameters.n_parallel = options.parallel
    parameters.n_ctx = options.ctx * options.parallel  # the library divides it among the slots
    parameters.cache_ram_mib = 0  # else it keeps old prompts in up to 8 GB of memory
    parameters.warmup = False
    parameters.verbosity = 1
    # Of the library's own pages and endpoints: one is a chat, one shows the prompts.
    parameters.ui = False
    parameters.endpoint_slots = False
    for cpu in (parameters.cpuparams, parameters.cpuparams_batch):
        cpu.n_threads = options.threads
        cpu.poll = 0  # sleep while there is nothing to do, instead of spinning
    return parameters


if __name__ == "__main__":
    main(sys.argv[1:])
