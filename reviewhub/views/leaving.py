"""Let an approved text out: to the clipboard, or as a mail that a mail program opens as a draft."""

import re
from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from reviewhub.edits import Refused
from reviewhub.forms import DecisionForm
from reviewhub.models import Decision, Draft, Exit
from reviewhub.reviewing import let_out
from reviewhub.views.answers import refused
from reviewhub.views.drafts import visible_draft
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["as_mail", "copy", "download"]

_SUBJECT = re.compile(r"\ASubject:[ \t]*(?P<subject>[^\n]*)\n+")


def as_mail(text: str, facts: Mapping[str, Any]) -> bytes:
    """Return an approved text as a mail: its first line is the subject if it says so, addresses come from the facts.

    An address of the facts that is none is left out: the person fills it in.
    """
    mail = EmailMessage(policy=SMTP)
    found = _SUBJECT.match(text)
    mail["Subject"] = (_one_line(found["subject"]) if found else "") or "Your account"
    for header, party, name in (("From", "sender", "name"), ("To", "client", "contact")):
        address = _address(facts.get(party) or {}, name)
        if address is not None:
            mail[header] = address
    mail["X-Unsent"] = "1"  # mail programs then open it for editing, with a send button
    mail.set_content(text[found.end() :] if found else text)
    return mail.as_bytes()


@require_POST
@signed_in
def copy(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Note that the text is copied, and give it: to the script for the clipboard, or as a page to select it from."""
    draft = visible_draft(request, draft_id)
    try:
        decision = _let_out(request, draft, Exit.COPIED)
    except Refused as error:
        return refused(request, draft, error)
    context = {"draft": draft, "queue": draft.queue, "decision": decision}
    return show(request, "copied.html", context, partials=("copy-said",))


@require_POST
@signed_in
def download(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Note that the text is downloaded, and give it as a mail file."""
    draft = visible_draft(request, draft_id)
    try:
        decision = _let_out(request, draft, Exit.DOWNLOADED)
    except Refused as error:
        return refused(request, draft, error)
    response = HttpResponse(as_mail(decision.text, draft.sheet.facts), content_type="message/rfc822")
    name = slugify(draft.case.external_id) or f"draft-{draft.pk}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.eml"'
    return response


def _let_out(request: SignedInRequest, draft: Draft, way: Exit) -> Decision:
    form = DecisionForm(request.POST)
    wanted = form.cleaned_data["decision"] if form.is_valid() else None
    decision = get_object_or_404(draft.decisions, pk=wanted)
    return let_out(decision_id=decision.pk, way=way, user=request.user, now=timezone.now())


def _address(party: Mapping[str, Any], name: str) -> Address | None:
    local, _, domain = str(party.get("email") or "").rpartition("@")
    try:
        email = f"{local}@{domain.encode('idna').decode('ascii')}"
        validate_email(email)
    except (ValidationError, UnicodeError):
        return None
    if not email.isascii():
        return None
    return Address(display_name=_one_line(str(party.get(name) or party.get("name") or "")), addr_spec=email)


def _one_line(text: str) -> str:
    """Return a text that cannot begin another header."""
    # The library decodes what looks like an encoded word, line breaks and all.
    return " ".join(text.split()).replace("=?", "= ?")
