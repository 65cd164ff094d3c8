import copy
import io
import json

import pytest
import redis
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviewhub.models import Case, Draft, FactSheet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def line(facts):
    """Make a line of a file of cases."""

    def make(external_id: str = "acme:1", **facts_changed) -> str:
        return json.dumps(
            {"external_id": external_id, "domain": "billing", "facts": {**copy.deepcopy(facts), **facts_changed}}
        )

    return make


@pytest.fixture
def run(queue, tmp_path, redis_url):
    """Import a file with this content and return what the command printed."""

    def call(content: str | bytes, *options: str, name: str = "cases.jsonl") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        out = io.StringIO()
        call_command("import_cases", str(path), "--queue", queue.slug, *options, stdout=out)
        return out.getvalue()

    return call


def counts():
    return (Case.objects.count(), FactSheet.objects.count(), Draft.objects.count())


def test_it_saves_every_line_and_rings_once_for_all(run, line, redis_url):
    client = redis.Redis.from_url(redis_url)
    client.delete("drafting", "upkeep")
    printed = run(f"{line('a')}\n{line('b')}\n\n{line('c')}\n")
    assert printed == "3 new, 0 with new facts, 0 already here\n"
    assert counts() == (3, 3, 3)
    assert (client.llen("upkeep"), client.llen("drafting")) == (1, 0)


def test_a_file_twice_changes_nothing_and_a_changed_line_is_new_facts(run, line):
    run(f"{line('a')}\n{line('b')}\n")
    assert run(f"{line('a')}\n{line('b')}\n") == "0 new, 0 with new facts, 2 already here\n"
    assert run(f"{line('a')}\n{line('b', reminders_sent=4)}\n") == "0 new, 1 with new facts, 1 already here\n"
    assert counts() == (2, 3, 3)


def test_the_number_of_statements_does_not_grow_with_the_cases(run, line):
    """While they are saved, SQLite's one write lock is held."""
    asked = []
    for letter, cases in (("a", 2), ("b", 60)):
        content = "\n".join(line(f"{letter}{number}") for number in range(cases))
        for _ in ("new", "already here"):
            with CaptureQueriesContext(connection) as queries:
                run(content)
            asked.append(len(queries))
    few_new, few_there, many_new, many_there = asked
    assert many_new <= few_new + 3  # SQLite takes so many values in one statement
    assert many_there == few_there < few_new


def test_every_line_that_belongs_to_a_case_of_another_domain_is_reported(run, line):
    run(f"{line('a')}\n{line('b')}\n{line('c')}\n")
    Case.objects.exclude(external_id="c").update(domain="support")
    with pytest.raises(CommandError) as refused:
        run(f"{line('d')}\n{line('a')}\n{line('c')}\n{line('b')}\n")
    said = str(refused.value)
    assert "line 2: external_id: 'a' is already a case of domain support" in said
    assert "line 4: external_id: 'b' is already a case of domain support" in said
    assert not Case.objects.filter(external_id="d").exists()


def test_the_domain_may_be_given_once_for_the_file(run, facts):
    run(json.dumps({"external_id": "a", "facts": facts}), "--domain", "billing")
    assert Case.objects.get().domain == "billing"


def test_a_byte_order_mark_is_no_fault(run, line):
    run(b"\xef\xbb\xbf" + line("a").encode())
    assert Case.objects.get().external_id == "a"


