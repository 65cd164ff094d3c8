"""A ledger export as CSV: a row for each transaction, the rows of a client one case, all of them or none."""

import io
import tracemalloc
from datetime import UTC, date, datetime

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from reviewhub.importing.columns import ColumnMap
from reviewhub.importing.ledger import read_ledger
from reviewhub.models import Case, Draft, FactSheet

pytestmark = pytest.mark.django_db(transaction=True)

HEADER = (
    "client.id,client.name,client.contact,client.email,"
    "id,kind,description,period,amount,paid,due,paid_on,disputed,currency"
)
ACME = "acme,Acme Ltd,Ana Ortega,ap@acme.example,TX-1001,invoice,Consulting,2026-03,1200.00,,2026-04-15,,,USD"
ACME_2 = "acme,Acme Ltd,,,TX-1002,invoice,Hosting,2026-03,775.00,75.00,2026-04-15,2026-04-20,yes,USD"
BOLT = "bolt,Bolt GmbH,,,B-1,credit,Returned goods,2026-04,50,,,,no,EUR"


@pytest.fixture
def run(queue, tmp_path, redis_url):
    """Import a file with this content and return what the command printed."""

    def call(content: str | bytes, *options: str, name: str = "ledger.csv", columns: str = "") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if columns:
            (tmp_path / "map.toml").write_text(columns)
            options = (*options, "--map", str(tmp_path / "map.toml"))
        out = io.StringIO()
        given = ("--as-of", "2026-05-04") if "--as-of" not in options else ()
        call_command("import_cases", str(path), "--queue", queue.slug, *given, *options, stdout=out)
        return out.getvalue()

    return call


@pytest.fixture
def refused(run):
    """Import a file that is refused as a whole, and return its faults."""

    def call(content: str | bytes, **more) -> list[str]:
        with pytest.raises(CommandError) as error:
            run(content, **more)
        assert (Case.objects.count(), FactSheet.objects.count(), Draft.objects.count()) == (0, 0, 0)
        *faults, last = str(error.value).splitlines()
        assert last == "Nothing was saved."
        return faults

    return call


def rows(*lines: str, header: str = HEADER) -> str:
    return "\n".join((header, *lines, ""))


def facts_of(external_id: str) -> dict:
    return Case.objects.get(external_id=external_id).newest_sheet().facts


# What comes in


def test_the_rows_of_a_client_become_one_case_with_a_queued_draft(run, queue):
    assert run(rows(ACME, BOLT, ACME_2)) == "2 new, 0 with new facts, 0 already here\n"
    case = Case.objects.get(external_id="acme:2026-05-04")
    assert (case.queue, case.domain, case.title, case.subject) == (queue, "billing", "Acme Ltd", "acme")
    assert case.newest_draft().state == "queued"
    assert facts_of("acme:2026-05-04")["transactions"] == [
        {
            "id": "TX-1001",
            "kind": "invoice",
            "description": "Consulting",
            "period": "2026-03",
            "amount_cents": 120000,
            "paid_cents": 0,
            "due": "2026-04-15",
            "disputed": False,
        },
        {
            "id": "TX-1002",
            "kind": "invoice",
            "description": "Hosting",
            "period": "2026-03",
            "amount_cents": 77500,
            "paid_cents": 7500,
            "due": "2026-04-15",
            "paid_on": "2026-04-20",
            "disputed": True,
        },
    ]


def test_sender_policy_and_locale_are_the_queues_and_the_client_the_rows(run, queue):
    queue.sender, queue.policy = {"name": "Ola Berg", "team": "Billing"}, {"collections_after_days": 90}
    queue.locale = "en_GB"
    queue.save()
    run(rows(ACME))
    facts = facts_of("acme:2026-05-04")
    assert facts["client"] == {"id": "acme", "name": "Acme Ltd", "contact": "Ana Ortega", "email": "ap@acme.example"}
    assert facts["sender"] == {"name": "Ola Berg", "team": "Billing"}
    assert facts["policy"] == {"collections_after_days": 90}
    assert (facts["locale"], facts["currency"], facts["reminders_sent"]) == ("en_GB", "USD", 0)


def test_the_day_is_the_queues_today_unless_given(queue, tmp_path, redis_url, monkeypatch):
    queue.time_zone = "Pacific/Auckland"  # there the fifth has begun when the clock of UTC shows the fourth
    queue.save()
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 5, 4, 13, tzinfo=UTC))
    (tmp_path / "ledger.csv").write_text(rows(ACME))
    call_command("import_cases", str(tmp_path / "ledger.csv"), "--queue", queue.slug, stdout=io.StringIO())
    assert Case.objects.get().external_id == "acme:2026-05-05"


