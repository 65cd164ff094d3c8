"""Hold what is said of a line's status, and of the debt as a whole, against the ledger.

Covers lines named by id or description, lists under a heading, and sentences that deny the debt or turn its direction.
Lines that are only meant ("the latter") count where `antecedents` can tell which.
"""

import re
from collections.abc import Iterator, Sequence

from agent.facts import Line, LineStatus
from agent.validators.binding import Scene
from agent.validators.check import Check, Found, NoParams
from agent.validators.claims import Claim, claims, heading_claim
from agent.validators.denial import denials
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]

_SAID = {
    "open": "open",
    "unopen": "not open",
    "paid": "paid",
    "partial": "partly paid",
    "received": "paid in part or whole",
    "credit": "a credit",
    "invoice": "an invoice",
    "disputed": "disputed",
    "undisputed": "not disputed",
    "demand": "to be paid",
}
_IS = {LineStatus.OPEN: "open", LineStatus.PAID: "paid", LineStatus.CREDIT: "a credit", LineStatus.DISPUTED: "disputed"}
_ROW = re.compile(r"\s*(?:[-*•·|>]|\(?\d{1,2}[.)])")
_CALLED = {
    "paid": LineStatus.PAID,
    "credit": LineStatus.CREDIT,
    "invoice": LineStatus.CREDIT,
    "undisputed": LineStatus.DISPUTED,
    "disputed": LineStatus.DISPUTED,
    "demand": LineStatus.OPEN,
}
_TOLD = {
    LineStatus.PAID: (("paid", "received", "unopen"), re.compile(r"\b(?:paid|settled|cleared|received)\b")),
    LineStatus.DISPUTED: (("disputed",), re.compile(r"\bdisput|\bquer|\bcontest")),
}


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report lines called what they are not, paid and disputed lines never called so, and a debt denied or turned."""
    told: set[tuple[str, str]] = set()
    scenes = reading.scenes
    for claim, lines in _all_claims(scenes):
        told |= {(line, claim.name) for line in lines}
        yield from _judge(reading, claim, lines)
    yield from _untold(reading, scenes, told)
    yield from denials(reading, scenes)


def _all_claims(scenes: Sequence[Scene]) -> Iterator[tuple[Claim, tuple[str, ...]]]:
    """Yield the claims of all sentences; a heading's claim holds for rows under it that claim nothing."""
    heading: Claim | None = None
    for scene in scenes:
        own = list(claims(scene))
        yield from own
        is_row = _is_row(scene)
        heading = heading_claim(scene) or (heading if is_row else None)
        if heading and is_row and scene.mentions and not own:
            yield heading, tuple(dict.fromkeys(mention.line for mention in scene.mentions))


def _is_row(scene: Scene) -> bool:
    """Tell whether a sentence is an item of a list or a row of a table: by its mark, its first word or its cells."""
    begins_with_line = bool(scene.mentions) and scene.mentions[0].span.start == scene.span.start
    return begins_with_line or bool(_ROW.match(scene.plain, *scene.span)) or "|" in scene.between(*scene.span)


def _judge(reading: Reading, claim: Claim, ids: tuple[str, ...]) -> Iterator[Found]:
    for line_id in ids:
        line = reading.sheet.line(line_id)
        if line is None or _is_true(line, claim):
            continue
        said = "overdue" if claim.late else _SAID[claim.name]
        holds = _IS[line.status] + (
            " and not yet due" if claim.late and line.status is LineStatus.OPEN and not line.days_overdue else ""
        )
        evidence = f'"{reading.folded.quote(*claim.span)}": {line.id} is {holds}; the text says {said}'
        yield Found(
            "LINE_STATUS",
            evidence,
            reading.folded.span(*claim.span),
            facts=(line.id,),
            fix=f"Say that {line.id} is {holds}.",
        )


def _is_true(line: Line, claim: Claim) -> bool:
    """Tell whether a line is what it is said to be.

    A disputed line is open too, and so is a credit, but no credit is an open bill. Late is only what is past its date.
    """
    is_paid, is_credit = line.status is LineStatus.PAID, line.status is LineStatus.CREDIT
    is_late = line.days_overdue > 0
    match claim.name:
        case "open":
            return is_late if claim.late else not is_paid and not (claim.bill and is_credit)
        case "unopen":
            return not is_late if claim.late else is_paid or is_credit
        case "partial":
            return line.paid_cents > 0 and not is_paid
        case "received":
            return line.paid_cents > 0
        case "invoice" | "undisputed":
            return line.status is not _CALLED[claim.name]
        case name:
            return line.status is _CALLED[name]


def _untold(reading: Reading, scenes: Sequence[Scene], told: set[tuple[str, str]]) -> Iterator[Found]:
    """Report paid and disputed lines that are named, and neither called so nor near a word that says it."""
    seen: set[str] = set()
    for index, scene in enumerate(scenes):
        for mention in scene.mentions:
            line = reading.sheet.line(mention.line)
            if line is None or line.status not in _TOLD or line.id in seen:
                continue
            names, words = _TOLD[line.status]
            around = " ".join(item.between(*item.span) for item in scenes[max(0, index - 1) : index + 2])
            if words.search(around) or any((line.id, name) in told for name in names):
                continue
            seen.add(line.id)
            status = _IS[line.status]
            evidence = f"{line.id} is {status}, and the text does not say so"
            span = reading.folded.span(*mention.span)
            yield Found("LINE_STATUS", evidence, span, facts=(line.id,), fix=f"Say that {line.id} is {status}.")


CHECK = Check(name="status", version="1", run=check, params=NoParams(), blocking=True, core=True)