def test_every_bad_line_is_reported_and_nothing_is_saved(run, line):
    content = "\n".join(
        [
            line("a"),
            '{"external_id": "b", ',
            line("c", currency="ZZZ"),
            line("a"),
            line("d", colour="red", reminders_sent=-1),
        ]
    )
    with pytest.raises(CommandError) as refused:
        run(content)
    reported = str(refused.value).splitlines()
    assert [text.partition(":")[0] for text in reported] == [
        "line 2",
        "line 3",
        "line 4",
        "line 5",
        "line 5",
        "Nothing was saved.",
    ]
    assert "column" in reported[0]
    assert "stands on line 1 too" in reported[2]
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "holds no case"),
        ("\ufeff\n", "line 1: line: is no JSON"),
        ('{"external_id": "a", "domain": "billing", "difficulty": 1e400, "facts": {}}', "difficulty:"),
        ('{"external_id": 1e400}', "external_id:"),
        (
            '{"external_id": "a", "domain": "billing", "facts": {"reminders_sent": ' + "9" * 4000 + "}}",
            "reminders_sent",
        ),
        ('{"external_id": "a", "domain": "billing", "facts": ' + '{"policy": ' * 400 + "1" + "}" * 401, "facts.policy"),
        ('{"external_id": "a\u2028b", "domain": "billing", "facts": {}}', "line 1: external_id: holds U+2028"),
        ("{}".encode("utf-16").decode("latin-1").encode("latin-1"), "is not UTF-8"),
        ("\n \n", "holds no case"),
        ("[1, 2]", "line 1: line: is no JSON object"),
        ('"text"', "line 1: line: is no JSON object"),
        ('{"external_id": NaN}', "NaN is no number of JSON"),
        ('{"external_id": "a", "external_id": "b"}', "'external_id' stands twice"),
        ('{"external_id": ' + "9" * 5000 + "}", "cannot be read"),
        ("[" * 100_000, "nested too deeply"),
        (b'{"external_id": "\xff"}', "is not UTF-8 at byte 17"),
        ('{"external_id": "a\\u0000b", "domain": "billing", "facts": {}}', "line 1: external_id: holds U+0000"),
        ('{"external_id": "a\\ud800", "domain": "billing", "facts": {}}', "line 1: external_id:"),
        ('{"external_id": "a", "facts": {}}', "line 1: domain:"),
        ('{"external_id": "a", "domain": "billing", "message": "' + "x" * 3_000_000 + '"}', "is longer than 1 MB"),
    ],
)
def test_a_broken_file_is_refused_with_its_line_and_what_to_do(run, content, says):
    with pytest.raises(CommandError) as refused:
        run(content)
    assert says in str(refused.value)
    assert str(refused.value).endswith("Nothing was saved.")
    assert counts() == (0, 0, 0)


def test_a_line_that_is_too_long_does_not_hide_the_next(run, line):
    with pytest.raises(CommandError) as refused:
        run("x" * 2_500_000 + "\nno json\n" + line("a"))
    reported = str(refused.value).splitlines()
    assert [text.partition(":")[0] for text in reported[:-1]] == ["line 1", "line 2"]


def test_a_line_of_another_shape_is_told_by_its_first_faults(run, facts):
    other = json.dumps(
        {"external_id": "a", "domain": "billing", "facts": {**facts, **{f"k{at}": 1 for at in range(500)}}}
    )
    with pytest.raises(CommandError) as refused:
        run(f"{other}\nno json\n")
    reported = str(refused.value).splitlines()
    assert [text.partition(":")[0] for text in reported] == ["line 1"] * 21 + ["line 2", "Nothing was saved."]
    assert reported[20] == "line 1: line: has 480 more faults. Correct these first."


@pytest.mark.parametrize("content", ['{"%s": 1}', '{"%s": 1, "%s": 2}'])
def test_a_key_as_long_as_the_line_is_not_repeated_whole(run, content):
    with pytest.raises(CommandError) as refused:
        run(content.replace("%s", "k" * 400_000))
    assert "k" * 200 in str(refused.value)
    assert len(str(refused.value)) < 2000


def padded(line: str, size: int) -> bytes:
    return line.encode() + b" " * (size - len(line))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_of_exactly_one_megabyte_is_read_and_so_is_the_next(run, line, end):
    content = padded(line("a"), 1_000_000) + (end or b"\n") + line("b").encode() + end
    assert run(content).startswith("2 new")


def test_a_line_of_one_byte_more_is_refused_and_the_next_keeps_its_number(run, line):
    with pytest.raises(CommandError) as refused:
        run(padded(line("a"), 1_000_001) + b"\nno json\n")
    reported = str(refused.value).splitlines()
    assert [text.partition(":")[0] for text in reported[:-1]] == ["line 1", "line 2"]
    assert "is longer than 1 MB" in reported[0]


def test_a_file_of_another_kind_is_refused_by_name(run):
    with pytest.raises(CommandError, match=r"cases.xlsx is neither JSONL nor CSV by its name. Give a .jsonl file"):
        run("client.id,id\n", name="cases.xlsx")


def test_an_unknown_queue_and_an_absent_file_are_named(queue):
    with pytest.raises(CommandError, match=r"no queue 'nowhere'\. Queues: billing-east"):
        call_command("import_cases", "x.jsonl", "--queue", "nowhere")
    with pytest.raises(CommandError, match=r"absent.jsonl cannot be read: No such file"):
        call_command("import_cases", "absent.jsonl", "--queue", queue.slug)