def test_the_same_ledger_again_changes_nothing_and_another_amount_is_new_facts(run):
    run(rows(ACME, BOLT))
    assert run(rows(ACME, BOLT)) == "0 new, 0 with new facts, 2 already here\n"
    assert run(rows(ACME.replace("1200.00", "1300.00"), BOLT)) == "0 new, 1 with new facts, 1 already here\n"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_usual_separator_and_line_end_is_read(run, mark, end):
    content = rows(ACME, ACME_2).replace(",", mark).replace("\n", end)
    assert run(content) == "1 new, 0 with new facts, 0 already here\n"
    assert len(facts_of("acme:2026-05-04")["transactions"]) == 2


def test_a_byte_order_mark_and_empty_lines_are_no_fault(run):
    run(b"\xef\xbb\xbf\n" + rows(ACME, "", ",,,,,,,,,,,,,", ACME_2).encode())
    assert len(facts_of("acme:2026-05-04")["transactions"]) == 2


def test_a_quoted_cell_may_hold_separators_marks_and_line_ends(run):
    run(rows(ACME.replace("Consulting", '"Consulting, ""phase\n two""; final"')))
    assert facts_of("acme:2026-05-04")["transactions"][0]["description"] == 'Consulting, "phase two"; final'


@pytest.mark.parametrize("cell", ["=1+1", "@SUM(A1)", "+44 work", "-discount", "=HYPERLINK(1)"])
def test_a_cell_that_looks_like_a_formula_is_data(run, cell):
    run(rows(ACME.replace("Consulting", cell)))
    assert facts_of("acme:2026-05-04")["transactions"][0]["description"] == cell


def test_columns_may_be_left_out_when_they_are_not_needed(run):
    run(
        rows(
            "acme,Acme Ltd,TX-1,invoice,2026-03,9,2026-04-15", header="client.id,client.name,id,kind,period,amount,due"
        )
    )
    facts = facts_of("acme:2026-05-04")
    assert facts["client"] == {"id": "acme", "name": "Acme Ltd"}
    assert facts["currency"] == "USD"
    assert (facts["transactions"][0]["amount_cents"], facts["transactions"][0]["disputed"]) == (900, False)


@pytest.mark.parametrize(
    ("locale", "currency", "written", "cents"),
    [
        ("en_US", "USD", "1,975.00", 197500),
        ("en_US", "USD", "1975", 197500),
        ("en_US", "USD", "1975.5", 197550),
        ("en_US", "USD", "0.07", 7),
        ("en_US", "USD", "0", 0),
        ("en_IN", "INR", "12,34,567.89", 123456789),
        ("en_ZA", "ZAR", "1 975,00", 197500),
        ("en_ZA", "ZAR", "1\u00a0975,00", 197500),
        ("en_CH", "CHF", "1'975.00", 197500),
        ("en_US", "JPY", "1,975", 1975),
        ("en_US", "KWD", "1,250.750", 1250750),
    ],
)
def test_an_amount_is_read_as_the_queues_locale_writes_it(run, queue, locale, currency, written, cents):
    queue.locale = locale
    queue.save()
    run(rows(ACME.replace("1200.00", f'"{written}"').replace("USD", currency)))
    assert facts_of("acme:2026-05-04")["transactions"][0]["amount_cents"] == cents


@pytest.mark.parametrize(
    ("locale", "currency", "written"),
    [
        ("en_US", "USD", "1.975,00"),
        ("en_US", "USD", "19,75"),
        ("en_US", "USD", "1.970"),
        ("en_US", "USD", "$1,975.00"),
        ("en_US", "USD", "1975.00 USD"),
        ("en_US", "USD", "1,97,5.00"),
        ("en_US", "USD", "-5.00"),
        ("en_US", "USD", "(5.00)"),
        ("en_US", "USD", "1e3"),
        ("en_US", "USD", "007.00"),
        ("en_US", "USD", "\u0661\u0662"),
        ("en_US", "USD", "NaN"),
        ("en_US", "USD", "1975."),
        ("en_US", "USD", "9" * 50),
        ("en_US", "USD", "9" * 30),
        ("en_US", "JPY", "19.75"),
        ("en_ZA", "ZAR", "1,975.00"),
    ],
)
def test_any_other_way_to_write_an_amount_is_refused(refused, queue, locale, currency, written):
    queue.locale = locale
    queue.save()
    faults = refused(rows(ACME.replace("1200.00", f'"{written}"').replace("USD", currency)))
    assert len(faults) == 1
    assert faults[0].startswith("line 2: amount: ")


# Columns by other names

