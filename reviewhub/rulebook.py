"""Tell which validators a queue's drafts have to pass now, by its rules."""

from collections.abc import Iterable, Iterator

from agent.validators.check import Check, Found, NoParams
from agent.validators.checks import CHECKS
from agent.validators.reading import Reading
from reviewhub.models import PatternRule, RuleInvalid, ValidatorRule

__all__ = ["checks_for"]


def checks_for(queue_id: int, domain: str) -> tuple[Check, ...]:
    """Return the validators of a queue's cases of one domain, in the order in which they run.

    A rule that no validator can be made of leaves the validator as it ships, and adds one that fails every draft with
    VALIDATOR_ERROR until somebody puts the rule right.
    """
    rules = ValidatorRule.objects.of(queue_id, domain)
    patterns = PatternRule.objects.of(queue_id, domain)
    return (*_validators({rule.validator: rule for rule in rules}), *_patterns(patterns))


def _validators(rules: dict[str, ValidatorRule]) -> Iterator[Check]:
    broken = []
    for shipped in CHECKS:
        rule = rules.pop(shipped.name, None)
        try:
            check = rule.build() if rule else shipped
        except RuleInvalid as error:
            yield shipped
            broken.append(_failing(error))
            continue
        if check or shipped.core:
            yield check or shipped
    yield from broken
    for rule in rules.values():
        yield _failing(RuleInvalid(f"Rule {rule.pk} is for {rule.validator}, which is no validator. Delete it."))


def _patterns(rules: Iterable[PatternRule]) -> Iterator[Check]:
    for rule in rules:
        try:
            yield rule.build()
        except RuleInvalid as error:
            yield _failing(error)


def _failing(error: RuleInvalid) -> Check:
    """Return a validator that cannot be run, so that nothing passes which a rule was meant to hold up."""

    def refuse(_reading: Reading, _params: NoParams) -> Iterator[Found]:
        raise error

    return Check(name="rules", version="1", run=refuse, blocking=True)
