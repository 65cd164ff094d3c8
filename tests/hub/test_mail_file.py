"""A mail file holds the headers that it should and no others, whatever the facts hold."""

from email import message_from_bytes
from email.policy import default

import pytest

from reviewhub.views.leaving import as_mail

HEADERS = ["Subject", "From", "To", "X-Unsent", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"]
HOSTILE = [
    "=?utf-8?q?=0d=0aBcc:_all=40x.example?=",
    "a =?utf-8?b?DQpCY2M6IGFsbEB4LmV4YW1wbGU=?= b",
    "a\r\nBcc: all@x.example",
    "a\u2028Bcc: all@x.example",
    "a\x85Bcc: all@x.example",
    "Ana <b@x.example>, all@x.example",
    'Ana" <b@x.example>, "x',
]


def mail(*, name="Ana", email="ana@acme.example", subject="Your account"):
    party = {"name": name, "email": email}
    return as_mail(f"Subject: {subject}\n\nThe text.", {"client": party, "sender": party})


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_and_no_subject_begins_another_header(text):
    for made in (mail(name=text), mail(subject=text.replace("\r\n", " "))):
        read = message_from_bytes(made, policy=default)
        assert read.keys() == HEADERS
        assert [address.addr_spec for address in read["To"].addresses] == ["ana@acme.example"]
        assert b"\nBcc" not in made


@pytest.mark.parametrize(
    ("email", "written"),
    [
        ("ana@acme.example", "ana@acme.example"),
        ("ana@b\u00fccher.example", "ana@xn--bcher-kva.example"),
        ("\u212a@acme.example", None),
        ("\u00e4na@acme.example", None),
        ("ana@acme.example\r\nBcc: all@x.example", None),
        ("ana@" + "\u00fc" * 70 + ".example", None),
        ("ana", None),
        ("", None),
    ],
)
def test_an_address_that_no_mail_can_hold_is_left_out(email, written):
    read = message_from_bytes(mail(email=email), policy=default)
    assert (read["To"].addresses[0].addr_spec if read["To"] else None) == written
    assert ("From" in read) is (written is not None)
