"""Let administrators set validators and patterns; what they save acts from the next draft on."""

from typing import cast

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join

from agent.validators.describe import described
from reviewhub.admin.access import site
from reviewhub.admin.auditing import VersionedAdmin, VersionedForm
from reviewhub.admin.fields import JsonObjectField
from reviewhub.models import PatternRule, ValidatorRule, ValidatorRuleQuerySet, validators_of

__all__ = ["PatternRuleAdmin", "ValidatorRuleAdmin"]


class ValidatorRuleForm(VersionedForm):
    """Set one validator."""

    fixed = ("queue", "domain", "validator")

    class Meta:
        model = ValidatorRule
        fields = ("queue", "domain", "validator", "enabled", "severity", "confidence", "parameters")
        field_classes = {"parameters": JsonObjectField}


@admin.register(ValidatorRule, site=site)
class ValidatorRuleAdmin(VersionedAdmin):
    """Set how validators judge the drafts of a queue."""

    form = ValidatorRuleForm
    fields = (*ValidatorRuleForm.Meta.fields, "what_can_be_set", "seen_version")
    readonly_fields = ("what_can_be_set",)
    list_display = ("validator", "queue", "domain", "enabled", "severity", "confidence", "parameters", "false_alarms")
    list_filter = ("queue", "domain", "validator")
    list_select_related = ("queue",)

    def get_queryset(self, request: HttpRequest) -> ValidatorRuleQuerySet:
        """Give each row its false alarms, all of a page in its one query."""
        return cast("ValidatorRuleQuerySet", super().get_queryset(request)).with_alarms()

    @admin.display(description="False alarms", ordering="alarms")
    def false_alarms(self, rule: ValidatorRule) -> int:
        """Show how often leads approved over what the validator found, or people refused it."""
        shown: int = rule.alarms  # type: ignore[attr-defined] # what the list's rows come with
        return shown

    @admin.display(description="Parameters there are")
    def what_can_be_set(self, rule: ValidatorRule) -> str:
        """Return the parameters in words: of this validator, or of all while none is chosen."""
        known = validators_of(rule.domain).values()
        checks = [check for check in known if not rule.validator or check.name == rule.validator]
        lines = [(check.name, line) for check in checks for line in described(check.params)]
        return format_html_join("\n", "<p><strong>{}</strong> {}</p>", lines) or "This validator has nothing to set."


class PatternRuleForm(VersionedForm):
    """Set one pattern."""

    fixed = ("queue", "domain", "name")

    class Meta:
        model = PatternRule
        fields = (
            "queue",
            "domain",
            "name",
            "enabled",
            "pattern",
            "fails",
            "severity",
            "critique",
            "suggested_fix",
        )


@admin.register(PatternRule, site=site)
class PatternRuleAdmin(VersionedAdmin):
    """Enter patterns that a queue's drafts are searched for."""

    form = PatternRuleForm
    fields = (*PatternRuleForm.Meta.fields, "seen_version")
    list_display = ("name", "queue", "domain", "enabled", "fails", "severity", "pattern")
    list_filter = ("queue", "domain", "enabled", "fails")
    list_select_related = ("queue",)
    search_fields = ("name", "critique")
