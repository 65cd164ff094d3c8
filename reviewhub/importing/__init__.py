"""Take files of cases in: JSONL, or a ledger as CSV; every case is saved, or none."""

from reviewhub.importing.columns import ColumnMap, MapInvalid, read_map
from reviewhub.importing.faults import BadLine, FileInvalid
from reviewhub.importing.saving import Imported, LedgerOptions, import_file, import_lines, import_named

__all__ = [
    "BadLine",
    "ColumnMap",
    "FileInvalid",
    "Imported",
    "LedgerOptions",
    "MapInvalid",
    "import_file",
    "import_lines",
    "import_named",
    "read_map",
]
