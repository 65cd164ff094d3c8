"""Read the facts that people add by form: one form for each kind, each with where they know it from."""

from datetime import date
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from reviewhub.forms import GuardForm
from reviewhub.models import AddedKind, Draft
from reviewhub.reviewing import NewFact

__all__ = ["FORMS", "AddFactForm", "WithdrawForm"]

_EARLIEST = date(2000, 1, 1)


def _refuse_broken(text: str) -> None:
    if "\ufffd" in text:
        raise ValidationError(_("A character arrived broken; it is shown as \ufffd. Type it again."))


class _DayField(forms.DateField):
    """Take a day as browsers send it."""

    def __init__(self, missing: Any) -> None:
        super().__init__(
            input_formats=["%Y-%m-%d"],
            error_messages={"required": missing, "invalid": _("Write the day as YYYY-MM-DD.")},
        )

    def clean(self, value: Any) -> date | None:
        day: date | None = super().clean(value)
        if day is not None and day < _EARLIEST:
            raise ValidationError(_("This day is too long ago. Check the year."))
        return day


class AddFactForm(GuardForm):
    """Add a fact of one kind; `draft` gives the lines that it may be about."""

    kind: ClassVar[AddedKind]
    known_from = forms.CharField(
        max_length=300, validators=[_refuse_broken], error_messages={"required": _("Say where you know it from.")}
    )

    def __init__(self, data: Any = None, *, draft: Draft) -> None:
        super().__init__(data)
        if isinstance(field := self.fields.get("line"), forms.ChoiceField):
            ids = [str(line["id"]) for line in draft.sheet.facts["transactions"]]
            field.choices = [("", _("the whole account")), *((line, line) for line in ids)]

    def fact(self) -> NewFact:
        """Return the fact in the shape of its key; days as text."""
        names = [name for name in self.fields if name not in {"version", "key", "known_from"}]
        values = {name: self.cleaned_data[name] for name in names}
        value = {name: part.isoformat() if isinstance(part, date) else part for name, part in values.items()}
        return NewFact(self.kind, value, self.cleaned_data["known_from"])


class PayByForm(AddFactForm):
    """Add the day by which the client is asked to pay."""

    kind = AddedKind.PAY_BY
    pay_by = _DayField(_("Give the day."))


class PromiseForm(AddFactForm):
    """Add what the client promised on the phone."""

    kind = AddedKind.PROMISE
    on = _DayField(_("Give the day of the call."))
    line = forms.ChoiceField(required=False, error_messages={"invalid_choice": _("Choose a line of the ledger.")})
    text = forms.CharField(
        max_length=2000, validators=[_refuse_broken], error_messages={"required": _("Say what was promised.")}
    )


class AttachmentForm(AddFactForm):
    """Add a file that goes out with the mail."""

    kind = AddedKind.ATTACHMENT
    name = forms.CharField(
        max_length=200, validators=[_refuse_broken], error_messages={"required": _("Give the name of the file.")}
    )
    line = forms.ChoiceField(required=False, error_messages={"invalid_choice": _("Choose a line of the ledger.")})


class WithdrawForm(GuardForm):
    """Take an added fact back."""

    added = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


FORMS: dict[str, type[AddFactForm]] = {form.kind.value: form for form in (PayByForm, PromiseForm, AttachmentForm)}
