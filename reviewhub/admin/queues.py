"""Let administrators keep queues, their defaults, and who does what in each."""

from typing import Any

from babel.core import Locale, UnknownLocaleError
from babel.numbers import list_currencies
from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from pydantic import BaseModel
from pydantic import ValidationError as ShapeInvalid

from agent.domains.billing.schema import Policy, Sender
from reviewhub.admin.access import site
from reviewhub.admin.auditing import AuditedAdmin
from reviewhub.admin.fields import JsonObjectField
from reviewhub.models import Membership, Queue

__all__ = ["MembershipInline", "QueueAdmin"]


class MembershipForm(forms.ModelForm):  # type: ignore[type-arg] # takes its parameters in the stubs alone
    """Give one person a role."""

    class Meta:
        model = Membership
        fields = ("user", "role", "may_export")
        help_texts = {
            "user": "Who; one role for each person.",
            "role": "Viewers read, operators also decide, leads also override and take over.",
        }


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg] # same
    """Give people their role in the queue that is shown."""

    model = Membership
    form = MembershipForm
    extra = 0
    autocomplete_fields = ("user",)


class QueueForm(forms.ModelForm):  # type: ignore[type-arg] # same
    """Set a queue and what its cases go by when they bring nothing of their own."""

    class Meta:
        model = Queue
        fields = (
            "name",
            "slug",
            "team",
            "time_zone",
            "locale",
            "currency",
            "sender",
            "policy",
            "facts_max_age_days",
            "is_demo",
        )
        field_classes = {"sender": JsonObjectField, "policy": JsonObjectField}
        help_texts = {
            "name": "What people read.",
            "slug": "What stands in the queue's address; links to it break when it changes.",
            "team": "Whose queue it is.",
            "time_zone": "Such as Europe/Dublin: where its days begin.",
            "locale": "How amounts and dates are written: en_US, en_GB, en_IE and other en_ ones.",
            "currency": "Three capital letters, such as USD.",
            "sender": "A JSON object: who signs, when a case does not say. name, team, email, phone, pay_to.",
            "policy": "A JSON object: the policy of cases that bring none. late_fee_percent, payment_plan, "
            "collections_after_days, pay_by.",
            "is_demo": "A demo queue's facts never grow too old.",
        }

    def clean_locale(self) -> str:
        """Take English locales, the only ones that drafts are written in."""
        locale: str = self.cleaned_data["locale"]
        if not _is_english(locale):
            raise ValidationError(f"{locale!r} is no English locale. Give one such as en_US or en_GB.")
        return locale

    def clean_currency(self) -> str:
        """Take currencies that amounts can be written in."""
        currency: str = self.cleaned_data["currency"]
        if currency not in list_currencies():
            raise ValidationError(f"{currency!r} is no currency. Give three capital letters, such as USD.")
        return currency

    def clean_sender(self) -> dict[str, Any]:
        """Take a sender that every case could have brought."""
        return _read(Sender, self.cleaned_data["sender"])

    def clean_policy(self) -> dict[str, Any]:
        """Take a policy that every case could have brought."""
        return _read(Policy, self.cleaned_data["policy"])


@admin.register(Queue, site=site)
class QueueAdmin(AuditedAdmin):
    """Keep queues with their members."""

    form = QueueForm
    list_display = ("name", "slug", "team", "time_zone", "locale", "is_demo")
    search_fields = ("name", "slug", "team")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline,)


def _is_english(locale: str) -> bool:
    try:
        return Locale.parse(locale).language == "en"
    except (UnknownLocaleError, ValueError):
        return False


def _read(shape: type[BaseModel], given: dict[str, Any]) -> dict[str, Any]:
    if not given:
        return {}
    try:
        shape.model_validate(given)
    except ShapeInvalid as error:
        faults = error.errors(include_url=False, include_input=False)
        raise ValidationError(
            [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg'].lower()}." for fault in faults]
        ) from error
    return given
