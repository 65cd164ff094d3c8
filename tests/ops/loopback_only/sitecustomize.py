"""Refuse every socket of this Python process but loopback's, and note what was tried.

Python loads a module of this name at its start when its folder is on PYTHONPATH: so it holds in each process of a run.
"""

import ipaddress
import os
import sys
from pathlib import Path
from typing import Any

_RECORD = Path(os.environ["LOOPBACK_ONLY_RECORD"])
_NAMED = {"localhost", ""}


def _is_local(host: object) -> bool:
    if host is None or host in _NAMED:
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        # A unix socket's address is a path; a network one's is a tuple that starts with the host.
        host = arguments[1][0] if isinstance(arguments[1], tuple) else None
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not _is_local(host):
        with _RECORD.open("a", encoding="utf-8") as record:
            record.write(f"{os.getpid()} {' '.join(sys.argv)}: {event} {host}\n")
        raise PermissionError(f"loopback only: {event} to {host} is refused")


sys.addaudithook(_refuse)
