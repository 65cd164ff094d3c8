"""Tell which validators a queue's drafts have to pass now, by its rules, and which rubric grades them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from agent.domains import DOMAINS
from agent.domains import Case as AgentCase
from agent.validators.check import Check, Found, Kind, NoParams
from agent.validators.reading import Reading
from reviewhub.models import Finding, PatternRule, Rubric, RuleInvalid, ValidatorRule

__all__ = ["checks_for", "graded"]


def graded(case: AgentCase, queue_id: int) -> AgentCase:
    """Return the case with the rubric that its queue uses; one that the facts bring along stays.

    A rubric that cannot be read grades nothing; `checks_for` then fails every draft until somebody puts it right.
    """
    used = Rubric.objects.in_use(queue_id, case.domain.name) if case.rubric is None else None
    if used is None:
        return case
    try:
        return replace(case, rubric=used.build())
    except RuleInvalid:
        return case


def checks_for(queue_id: int, domain: str) -> tuple[Check, ...]:
    """Return the validators of a queue's cases of one domain, in the order in which they run.

    A rule that no validator can be made of leaves the validator as it ships, and adds one that fails every draft with
    VALIDATOR_ERROR until somebody puts the rule right. Those that guess come with their record: how often the people of
    the queue agreed with them. A rule of code counts for what it declares, whatever anybody made of it.
    """
    rules = ValidatorRule.objects.of(queue_id, domain)
    patterns = PatternRule.objects.of(queue_id, domain)
    validators = _validators(domain, {rule.validator: rule for rule in rules})
    checks = (*validators, *_patterns(patterns), *_broken_rubric(queue_id, domain))
    guessing = [check.name for check in checks if check.kind is not Kind.DETERMINISTIC]
    if not guessing:
        return checks
    records = Finding.objects.records(queue_id, domain, guessing)
    return tuple(replace(check, record=records.get(check.name)) for check in checks)


def _validators(domain: str, rules: dict[str, ValidatorRule]) -> Iterator[Check]:
    """Yield the domain's validators as the rules set them, then the catalogue's others that have a rule."""
    broken = []
    own = {check.name: check for check in DOMAINS[domain].checks}
    for name in dict.fromkeys((*own, *rules)):
        shipped, rule = own.get(name), rules.get(name)
        try:
            check = rule.build() if rule else shipped
        except RuleInvalid as error:
            check = shipped
            broken.append(_failing(error))
        if check is None and shipped and shipped.core:
            check = shipped
        if check:
            yield check
    yield from broken


def _patterns(rules: Iterable[PatternRule]) -> Iterator[Check]:
    for rule in rules:
        try:
            yield rule.build()
        except RuleInvalid as error:
            yield _failing(error)


def _broken_rubric(queue_id: int, domain: str) -> Iterator[Check]:
    used = Rubric.objects.in_use(queue_id, domain)
    try:
        if used is not None:
            used.build()
    except RuleInvalid as error:
        yield _failing(error)


def _failing(error: RuleInvalid) -> Check:
    """Return a validator that cannot be run, so that nothing passes which a rule was meant to hold up."""

    def refuse(_reading: Reading, _params: NoParams) -> Iterator[Found]:
        raise error

    return Check(name="rules", version="1", run=refuse, blocking=True)
