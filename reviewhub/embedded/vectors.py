"""Make the folder of the vectors' server ready, and note its address for commands that a person runs beside it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from reviewhub.embedded.keys import write_private
from reviewhub.embedded.progress import say

__all__ = ["prepare_vectors"]


def prepare_vectors(var: Path, *, port: int) -> str:
    """Return the address that the server will have; a damaged index is removed, with a line that says so.

    Chroma does not start over a damaged database. All in it can be made anew from the hub's own.
    """
    folder = var / "chroma"
    if _is_damaged(folder / "chroma.sqlite3"):
        shutil.rmtree(folder)
        say(
            f"The index of exemplars in {folder} was damaged and has been emptied; drafts go on by exact search. "
            "Fill it again: .venv/bin/python manage.py rebuild_memory"
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    url = f"http://127.0.0.1:{port}"
    write_private(var / "run" / "chroma.url", url)
    return url


def _is_damaged(database: Path) -> bool:
    if not database.exists():
        return False
    try:
        # Opened for writing, so that a write which a power cut broke off is rolled back and not taken for damage.
        with closing(sqlite3.connect(database)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except sqlite3.OperationalError:
        return False  # locked, or not to be opened: no word about what is in it
    except sqlite3.DatabaseError:
        return True
