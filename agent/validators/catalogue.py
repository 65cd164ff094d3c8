"""Hold every validator that a rubric or a rule may name, with the parameters that it takes."""

from collections.abc import Mapping

from agent.validators.check import Check
from agent.validators.checks import CHECKS

__all__ = ["CATALOGUE"]

CATALOGUE: Mapping[str, Check] = {check.name: check for check in CHECKS}
"""The validators by name; each stands there with its default parameters."""
