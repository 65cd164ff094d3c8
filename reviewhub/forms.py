"""Read what people send by form, and say by field what cannot be taken."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from agent.strict_json import read_json
from reviewhub.importing import ColumnMap, LedgerOptions, MapInvalid, read_map
from reviewhub.intake import CaseInvalid, NewCase, read_case
from reviewhub.models import DOMAINS, DeclineReason, Queue

__all__ = [
    "ApproveForm",
    "ClaimForm",
    "ConfirmWordsForm",
    "DecisionForm",
    "DeclineForm",
    "EditForm",
    "EscalateForm",
    "ExemplarEditForm",
    "GuardForm",
    "ImportForm",
    "NewCaseForm",
    "OverrideForm",
    "WriteForm",
]

_MOST_TEXT = 100_000


def _refuse_broken(text: str) -> None:
    """Refuse a text in which a character was lost on the way: what stands there now is not what was typed."""
    if "\ufffd" in text:
        raise ValidationError(_("A character arrived broken; it is shown as \ufffd. Type it again."))


class GuardForm(forms.Form):
    """Hold what every act carries: the version that was seen, and a key that makes a second press the same act."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    key = forms.RegexField(r"^[0-9a-f]{32}$", widget=forms.HiddenInput)


class ApproveForm(GuardForm):
    """Approve the shown text; `facts_confirmed` when they are old and still hold."""

    facts_confirmed = forms.BooleanField(required=False)


class OverrideForm(ApproveForm):
    """Approve the shown text over the checks that block it, as a lead, with the reason."""

    override_reason = forms.CharField(
        max_length=2000, error_messages={"required": _("Say why the checks are mistaken.")}
    )


class _TypedForm(ApproveForm):
    """Approve a person's text; a lead may do so over what fails, which `override_seen` tells apart."""

    override_reason = forms.CharField(max_length=2000, required=False)
    override_seen = forms.CharField(max_length=64, required=False)


class _PassagesForm(forms.Form):
    """Hold one text for each passage, in order."""

    def __init__(self, data: Any = None, *, blocks: int) -> None:
        super().__init__(data)
        for place in range(blocks):
            self.fields[f"prose-{place}"] = forms.CharField(
                max_length=_MOST_TEXT, required=False, strip=False, validators=[_refuse_broken]
            )

    def prose(self) -> list[str]:
        """Return the passages in order."""
        return [_lines(value) for name, value in self.cleaned_data.items() if name.startswith("prose-")]


class EditForm(_TypedForm, _PassagesForm):
    """Approve with edits: one text for each prose block, in order."""


class WriteForm(_TypedForm):
    """Approve a text that a person wrote as one free block."""

    text = forms.CharField(
        max_length=_MOST_TEXT,
        strip=False,
        validators=[_refuse_broken],
        error_messages={"required": _("Write the text first, or go back to the draft.")},
    )

    def clean_text(self) -> str:
        """Return the text with one kind of line end."""
        return _lines(self.cleaned_data["text"])


class ClaimForm(GuardForm):
    """Hold the draft; a lead may take it over from another person."""

    take_over = forms.BooleanField(required=False)


