"""Let administrators see what drafts are told to avoid, retire a line, and take that back."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from agent.validators.register import REGISTER
from reviewhub.admin.access import site
from reviewhub.admin.auditing import audit
from reviewhub.models import DOMAINS, AvoidLine, Queue, RetiredLine, counted_lines

__all__ = ["RetiredLineAdmin"]

_FIELDS = ["domain", "situation", "error_type", "slot"]


class LineForm(forms.Form):
    """Name a line of a queue, and what is to become of it."""

    queue = forms.ModelChoiceField(Queue.objects.all())
    domain = forms.ChoiceField(choices=lambda: [(name, name) for name in DOMAINS])
    situation = forms.CharField(max_length=60)
    error_type = forms.ChoiceField(choices=[(code, code) for code in REGISTER])
    slot = forms.RegexField(r"^[A-Z][A-Z0-9_]{0,59}$", required=False)
    act = forms.ChoiceField(choices=[("retire", "retire"), ("take_back", "take back")])


@admin.register(RetiredLine, site=site)
class RetiredLineAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # takes its parameters in the stubs alone
    """Show what the drafts of a queue got wrong in 30 days, and let lines be retired."""

    def has_add_permission(self, *_args: Any, **_named: Any) -> bool:
        """Retire on the list alone."""
        return False

    has_change_permission = has_delete_permission = has_add_permission

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show one queue's lines; a POST retires one, or takes that back."""
        if not self.has_view_permission(request):
            return self.admin_site.login(request)
        if request.method == "POST":
            return self._rule(request)
        queues = list(Queue.objects.order_by("name"))
        chosen = next((queue for queue in queues if str(queue.pk) == request.GET.get("queue")), None)
        queue = chosen or next(iter(queues), None)
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": "Avoid lines",
            "opts": self.opts,
            "queues": queues,
            "queue": queue,
            "lines": _lines(queue) if queue else [],
        }
        return TemplateResponse(request, "admin/avoid_lines.html", context)

    def _rule(self, request: HttpRequest) -> HttpResponse:
        form = LineForm(request.POST)
        here = redirect("admin:reviewhub_retiredline_changelist")
        if not form.is_valid():
            self.message_user(request, "The form came without all its parts, so nothing was done.", "error")
            return here
        line, act = {"queue": form.cleaned_data.pop("queue"), **form.cleaned_data}, form.cleaned_data["act"]
        line.pop("act")
        with transaction.atomic():
            said = _retire(request, line) if act == "retire" else _take_back(request, line)
        self.message_user(request, said)
        return redirect(f"{here.url}?queue={line['queue'].pk}")


def _retire(request: HttpRequest, line: dict[str, Any]) -> str:
    now = timezone.now()
    row, is_new = RetiredLine.objects.get_or_create(
        **line, defaults={"retired_by": cast("User", request.user), "retired_at": now}
    )
    if is_new:
        audit(request, "retire", row, _FIELDS)
    return "The line is retired: the next drafts are not told."


def _take_back(request: HttpRequest, line: dict[str, Any]) -> str:
    row = RetiredLine.objects.select_for_update().filter(**line).first()
    if row is not None:
        audit(request, "take_back", row, _FIELDS)
        row.delete()
    return "The line is back: the next drafts are told again, as long as it goes wrong."


def _lines(queue: Queue) -> list[AvoidLine]:
    """Return a queue's lines, and those that are retired and went wrong in no draft of late."""
    lines = counted_lines(queue.pk, now=timezone.now())
    known = {line.key for line in lines}
    rows = RetiredLine.objects.filter(queue=queue).order_by(*_FIELDS)
    gone = [AvoidLine(row.domain, row.situation, row.error_type, row.slot, 0, is_retired=True) for row in rows]
    return [*lines, *(line for line in gone if line.error_type in REGISTER and line.key not in known)]