MAP = """
ignore = ["Notes", "Clerk"]
[columns]
"client.id" = "Customer No"
client.name = "Customer"
"Doc" = "id"
kind = "Type"
amount = "Gross"
due = "Due date"
"""
THEIRS = "Customer No;Customer;Doc;type;period;Gross;Due Date;Notes"


def test_a_map_gives_the_names_of_the_columns(run):
    run(rows("acme;Acme Ltd;TX-1;Invoice;2026-03;1,200.00;2026-04-15;call first", header=THEIRS), columns=MAP)
    facts = facts_of("acme:2026-05-04")
    assert facts["client"] == {"id": "acme", "name": "Acme Ltd"}
    assert facts["transactions"][0]["amount_cents"] == 120000


def test_a_fault_is_told_by_the_name_that_the_file_uses(refused):
    faults = refused(rows("acme;Acme Ltd;TX-1;Invoice;2026-03;12,0;15.04.2026;", header=THEIRS), columns=MAP)
    assert [fault.partition(" '")[0] for fault in faults] == ["line 2: Gross:", "line 2: Due Date:"]
    assert "YYYY-MM-DD" in faults[1]


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ("[columns]\nclient.id = 5", "client.id: names no column."),
        ('[columns]\n"Gross" = "Brutto"', "Gross: is no column that a ledger has. Ours are: client.id, client.name"),
        ('[columns]\namount = "Gross"\n"Net" = "amount"', "Net: maps amount a second time."),
        ('[columns]\namount = "Gross"\npaid = "gross"', "paid: shares 'gross' with another."),
        ("[colums]\n", "colums: is no key of a map."),
        ("columns = 5", "columns: is no table."),
        ("ignore = 5", "ignore: is no list of names."),
        ("[columns", "map: is no TOML"),
    ],
)
def test_a_map_that_is_wrong_is_refused_by_the_name_of_its_entry(refused, columns, says):
    assert any(says in fault for fault in refused(rows(ACME), columns=columns))


@pytest.mark.parametrize(
    ("header", "columns", "says"),
    [
        (HEADER.replace("amount", "amuont"), "", ["line 1: amuont: is no column", "line 1: amount: is missing"]),
        (HEADER.replace("disputed", "dispute"), "", ["line 1: dispute: is no column that a ledger has."]),
        (HEADER.replace("paid_on", "paid"), "", ["line 1: paid: stands for paid, as paid does."]),
        (HEADER.replace("paid_on", "PAID"), "", ["line 1: PAID: stands for paid, as paid does."]),
        (HEADER.replace("paid_on", ""), "", ["line 1: column 12: is no column"]),
        (HEADER, '[columns]\namount = "Gross"', ["line 1: amount: is no column", "line 1: Gross: is missing"]),
        ("a,b,c", "", ["line 1: a: is no column", "line 1: client.id: is missing"]),
    ],
)
def test_a_column_that_is_missing_unknown_or_there_twice_is_named(refused, header, columns, says):
    faults = refused(rows(ACME, header=header), columns=columns)
    for text in says:
        assert any(fault.startswith(text) for fault in faults), (text, faults)


# What is refused


