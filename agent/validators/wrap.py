"""Make a validator of a function, and what validators find of errors that schemas raise.

A verdict without a reason cannot be shown or repaired, so a bare bool is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from pydantic import ValidationError

from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["BareVerdict", "SchemaError", "from_callable", "from_schema_errors", "from_validation_error"]

Answer = str | Found | Iterable[str | Found] | None
"""What a function may say: nothing, a reason, or any number of them."""


class BareVerdict(TypeError):
    """Refuse a verdict without a reason."""


class SchemaError(Protocol):
    """Describe an error of a JSON Schema validator, such as `jsonschema.ValidationError`."""

    @property
    def message(self) -> str:
        """Say what is wrong."""

    @property
    def absolute_path(self) -> Iterable[str | int]:
        """Say where, as keys and indices from the root."""


def from_callable(
    judge: Callable[[Reading], Answer],
    *,
    name: str,
    version: str = "1",
    blocking: bool = False,
    confidence: float = 1.0,
) -> Check:
    """Make a validator of a function that answers with reasons, or with None when it finds nothing.

    An answer that is a bool, or anything else, makes the runner report VALIDATOR_ERROR: the draft fails.
    """

    def run(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
        yield from _found(judge(reading), name)

    return Check(name=name, version=version, run=run, blocking=blocking, confidence=confidence)


def from_validation_error(error: ValidationError) -> tuple[Found, ...]:
    """Return one finding for each field that pydantic refuses; given values are not repeated."""
    details = error.errors(include_url=False, include_input=False, include_context=False)
    return tuple(_schema_finding(item["loc"], item["msg"]) for item in details)


def from_schema_errors(errors: Iterable[SchemaError]) -> tuple[Found, ...]:
    """Return one finding for each error of a JSON Schema validator."""
    return tuple(_schema_finding(tuple(error.absolute_path), error.message) for error in errors)


def _found(answer: Any, name: str) -> Iterator[Found]:
    match answer:
        case None:
            return
        case str() as reason if reason.strip():
            yield Found("CHECK_FAILED", reason, critique=reason)
        case Found():
            yield answer
        case bool():
            raise BareVerdict(
                f"{name} answered {answer}: a validator gives its reason. Return a text, a Found, or None."
            )
        case Iterable() if not isinstance(answer, str | bytes | Mapping):
            for item in answer:
                if not isinstance(item, str | Found):
                    raise BareVerdict(f"{name} answered a list that holds {item!r}. Give texts or Found objects.")
                yield from _found(item, name)
        case _:
            raise BareVerdict(f"{name} answered {answer!r}. Return a text, a Found, or None.")


def _schema_finding(path: tuple[str | int, ...], message: str) -> Found:
    where = ".".join(str(part) for part in path) or "the record"
    return Found("SCHEMA_INVALID", f"{where}: {message}", critique=f"{where}: {message}", more={"path": list(path)})