class DecisionForm(GuardForm):
    """Name the decision that is taken back, or whose text is taken out."""

    decision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class DeclineForm(GuardForm):
    """Decline for a reason that the queue offers."""

    reason = forms.ChoiceField(error_messages={"required": _("Choose a reason.")})
    note = forms.CharField(max_length=2000, required=False)

    def __init__(self, data: Any = None, *, queue: Queue) -> None:
        super().__init__(data)
        self.offered = list(DeclineReason.objects.offered_in(queue))
        reason = self.fields["reason"]
        assert isinstance(reason, forms.ChoiceField)  # noqa: S101 - narrows the type
        reason.choices = [(offered.code, offered.label) for offered in self.offered]

    def clean(self) -> dict[str, Any]:
        """Ask for words when no listed reason fits."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        needing = {offered.code for offered in self.offered if offered.needs_note}
        if cleaned.get("reason") in needing and not cleaned.get("note"):
            self.add_error("note", _("Say in a few words why: this reason alone does not tell."))
        return cleaned


class EscalateForm(GuardForm):
    """Hand a draft to a lead with a note."""

    note = forms.CharField(max_length=2000, error_messages={"required": _("Say what the lead should look at.")})


class NewCaseForm(forms.Form):
    """Take one case in; `case` holds it once the form is valid."""

    case: NewCase

    external_id = forms.CharField(max_length=200)
    title = forms.CharField(max_length=200, required=False)
    subject = forms.CharField(max_length=200, required=False)
    domain = forms.ChoiceField(choices=lambda: [(name, name.capitalize()) for name in DOMAINS])
    message = forms.CharField(max_length=_MOST_TEXT, required=False)
    facts = forms.CharField(strip=False)

    def __init__(self, data: Any = None, *, queue: Queue) -> None:
        super().__init__(data)
        self._queue = queue

    def clean_facts(self) -> dict[str, Any]:
        """Read the facts as one JSON object."""
        try:
            facts = read_json(self.cleaned_data["facts"])
        except json.JSONDecodeError as error:
            where = {"why": error.msg.lower(), "line": error.lineno, "column": error.colno}
            message = _("This is no JSON: %(why)s at line %(line)d, column %(column)d. Correct it there.")
            raise ValidationError(message, params=where) from error
        except RecursionError as error:
            raise ValidationError(_("The facts are nested too deeply. Use the keys of the domain’s schema.")) from error
        except ValueError as error:
            raise ValidationError(_("Correct the facts: %(why)s."), params={"why": str(error)}) from error
        if not isinstance(facts, dict):
            raise ValidationError(_("Give one JSON object with the keys of the domain’s schema."))
        return facts

    def clean(self) -> dict[str, Any]:
        """Read the whole as intake does; each fault goes to the field that holds it."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            self.case = read_case({name: value for name, value in cleaned.items() if value != ""}, queue=self._queue)
        except CaseInvalid as error:
            for problem in error.problems:
                place = problem.path.partition(".")[0]
                self.add_error(place if place in self.fields else None, str(problem))
        return cleaned


class ImportForm(forms.Form):
    """Take a file of cases in; a map and a day are for CSV."""

    file = forms.FileField(error_messages={"required": _("Choose a file first."), "empty": _("The file is empty.")})
    map = forms.FileField(required=False, allow_empty_file=True)
    as_of = forms.DateField(
        required=False, input_formats=["%Y-%m-%d"], error_messages={"invalid": _("Write the day as YYYY-MM-DD.")}
    )

    def clean_map(self) -> ColumnMap | None:
        """Read the map of columns; None when there is none."""
        given = self.cleaned_data["map"]
        if not given:
            return None
        try:
            return read_map(given.read(_MOST_TEXT + 1))
        except MapInvalid as error:
            raise ValidationError([str(problem) for problem in error.problems]) from error

    def ledger(self) -> LedgerOptions | None:
        """Return what is said about a CSV file; None when nothing is."""
        columns, as_of = self.cleaned_data["map"], self.cleaned_data["as_of"]
        if columns is None and as_of is None:
            return None
        return LedgerOptions(columns or ColumnMap(), as_of)


class _Listed(forms.MultipleChoiceField):
    """Take any values of a list that changes; whoever acts on them knows which are allowed."""

    def valid_value(self, value: Any) -> bool:
        """Take every value."""
        return bool(value)


class ConfirmWordsForm(forms.Form):
    """Confirm doubtful words as harmless; `seen` says which state of the text the person looked at."""

    seen = forms.CharField(max_length=60)
    words = _Listed(error_messages={"required": _("Tick the words that tell nothing about anybody.")})


class ExemplarEditForm(_PassagesForm):
    """Correct an exemplar; `seen` as when words are confirmed."""

    seen = forms.CharField(max_length=60)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
