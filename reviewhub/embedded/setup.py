"""Make `.venv` with all that running and testing need, from the standard library alone.

Run as `python3 -m reviewhub.embedded.setup` (`--light`: `.venv-light`, what the agent's own tests need). Quick when
nothing changed: the virtual environment carries the hash of what it was made from.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from reviewhub.embedded.checks import hold_lock, require_space
from reviewhub.embedded.options import ROOT, CannotRunError, Options
from reviewhub.embedded.progress import step, stop_with

__all__ = ["main"]

_PIP = "pip==26.2.1"
_INDEX_SECONDS = 10
_FULL_MEGABYTES = 4_500
_LIGHT_MEGABYTES = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Bring the virtual environment up to date; returns the exit code."""
    parser = argparse.ArgumentParser(prog="reviewhub.embedded.setup", description=__doc__)
    parser.add_argument("--light", action="store_true", help="only what the agent and its tests need, in .venv-light")
    light = parser.parse_args(arguments).light
    try:
        options = Options.read(os.environ)
        folder = ROOT / (".venv-light" if light else ".venv")
        with hold_lock(options.var / "setup.lock", refusal="another set-up works in this clone; wait for it to end."):
            _bring_up_to_date(folder, options, light=light)
    except CannotRunError as error:
        return stop_with(str(error))
    except KeyboardInterrupt:
        return stop_with("set-up stopped; the same command goes on from here.")
    return 0


def _bring_up_to_date(folder: Path, options: Options, *, light: bool) -> None:
    stamp = folder / "made-from"
    made_from = _fingerprint(light=light)
    if stamp.exists() and stamp.read_text(encoding="ascii") == made_from:
        return
    if not folder.exists():
        megabytes = _LIGHT_MEGABYTES if light else _FULL_MEGABYTES
        require_space(folder, megabytes=megabytes, purpose=f"the set-up in {folder.name}")
    with step(f"Python {sys.version.split()[0]} in {folder.name}"):
        _make_environment(folder)
    python = folder / "bin" / "python"
    with step(_PIP):
        _pip(python, _PIP)
    with step("the agent"):
        _pip(python, "--editable", ".[test-light]" if light else ".")
    with nullcontext() if light else _model_beside(python):
        if not light:
            _install_torch(python, options)
            with step("the hub, its parts and the tools"):
                _pip(python, "--editable", ".[hub,test]")
        stamp.write_text(made_from, encoding="ascii")


@contextmanager
def _model_beside(python: Path) -> Iterator[None]:
    """Fetch the model while the block installs the rest, and wait for it at the end.

    Raises CannotRunError when it cannot be had; by then the environment is complete, and another model can be chosen.
    """
    fetching = subprocess.Popen([python, "-m", "reviewhub.embedded.model"], cwd=ROOT)
    try:
        yield
        with step("the model"):
            if fetching.wait():
                raise CannotRunError("the set-up is complete but for the model; the line above says how to go on.")
    finally:
        if fetching.poll() is None:
            fetching.terminate()
            fetching.wait()


def _make_environment(folder: Path) -> None:
    if not (folder / "bin" / "python").exists():
        shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "venv", str(folder)]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    if made.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise CannotRunError(
            f"{sys.executable} cannot make a virtual environment: {_last_line(made.stdout + made.stderr)} "
            "On Debian: apt-get install python3-venv"
        )


def _install_torch(python: Path, options: Options) -> None:
    """Install the CPU build: its own index first, since the default one gives Linux gigabytes of CUDA."""
    requirement = next(item for item in _project()["optional-dependencies"]["hub"] if item.startswith("torch=="))
    index = ["--extra-index-url", options.torch_index] if _answers(options.torch_index) else []
    where = "the CPU index" if index else f"the default index, as {options.torch_index} does not answer"
    with step(f"{requirement} from {where}"):
        _pip(python, *index, requirement)
    if not options.accept_cuda and _cuda_of_torch(python) is not None:
        raise CannotRunError(
            f"torch came as a CUDA build, as {options.torch_index} gave no CPU build. Set TORCH_INDEX to an index that "
            "has one, or REVIEWHUB_CUDA=1 to keep this build, and run again."
        )


def _answers(index: str) -> bool:
    try:
        with urllib.request.urlopen(f"{index.rstrip('/')}/torch/", timeout=_INDEX_SECONDS):  # noqa: S310 - chosen by the person
            return True
    except (urllib.error.URLError, TimeoutError, ValueError):
        return False


def _cuda_of_torch(python: Path) -> str | None:
    code = "import torch; print(torch.version.cuda or '')"
    found = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
    return found.stdout.strip() or None


def _pip(python: Path, *arguments: str) -> None:
    # Bytecode is made when a module is first loaded: most of torch never is, and making all of it doubles the set-up.
    quietly = ["--quiet", "--no-input", "--no-compile", "--disable-pip-version-check"]
    command = [str(python), "-m", "pip", "install", *quietly, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise CannotRunError(
            f"pip could not install {arguments[-1]}: {_last_line(done.stderr)} "
            "See above; look at the connection and the disk, then run the same command again."
        )


def _fingerprint(*, light: bool) -> str:
    """Hash what decides the content of the environment: the project's file, this file, and Python itself."""
    parts = [
        (ROOT / "pyproject.toml").read_bytes(),
        Path(__file__).read_bytes(),
        sys.version.encode(),
        str(light).encode(),
    ]
    return hashlib.sha256(b"\0".join([*parts, str(ROOT).encode()])).hexdigest()


def _project() -> dict[str, dict[str, list[str]]]:
    project: dict[str, dict[str, list[str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing."


if __name__ == "__main__":
    sys.exit(main())