def test_every_bad_line_is_named_with_its_column_and_what_to_do(refused):
    faults = refused(
        rows(
            ACME,
            '"acme","Acme Ltd",,,"two\nlines",invoice,Hosting,March,12.345,,04/15/2026,,perhaps,USD',
            BOLT.replace("credit", "refund"),
            BOLT.replace("B-1", "B-2").replace("EUR", "CHF"),
            ACME,
            "acme,Acme Limited,,,TX-9,invoice,,2026-03,5,,,,,USD",
            "short,row",
            ",No id,,,X-1,invoice,,2026-03,5,,2026-04-15,,,USD",
        )
    )
    numbers = [int(fault.removeprefix("line ").partition(":")[0]) for fault in faults]
    assert numbers == [3, 3, 3, 3, 3, 5, 6, 7, 8, 8, 9, 10]
    told = "\n".join(faults)
    for text in (
        "line 3: id: ",
        "line 3: period: 'March' is no month. Write it as YYYY-MM.",
        "line 3: amount: '12.345' has 3 decimals, and USD has 2.",
        "line 3: due: '04/15/2026' is no day. Write it as YYYY-MM-DD.",
        "line 3: disputed: 'perhaps' says neither yes nor no.",
        "line 5: kind: 'refund' is no kind of transaction. Write invoice or credit.",
        "line 6: currency: 'CHF' differs from 'EUR' on line 5, for the same client. A ledger has one currency",
        "line 7: id: 'TX-1001' stands on line 2 too, for the same client.",
        "line 8: client.name: 'Acme Limited' differs from 'Acme Ltd' on line 2",
        "line 8: due: is missing: an invoice needs a due date.",
        "line 9: row: has 2 cells, and the header has 14.",
        "line 10: client.id: is empty. Fill it in.",
    ):
        assert text in told


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "line 1: file: holds no transaction."),
        ("\ufeff\n \n", "line 1: file: holds no transaction."),
        (HEADER, "line 1: file: holds no transaction."),
        (rows(ACME.replace("Acme Ltd", '"Acme Ltd')), "line 2: row: cannot be read: unexpected end of data."),
        (rows(ACME.replace("Acme Ltd", '"Acme" Ltd')), "line 2: row: cannot be read:"),
        (rows(ACME.replace("Acme Ltd", '"' + "x\n" * 80_000)), "line 2: row: cannot be read: field larger than"),
        ("x" * 300_000, "line 1: line: is longer than 200 kB."),
        (rows(ACME).encode("utf-16"), "line 1: file: is UTF-16. Save it as CSV UTF-8."),
        (rows(ACME.replace("Acme Ltd", "Caf\u00e9")).encode("latin-1"), "line 2: line: is not UTF-8 at byte"),
        (rows(ACME.replace("Acme Ltd", "Ac\x00me")), "line 2: client.name: holds U+0000"),
        (rows(ACME.replace("TX-1001", "T" * 70)), "line 2: id: "),
        (rows(ACME.replace("acme,", "a\u2028b,", 1)), "line 2: client.id: holds U+2028"),
        (rows(ACME.replace("USD", "usd")), "line 2: currency: 'usd' is no ISO 4217 code"),
        (rows(ACME.replace("2026-04-15", "2026-02-30")), "line 2: due: '2026-02-30' is no day."),
        (bytes(range(256)) * 20, "line 1: <U+0000><U+0001>"),
    ],
)
def test_what_is_no_ledger_is_refused_with_its_line_and_what_to_do(refused, content, says):
    faults = refused(content)
    assert any(fault.startswith(says) for fault in faults), faults


def test_a_line_that_begins_a_quoted_cell_counts_for_the_rows_after_it(refused):
    faults = refused(rows(ACME.replace("Consulting", '"a\nb\nc"'), ACME_2.replace("775.00", "x")))
    assert [fault.partition(":")[0] for fault in faults] == ["line 5"]


def test_a_ledger_has_as_many_lines_as_a_case_may_have(refused):
    many = [ACME.replace("TX-1001", f"TX-{at}") for at in range(501)]
    assert refused(rows(*many))[0].startswith("line 2: transactions: ")


def test_of_a_file_with_thousands_of_faults_the_first_thousand_are_told(refused):
    assert len(refused(rows(*[ACME.replace("1200.00", "x")] * 3000))) == 1_000


def test_a_day_that_is_still_to_come_and_another_domain_are_refused(run):
    with pytest.raises(CommandError, match=r"2100-01-01 is still to come"):
        run(rows(ACME), "--as-of", "2100-01-01")
    with pytest.raises(CommandError, match=r"holds a ledger, which is no case of support"):
        run(rows(ACME), "--domain", "support")
    with pytest.raises(CommandError, match=r"'2026-5-4' is no day"):
        run(rows(ACME), "--as-of", "2026-5-4")
    with pytest.raises(CommandError, match=r"absent.toml cannot be read"):
        run(rows(ACME), "--map", "absent.toml")
    assert not Case.objects.exists()


def test_a_map_or_a_day_is_for_csv_alone(run):
    with pytest.raises(CommandError, match=r"is JSONL: its cases have their own days"):
        run("{}", name="cases.jsonl")


def test_ten_thousand_rows_are_read_in_a_small_part_of_the_memory_of_a_process(queue):
    lines = (
        f"c-{at % 500},Client {at % 500},,,TX-{at},invoice,Hosting,2026-03,9.00,,2026-04-15,,,USD"
        for at in range(10_000)
    )
    file = io.BytesIO(rows(*lines).encode())
    tracemalloc.start()
    cases = read_ledger(file, queue=queue, as_of=date(2026, 5, 4), columns=ColumnMap())
    _now, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(cases), len(cases[0][1].facts["transactions"])) == (500, 20)
    assert peak_bytes < 60_000_000


def test_more_rows_than_one_import_takes_are_refused(refused):
    lines = (f"c-{at},Client,,,TX-1,invoice,Hosting,2026-03,9.00,,2026-04-15,,,USD" for at in range(20_001))
    assert refused(rows(*lines)) == [
        "line 20002: file: holds more than 20,000 rows. Import it in parts, each client in one of them."
    ]
