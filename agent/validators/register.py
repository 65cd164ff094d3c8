"""List every error type that a validator may report, with what it means and what to do about it."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["REGISTER", "ErrorType", "UnknownErrorType", "error_type", "register_page"]

_PROSE = ("billing", "support", "tasks")


class ErrorType(BaseModel):
    """Describe one error type; `severity` is a share from 0 (a trifle) to 1 (a wrong amount)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(pattern=r"^[A-Z][A-Z_]*$")
    validator: str
    severity: float = Field(ge=0, le=1)
    blocking: bool
    critique: str
    meaning: str
    remedy: str
    domains: tuple[str, ...] = _PROSE

    @property
    def uri(self) -> str:
        """Return the address of the page that explains the error type, relative to the site."""
        return f"/errors/{self.code}/"


class UnknownErrorType(KeyError):
    """Refuse a code that the register does not hold."""

    def __init__(self, code: str) -> None:
        super().__init__(f"{code} is no error type. Add it to agent/validators/register.toml.")


def error_type(code: str) -> ErrorType:
    """Return the entry of a code; raise UnknownErrorType when there is none."""
    try:
        return REGISTER[code]
    except KeyError:
        raise UnknownErrorType(code) from None


def register_page() -> str:
    """Return the register as one Markdown page, in the order of the codes."""
    return "\n".join(_page_lines()) + "\n"


def _page_lines() -> Iterator[str]:
    yield "# Error types"
    yield ""
    yield (
        "What a validator may report about a draft. Severity runs from 0, a trifle, to 1, a wrong amount. "
        "A finding that blocks is never accepted as a low-severity one. This page is written by "
        "`python -m agent errors > docs/errors.md`."
    )
    for code, entry in sorted(REGISTER.items()):
        yield f"\n## {code}\n"
        yield f"{entry.critique}\n"
        yield f"- Reported by: {entry.validator}, in {', '.join(entry.domains)}"
        yield f"- Severity: {entry.severity:g}; blocks: {'yes' if entry.blocking else 'no'}"
        yield f"- What it means: {entry.meaning}"
        yield f"- What to do: {entry.remedy}"


def _read() -> Mapping[str, ErrorType]:
    source = files("agent.validators").joinpath("register.toml").read_text(encoding="utf-8")
    return {code: ErrorType(code=code, **entry) for code, entry in tomllib.loads(source).items()}


REGISTER: Mapping[str, ErrorType] = _read()
